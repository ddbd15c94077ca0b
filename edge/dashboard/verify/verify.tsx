import { signal } from '@preact/signals';
import { useEffect, useRef } from 'preact/hooks';
import { addressesInText } from '../../../schema/lists/columns/address.ts';
import { useAction } from '../parts/action.ts';
import { Field } from '../parts/field.tsx';
import { late } from '../parts/late.tsx';
import { TroubleNotice } from '../parts/loaded.tsx';
import { Notice } from '../parts/notice.tsx';
import { Shortfall } from '../parts/shortfall.tsx';
import { useResource } from '../session/load.ts';
import { signedIn, view } from '../session/me.ts';
import { count, counted, credits } from '../words/numbers.ts';
import { bringPasted, forgetPasted, pasted, PASTED_MAX, verifyPasted } from './pasted-list.ts';
import { Button } from '../parts/button.tsx';

const RunView = late(async () => (await import('../lists/run-view.tsx')).RunView);

/** The keys are named where there is a keyboard, as far as a browser tells. */
const KEYS = /Mac/.test(navigator.userAgent) ? '⌘' : 'Ctrl';
const HINT = `Any text: the addresses in it are found.${
  matchMedia('(hover: hover) and (pointer: fine)').matches ? ` ${KEYS} + Enter verifies.` : ''
}`;

/** What is typed. It stays while other views are shown and after a sign-out, until another person or account is here. */
const text = signal('');
/** The text that was verified last. */
let verified = '';
let typedFor: string | null = null;
view.subscribe((shown) => {
  if (shown === null || shown === typedFor) return;
  if (typedFor !== null) text.value = '';
  typedFor = shown;
});

/** One address, or several that are pasted. */
export function Verify() {
  const { account } = signedIn();
  const emails = addressesInText(text.value);
  const isTooMany = emails.length > PASTED_MAX;
  const verify = useAction((addresses: readonly string[]) => verifyPasted(account.id, addresses));
  const field = useRef<HTMLTextAreaElement>(null);
  const forget = useAction(async () => {
    text.value = '';
    await forgetPasted(account.id);
    field.current?.focus();
  });
  useEffect(() => {
    // What comes next is there when the button is pressed, even if the network is not.
    void Promise.allSettled([import('../session/client.ts'), import('../lists/run-view.tsx')]);
  }, []);
  const kept = useResource(() => bringPasted(account.id));
  const run = pasted.value?.list.accountId === account.id ? pasted.value : null;
  const isGoing = run?.isGoing === true || verify.isBusy.value;
  const submit = (): void => {
    // What was drawn may be a key press old.
    if (emails.length === 0 || isTooMany || pasted.value?.isGoing === true) return;
    verified = text.value;
    void verify.run(emails);
  };
  return (
    <>
      <h1>Verify</h1>
      <form
        class="verify-form"
        onSubmit={(event) => {
          event.preventDefault();
          submit();
        }}
        // A key that is held is one press, on the button too.
        onKeyDown={(event) => {
          const isSubmit = event.ctrlKey || event.metaKey;
          if (event.key !== 'Enter' || (event.target === field.current && !isSubmit)) return;
          if (event.repeat) event.preventDefault();
          else if (isSubmit) submit();
        }}
      >
        <Field label="Email address, or several" hint={HINT}>
          {(id, describedBy) => (
            <textarea
              id={id}
              ref={field}
              aria-describedby={describedBy}
              rows={2}
              value={text.value}
              placeholder="ann@example.com"
              autocomplete="off"
              autocapitalize="none"
              spellcheck={false}
              onInput={(event) => (text.value = event.currentTarget.value)}
            />
          )}
        </Field>
        <div class="row">
          <button type="submit" disabled={emails.length === 0 || isTooMany} aria-disabled={isGoing}>
            {emails.length > 1 ? `Verify ${counted(emails.length, 'address', 'addresses')}` : 'Verify'}
          </button>
          <p class="soft" aria-live="polite">
            {emails.length > 0 && !isGoing && `At most ${credits(emails.length)}`}
            {emails.length === 0 && text.value.trim() !== '' && 'No email address in this text yet.'}
          </p>
        </div>
      </form>
      {isTooMany && (
        <Notice tone="doubt" title={`You entered ${counted(emails.length, 'address', 'addresses')}`}>
          <p>
            More than {count(PASTED_MAX)} are easier as a file: <a href="/lists">Lists</a> reads the file and shows the
            price.
          </p>
        </Notice>
      )}
      {!isTooMany && !isGoing && text.value !== verified && <Shortfall price={emails.length} />}
      {verify.trouble.value !== null && <TroubleNotice trouble={verify.trouble.value} />}
      {run === null && kept.load.value.state !== 'loading' && <FirstVisit />}
      {run !== null && (
        <section aria-label="Results" aria-busy={isGoing}>
          <RunView key={run.list.id} run={run} verify={(email) => void verify.run([email])} />
          {!isGoing && (
            <div class="row">
              <p class="soft">
                We store nothing about these addresses. This browser keeps them until you clear them or verify others.
              </p>
              <Button kind="quiet" words="Clear" onPress={() => forget.run()} />
            </div>
          )}
        </section>
      )}
    </>
  );
}

function FirstVisit() {
  return (
    <section class="soft">
      <h2>What you will see</h2>
      <p>
        Each address is checked with its own mail server, right now. You get a verdict, the reason for it in plain
        words, and what to do. No message is sent, and nothing about the address is stored.
      </p>
      <p>
        A whole file? <a href="/lists">Lists</a> takes a CSV or Excel file of up to a million rows.
      </p>
    </section>
  );
}
