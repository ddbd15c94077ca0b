import { useSignal } from '@preact/signals';
import { useMemo } from 'preact/hooks';
import type { LinkPreview } from '../../../schema/pages-api.ts';
import { call } from '../session/api.ts';
import { useResource } from '../session/load.ts';
import { enter } from '../session/me.ts';
import { useAction } from '../parts/action.ts';
import { Loaded, TroubleNotice } from '../parts/loaded.tsx';
import { Notice } from '../parts/notice.tsx';
import { comeBackTo } from '../route/paths.ts';
import { route, visit } from '../route/route.ts';
import { whyNoGift } from './no-gift.ts';
import { Button } from '../parts/button.tsx';

/** Takes the token out of the address, so that it stays in no history, and where the reader was. */
function takeToken() {
  const said = new URLSearchParams(location.hash.slice(1));
  history.replaceState(null, '', location.pathname);
  return { token: said.get('token'), back: comeBackTo(said.get('back')) };
}

/** Where a mailed link leads. Only the button uses it up: scanners of mail open links, but press nothing. */
export function Link() {
  const { token, back } = useMemo(takeToken, []);
  const preview = useResource(() => call<LinkPreview>('POST', 'sign-in/look', { token: token ?? '' }));
  const isMailed = useSignal(false);
  const confirm = useAction(async (kind: LinkPreview['kind']) => {
    await call('POST', 'sign-in/confirm', { token });
    isMailed.value = kind === 'invitation';
    if (isMailed.value) return;
    await enter();
    visit(back ?? '/', 'replace');
  });
  const load = preview.load.value;
  if (token === null || (load.state === 'failed' && (load.trouble.status === 410 || load.trouble.status === 400)))
    return <UsedUp />;
  return (
    <div class="narrow">
      <Loaded load={load} reload={() => void preview.reload()} as="page">
        {(link) => (
          <>
            {link.account === null ? <h1>Sign in</h1> : <h1>Join {link.account}</h1>}
            {isMailed.value ? (
              <Notice tone="good" title="Check your mail">
                <p>
                  We mailed a link to <strong>{link.email}</strong>. Open it within 15 minutes to join.
                </p>
              </Notice>
            ) : (
              <>
                {link.kind === 'invitation' ? (
                  <p>
                    {link.invitedBy} has invited <strong>{link.email}</strong> to share the account {link.account}.
                  </p>
                ) : (
                  <p>
                    You sign in as <strong>{link.email}</strong>. {link.noGift !== null && whyNoGift(link.noGift)}
                  </p>
                )}
                <Button
                  words={
                    link.kind === 'invitation'
                      ? 'Mail me the link'
                      : link.account === null
                        ? 'Sign in'
                        : `Join ${link.account}`
                  }
                  busy={confirm}
                  onPress={() => confirm.run(link.kind)}
                />
              </>
            )}
            {confirm.trouble.value !== null && <TroubleNotice trouble={confirm.trouble.value} />}
          </>
        )}
      </Loaded>
    </div>
  );
}

function UsedUp() {
  const isInvitation = route.value.view === 'invitation';
  return (
    <div class="narrow">
      <h1>This link no longer works</h1>
      <Notice tone="doubt" title="It was already used, or has expired">
        <p>
          {isInvitation
            ? 'Ask the person who invited you for a new invitation. If you have already joined, sign in.'
            : 'A link signs you in once. Ask for a new one; it only takes a minute.'}
        </p>
        <a class="button" href="/sign-in">
          {isInvitation ? 'Sign in' : 'Send me a new link'}
        </a>
      </Notice>
    </div>
  );
}
