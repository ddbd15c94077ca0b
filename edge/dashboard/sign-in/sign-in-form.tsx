import { useState } from 'preact/hooks';
import type { LinkRequested, NoGift } from '../../../schema/pages-api.ts';
import { call } from '../session/api.ts';
import { enter } from '../session/me.ts';
import { useAction } from '../parts/action.ts';
import { TroubleNotice } from '../parts/loaded.tsx';
import { Notice } from '../parts/notice.tsx';
import { TextField } from '../parts/text-field.tsx';
import { comeBackTo } from '../route/paths.ts';
import { visit } from '../route/route.ts';
import { whyNoGift } from './no-gift.ts';
import { Button } from '../parts/button.tsx';

/** Signs in by a link that is sent by mail, or by a passkey. */
export function SignInForm() {
  const [email, setEmail] = useState('');
  const [asked, setAsked] = useState<{ readonly to: string; readonly answer: LinkRequested } | null>(null);
  const send = useAction(async (to: string, asTyped: boolean) => {
    setEmail(to);
    const back = comeBackTo(location.pathname);
    const answer = await call<LinkRequested>('POST', 'sign-in', {
      email: to,
      ...(asTyped ? { asTyped } : {}),
      ...(back === null ? {} : { back }),
    });
    setAsked({ to, answer });
  });
  const passkey = useAction(async () => {
    const { signInByPasskey } = await import('./passkey.ts');
    if (!(await signInByPasskey())) return;
    await enter();
    if (location.pathname === '/sign-in') visit('/');
  });
  return (
    <>
      <p>We mail you a link, so there is no password. If you are new, it opens your account.</p>
      {asked === null ? (
        <form
          onSubmit={(event) => {
            event.preventDefault();
            void send.run(email, false);
          }}
        >
          <TextField
            label="Your email address"
            type="email"
            name="email"
            required
            autocomplete="username webauthn"
            value={email}
            onValue={setEmail}
          />
          <div class="row">
            <Button words="Send me a link" busy={send} />
            <Button kind="quiet" words="Use a passkey" run={passkey} />
          </div>
        </form>
      ) : asked.answer.didYouMean === undefined ? (
        <Sent to={asked.to} {...asked.answer} again={() => setAsked(null)} />
      ) : (
        <DidYouMean typed={asked.to} meant={asked.answer.didYouMean} send={(to) => void send.run(to, true)} />
      )}
      {send.trouble.value !== null && <TroubleNotice trouble={send.trouble.value} />}
      {passkey.trouble.value !== null && <TroubleNotice trouble={passkey.trouble.value} />}
    </>
  );
}

type Meant = { readonly typed: string; readonly meant: string; readonly send: (to: string) => void };

/** The domain looks mistyped: nothing is mailed before the reader says which it is. */
function DidYouMean({ typed, meant, send }: Meant) {
  return (
    <Notice tone="doubt" title={`Did you mean ${meant}?`}>
      <div class="row">
        <Button words="Yes, send the link there" onPress={() => send(meant)} />
        <Button kind="quiet" words={`No, send it to ${typed}`} onPress={() => send(typed)} />
      </div>
    </Notice>
  );
}

type SentProps = {
  readonly to: string;
  readonly membersOnly?: boolean;
  readonly noGift: NoGift | null;
  readonly again: () => void;
};

/** What the reader does next. The same for every address, so that nobody learns who has an account. */
function Sent({ to, membersOnly = false, noGift, again }: SentProps) {
  return (
    <Notice
      tone={membersOnly ? 'doubt' : 'good'}
      title={membersOnly ? 'New here? Please try again tomorrow' : 'Check your inbox'}
    >
      {membersOnly ? (
        <p>
          Too many new people asked for a link today, so none are sent to new addresses right now. If{' '}
          <strong>{to}</strong> already has an account here, its link is on the way.
        </p>
      ) : (
        <p>
          A link is on its way to <strong>{to}</strong>. It is good for 15 minutes and signs you in once, in any
          browser.
        </p>
      )}
      {noGift !== null && <p>New here? {whyNoGift(noGift)}</p>}
      <p>No mail after a few minutes? Look in your spam folder. We send at most three links in 15 minutes.</p>
      <Button kind="quiet" words="Send another link" onPress={again} />
    </Notice>
  );
}
