import { type ComponentType } from 'preact';
import { useEffect } from 'preact/hooks';
import { hasEnded, isChangedElsewhere, me, refreshMe, signedIn, view } from '../session/me.ts';
import { balance } from '../session/balance.ts';
import { Loaded } from '../parts/loaded.tsx';
import { Notice } from '../parts/notice.tsx';
import { whyNoGift } from '../sign-in/no-gift.ts';
import { SignedOut, SignIn } from '../sign-in/sign-in.tsx';
import { Welcome } from '../sign-in/welcome.tsx';
import { Frame } from './frame.tsx';
import { late } from '../parts/late.tsx';
import { isPublic, type PageName, type Route } from '../route/paths.ts';
import { followLinks, route } from '../route/route.ts';

const ListPage = late(async () => (await import('../lists/list-page.tsx')).ListPage);
const Paid = late(async () => (await import('../buy/paid.tsx')).Paid);
const Link = late(async () => (await import('../sign-in/link.tsx')).Link);

/** What each page shows. Their scripts are loaded when they are needed; a stranger's first page is there at once. */
const COMPONENTS: Readonly<Record<PageName, ComponentType>> = {
  verify: late(async () => (await import('../verify/verify.tsx')).Verify),
  lists: late(async () => (await import('../lists/lists.tsx')).Lists),
  bounces: late(async () => (await import('../bounces/bounces.tsx')).Bounces),
  developers: late(async () => (await import('../developers/developers.tsx')).Developers),
  requests: late(async () => (await import('../requests/requests.tsx')).Requests),
  balance: late(async () => (await import('../balance/balance.tsx')).Balance),
  buy: late(async () => (await import('../buy/buy.tsx')).Buy),
  settings: late(async () => (await import('../settings/settings.tsx')).Settings),
  'sign-in': SignInOrLink,
  invitation: Link,
  operators: late(async () => (await import('../operators/operators.tsx')).Operators),
};

/** The dashboard: the frame, and in it the view that the address means. */
export function App() {
  useEffect(() => {
    followLinks();
    void refreshMe();
  }, []);
  const where = route.value;
  return (
    <Frame>
      {isPublic(where) ? (
        <View of={where} />
      ) : (
        <Loaded load={me.value} reload={() => void refreshMe()} as="page">
          {(known) =>
            known.signedIn ? (
              <>
                {isChangedElsewhere.value && <ChangedElsewhere />}
                <Returned />
                {where.view === 'verify' && <NoGiftNotice />}
                {/* Another account is another page: nothing of the one before stays. */}
                <View key={view.value} of={where} />
              </>
            ) : (
              <>{hasEnded.value ? <SignedOut /> : <Welcome />}</>
            )
          }
        </Loaded>
      )}
    </Frame>
  );
}

function ChangedElsewhere() {
  const { person, account } = signedIn();
  useEffect(() => scrollTo(0, 0), []);
  useEffect(() => () => void (isChangedElsewhere.value = false), [route.value]);
  return (
    <Notice tone="doubt" title={`This page now shows ${account.name}`}>
      <p>
        You are {person.email}. Another tab of this browser changed the account or signed in, or you were removed from
        the account that this page showed. Your last action was not carried out.
      </p>
    </Notice>
  );
}

/** Back from the checkout, wherever it began. */
function Returned() {
  const order = new URLSearchParams(location.search).get('order');
  return order === null ? null : <Paid key={order} order={order} />;
}

/** The first page after signing in says why the credits that were promised are not there. */
function NoGiftNotice() {
  const why = balance.value?.noGift ?? null;
  if (why === null) return null;
  return (
    <Notice tone="plain" title="You have 0 credits">
      <p>
        {whyNoGift(why)} <a href="/buy">Buy credits</a>
      </p>
    </Notice>
  );
}

function View({ of: where }: { readonly of: Route }) {
  if (where.view === 'list') return <ListPage key={where.id} id={where.id} />;
  if (where.view === 'nowhere') return <Nowhere />;
  const Page = COMPONENTS[where.view];
  return <Page />;
}

/** A mailed link has its token behind the #. */
function SignInOrLink() {
  return location.hash === '' ? <SignIn /> : <Link />;
}

function Nowhere() {
  return (
    <>
      <h1>There is nothing at this address</h1>
      <p>The link may be old or mistyped.</p>
      <p>
        <a class="button" href="/">
          Go to the first page
        </a>
      </p>
    </>
  );
}
