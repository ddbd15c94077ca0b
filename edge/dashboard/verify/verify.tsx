import { useEffect } from 'preact/hooks';
import { balance } from '../session/balance.ts';
import { serviceTrouble } from '../session/service-state.ts';
import { Field } from '../parts/field.tsx';
import { TroubleNotice } from '../parts/loaded.tsx';
import { Notice } from '../parts/notice.tsx';
import { count, counted, credits } from '../words/numbers.ts';
import { addressesIn, PASTED_MAX } from './pasted.ts';
import { ResultCard } from './result-card.tsx';
import { late } from '../parts/late.tsx';
import './kept-pasted.ts';
import { bill, cancel, forget, isRunning, isStopping, patience, slots, text, trouble, verify } from './verification.ts';

const ResultRows = late(async () => (await import('./result-rows.tsx')).ResultRows);

/** One address or a pasted list. */
export function Verify() {
  useEffect(() => {
    // What comes next is there when the button is pressed, even if the network is not.
    void Promise.allSettled([import('./run-until-served.ts'), import('./result-rows.tsx')]);
  }, []);
  const emails = addressesIn(text.value);
  const isTooMany = emails.length > PASTED_MAX;
  const submit = (): void => {
    if (emails.length > 0 && !isTooMany) void verify(emails);
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
      >
        <Field label="Email address, or several" hint="One per line, or separated by commas. Ctrl + Enter verifies.">
          {(id, describedBy) => (
            <textarea
              id={id}
              aria-describedby={describedBy}
              rows={Math.min(10, Math.max(2, text.value.split('\n').length))}
              value={text.value}
              placeholder="ann@example.com"
              autocomplete="off"
              autocapitalize="none"
              spellcheck={false}
              onInput={(event) => (text.value = event.currentTarget.value)}
              onKeyDown={(event) => {
                if (event.key === 'Enter' && (event.ctrlKey || event.metaKey)) submit();
              }}
            />
          )}
        </Field>
        <div class="row">
          <button type="submit" disabled={emails.length === 0 || isTooMany || isRunning.value}>
            {emails.length > 1 ? `Verify ${counted(emails.length, 'address', 'addresses')}` : 'Verify'}
          </button>
          {isRunning.value && (
            <button type="button" class="quiet" disabled={isStopping.value} onClick={cancel}>
              {isStopping.value ? 'Stopping …' : 'Stop'}
            </button>
          )}
          <p class="soft" aria-live="polite">
            {emails.length > 0 && !isRunning.value && `At most ${credits(emails.length)}`}
          </p>
        </div>
      </form>
      {isTooMany && (
        <Notice tone="doubt" title={`You entered ${counted(emails.length, 'address', 'addresses')}`}>
          <p>
            More than {count(PASTED_MAX)} are easier as a file: <a href="/lists">Lists</a> reads the file, shows the
            price and resumes after an interruption.
          </p>
        </Notice>
      )}
      {isRunning.value && serviceTrouble.value !== null && <Waits />}
      {trouble.value !== null && <Failure retry={submit} />}
      <Results />
    </>
  );
}

/** The service cannot verify at the moment, and is tried again. */
function Waits() {
  return (
    <Notice tone="doubt" title={serviceTrouble.value ?? ''}>
      <p>This page keeps trying. What has no answer costs nothing.</p>
      {patience.isWaiting.value && (
        <button type="button" onClick={() => patience.end()}>
          Try now
        </button>
      )}
    </Notice>
  );
}

function Failure({ retry }: { readonly retry: () => void }) {
  const known = trouble.value;
  if (known === null) return null;
  if (known.status !== 402) return <TroubleNotice trouble={known} retry={retry} />;
  return (
    <Notice tone="doubt" title="Not enough credits">
      <p>
        {known.message} {balance.value !== null && `The account has ${credits(balance.value.credits)}.`}
      </p>
      <a class="button" href="/buy">
        Buy credits
      </a>
    </Notice>
  );
}

function Results() {
  const all = slots.value;
  const [only] = all;
  if (only === undefined) return <FirstVisit />;
  const isDone = !isRunning.value;
  const isOne = all.length === 1;
  return (
    <section aria-label="Results" aria-busy={isRunning.value}>
      {isOne && <ResultCard slot={only} isRunning={isRunning.value} verify={(email) => void verify([email])} />}
      {isDone && <Bill />}
      {!isOne && <ResultRows slots={all} isRunning={isRunning.value} />}
    </section>
  );
}

/** What it has cost, and what is kept of it. */
function Bill() {
  return (
    <div class="row bill">
      <p class="soft">
        {bill.value !== null && `${billWords(bill.value)} `}
        We store nothing about these addresses. This tab keeps them until you close it.
      </p>
      <button type="button" class="quiet" onClick={forget}>
        Clear
      </button>
    </div>
  );
}

function billWords({ charged, returned }: NonNullable<typeof bill.value>): string {
  return `${credits(charged)} charged${returned > 0 ? `, ${credits(returned)} returned` : ''}.`;
}

function FirstVisit() {
  return (
    <section class="empty">
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
