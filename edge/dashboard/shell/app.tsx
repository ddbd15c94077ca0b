import { useEffect } from 'preact/hooks';
import { isChangedElsewhere, me, refreshMe, signedIn, view } from '../session/me.ts';
import { Loaded } from '../parts/loaded.tsx';
import { Notice } from '../parts/notice.tsx';
import { SignIn } from '../sign-in/sign-in.tsx';
import { Welcome } from '../sign-in/welcome.tsx';
import { Verify } from '../verify/verify.tsx';
import { Frame } from './frame.tsx';
import { late } from './late.tsx';
import { isPublic, type Route } from '../route/paths.ts';
import { followLinks, route } from '../route/route.ts';

const Lists = late(async () => (await import('../lists/lists.tsx')).Lists);
const ListPage = late(async () => (await import('../lists/list-page.tsx')).ListPage);
const Developers = late(async () => (await import('../developers/developers.tsx')).Developers);
const Balance = late(async () => (await import('../balance/balance.tsx')).Balance);
const Buy = late(async () => (await import('../buy/buy.tsx')).Buy);
const Settings = late(async () => (await import('../settings/settings.tsx')).Settings);
const Docs = late(async () => (await import('../docs/docs.tsx')).Docs);
const Operators = late(async () => (await import('../operators/operators.tsx')).Operators);
const Link = late(async () => (await import('../sign-in/link.tsx')).Link);

/** The whole of the pages: the frame, and in it the view that the address means. */
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
                {/* Another account is another page: nothing of the one before stays. */}
                <View key={view.value} of={where} />
              </>
            ) : (
              <Welcome />
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
        You are {person.email}. Another tab of this browser changed the account or signed in, or you were taken out of
        the account that was shown here. What you did last was not done.
      </p>
    </Notice>
  );
}

function View({ of: where }: { readonly of: Route }) {
  switch (where.view) {
    case 'verify':
      return <Verify />;
    case 'lists':
      return <Lists />;
    case 'list':
      return <ListPage key={where.id} id={where.id} />;
    case 'developers':
      return <Developers />;
    case 'balance':
      return <Balance />;
    case 'buy':
      return <Buy />;
    case 'settings':
      return <Settings />;
    case 'docs':
      return <Docs />;
    case 'operators':
      return <Operators part={where.part} />;
    case 'sign-in':
      return location.hash === '' ? <SignIn /> : <Link />;
    case 'invitation':
      return <Link />;
    case 'nowhere':
      return <Nowhere />;
  }
}

function Nowhere() {
  return (
    <>
      <h1>There is nothing at this address</h1>
      <p>The link may be old or mistyped.</p>
      <p>
        <a class="button" href="/">
          Verify an address
        </a>
      </p>
    </>
  );
}
