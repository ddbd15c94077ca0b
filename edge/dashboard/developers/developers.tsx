import { useEffect, useState } from 'preact/hooks';
import type { NewPageKey, PageKeyEntry } from '../../../schema/pages-api.ts';
import { call } from '../session/api.ts';
import { useResource } from '../session/load.ts';
import { features, signedIn } from '../session/me.ts';
import { Confirm } from '../parts/confirm.tsx';
import { CopyButton } from '../parts/copy-button.tsx';
import { Loaded } from '../parts/loaded.tsx';
import { Notice } from '../parts/notice.tsx';
import { Table } from '../parts/table.tsx';
import { atMoment, onDay } from '../words/numbers.ts';
import { Caps } from './caps.tsx';
import { FirstCall } from './first-call.tsx';
import { Forms } from './forms.tsx';
import { NewKey } from './new-key.tsx';

/** An address of the sandbox: a test key gives its verdict for nothing. */
const SANDBOX_ADDRESS = 'ok@deliverable.test';

/** API keys, and a first call. */
export function Developers() {
  const keys = useResource(() => call<{ keys: PageKeyEntry[] }>('GET', 'keys'));
  const [made, setMade] = useState<NewPageKey | null>(null);
  const [leaving, setLeaving] = useState<PageKeyEntry | null>(null);
  return (
    <>
      <h1>Developers</h1>
      <p>
        One call verifies up to {features()?.maxAddresses ?? 500} addresses. <a href="/docs">The docs</a> describe every
        field, reason and error; <a href="/requests">Requests</a> lists your calls of the last 7 days.
      </p>
      {made !== null && <Made made={made} done={() => setMade(null)} />}
      <section aria-labelledby="keys-title">
        <h2 id="keys-title">API keys</h2>
        <Loaded load={keys.load.value} reload={() => void keys.reload()}>
          {({ keys: all }) => (
            <>
              {all.length === 0 ? <NoKeys /> : <Keys keys={all} remove={setLeaving} />}
              <Caps keys={all} reload={keys.reload} />
              <Forms keys={all} reload={keys.reload} />
            </>
          )}
        </Loaded>
        <NewKey
          onMade={(key) => {
            setMade(key.form === undefined ? key : null);
            void keys.reload();
          }}
        />
      </section>
      {made === null && (
        <section aria-labelledby="first-title">
          <h2 id="first-title">A first call</h2>
          <FirstCall apiKey="YOUR_API_KEY" email={SANDBOX_ADDRESS} />
        </section>
      )}
      {leaving !== null && (
        <Confirm
          title={`Delete the key “${leaving.label}”?`}
          verb="Delete"
          close={() => setLeaving(null)}
          work={async () => {
            await call('DELETE', `keys/${leaving.id}`);
            await keys.reload();
          }}
        >
          <p>Its next call is refused. Requests in progress are completed.</p>
        </Confirm>
      )}
    </>
  );
}

function NoKeys() {
  return <p class="soft">No keys yet. Start with a test key: its calls cost nothing.</p>;
}

const KIND_WORDS = { live: 'Live', test: 'Test', form: 'Form', formtest: 'Form, test' } as const;

function kindOf({ kind }: PageKeyEntry): string {
  return KIND_WORDS[kind];
}

type KeysProps = { readonly keys: readonly PageKeyEntry[]; readonly remove: (key: PageKeyEntry) => void };

function Keys({ keys, remove }: KeysProps) {
  return (
    <Table
      named={{ by: 'keys-title' }}
      columns={[
        'Name',
        'Kind',
        'Ends in',
        'Created',
        'Made by',
        'Last used',
        { words: <span class="hidden">Actions</span> },
      ]}
      kind="keys"
    >
      {keys.map((key) => (
        <tr key={key.id}>
          <th scope="row" class="wrap">
            {key.label}
            <span class="below">
              {kindOf(key)}, ends in <code>{key.hint}</code>
            </span>
          </th>
          <td>{kindOf(key)}</td>
          <td>
            <code>…{key.hint}</code>
          </td>
          <td>{atMoment(key.createdAt)}</td>
          <td class="wrap">{key.madeBy ?? '–'}</td>
          <td>{key.lastUsed === null ? 'Never' : onDay(key.lastUsed)}</td>
          <td class="end">
            {key.mayDelete && (
              <button type="button" class="quiet" aria-label={`Delete ${key.label}`} onClick={() => remove(key)}>
                Delete
              </button>
            )}
          </td>
        </tr>
      ))}
    </Table>
  );
}

function Made({ made, done }: { readonly made: NewPageKey; readonly done: () => void }) {
  // The form that made it stands further down.
  useEffect(() => scrollTo(0, 0), [made]);
  const email = made.kind === 'test' ? SANDBOX_ADDRESS : signedIn().person.email;
  return (
    <Notice tone="good" title={`Key “${made.label}” created`}>
      <p>Copy it now: it is shown only once, because only its hash is stored.</p>
      <p class="row">
        <code class="key">{made.key}</code>
        <CopyButton text={made.key} words="Copy the key" />
      </p>
      <h2>A first call with it</h2>
      <FirstCall apiKey={made.key} email={email} />
      <button type="button" onClick={done}>
        I have copied it
      </button>
    </Notice>
  );
}
