import { useState } from 'preact/hooks';
import type { LinkRequested } from '../../../schema/pages-api.ts';
import { call } from '../session/api.ts';
import { refreshMe } from '../session/me.ts';
import { useAction } from '../parts/action.ts';
import { TroubleNotice } from '../parts/loaded.tsx';
import { Notice } from '../parts/notice.tsx';
import { TextField } from '../parts/text-field.tsx';
import { visit } from '../route/route.ts';

/** Signs in by a link that is sent by mail, or by a passkey. */
export function SignInForm() {
  const [email, setEmail] = useState('');
  const [sent, setSent] = useState<{ readonly to: string; readonly membersOnly: boolean } | null>(null);
  const send = useAction(async () => {
    const { membersOnly = false } = await call<LinkRequested>('POST', 'sign-in', { email });
    setSent({ to: email, membersOnly });
  });
  const passkey = useAction(async () => {
    const { signInByPasskey } = await import('./passkey.ts');
    if (!(await signInByPasskey())) return;
    await refreshMe();
    if (location.pathname === '/sign-in') visit('/');
  });
  return (
    <>
      <p>We mail you a link, so there is no password. If you are new, it opens your account.</p>
      {sent === null ? (
        <form
          onSubmit={(event) => {
            event.preventDefault();
            void send.run();
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
            <button type="submit" aria-disabled={send.isBusy.value}>
              Send me a link
            </button>
            <button type="button" class="quiet" aria-disabled={passkey.isBusy.value} onClick={() => void passkey.run()}>
              Use a passkey
            </button>
          </div>
        </form>
      ) : (
        <Sent {...sent} again={() => setSent(null)} />
      )}
      {send.trouble.value !== null && <TroubleNotice trouble={send.trouble.value} />}
      {passkey.trouble.value !== null && <TroubleNotice trouble={passkey.trouble.value} />}
    </>
  );
}

type SentProps = { readonly to: string; readonly membersOnly: boolean; readonly again: () => void };

/** What the reader does next. The same for every address, so that nobody learns who has an account. */
function Sent({ to, membersOnly, again }: SentProps) {
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
      <p>No mail after a few minutes? Look in your spam folder. We send at most three links in 15 minutes.</p>
      <button type="button" class="quiet" onClick={again}>
        Send another link
      </button>
    </Notice>
  );
}
