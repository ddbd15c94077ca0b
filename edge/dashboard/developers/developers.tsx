import { useState } from 'preact/hooks';
import type { PageKeyEntry } from '../../../schema/pages-api.ts';
import { call } from '../session/api.ts';
import { useResource } from '../session/load.ts';
import { features } from '../session/me.ts';
import { Confirm } from '../parts/confirm.tsx';
import { Loaded } from '../parts/loaded.tsx';
import { Table } from '../parts/table.tsx';
import { atMoment, onDay } from '../words/numbers.ts';
import { Caps } from './caps.tsx';
import { FirstCall, SANDBOX_ADDRESS } from './first-call.tsx';
import { Forms } from './forms.tsx';
import { NewKey } from './new-key.tsx';
import { Button } from '../parts/button.tsx';

/** API keys, and a first call. */
export function Developers() {
  const keys = useResource(() => call<{ keys: PageKeyEntry[] }>('GET', 'keys'));
  const [isMaking, setIsMaking] = useState(false);
  const [leaving, setLeaving] = useState<PageKeyEntry | null>(null);
  return (
    <>
      <h1>Developers</h1>
      <p>
        One call verifies up to {features()?.maxAddresses ?? 500} addresses. <a href="/docs">The docs</a> describe every
        field, reason and error; <a href="/requests">Requests</a> lists your calls of the last 7 days.
      </p>
      <section aria-labelledby="keys-title">
        <div class="row">
          <h2 id="keys-title">API keys</h2>
          <Button words="New key" onPress={() => setIsMaking(true)} />
        </div>
        <Loaded load={keys.load.value} reload={() => void keys.reload()}>
          {({ keys: all }) => (
            <>
              {all.length === 0 ? (
                <p class="soft">No keys yet. Start with a test key: its calls cost nothing.</p>
              ) : (
                <Keys keys={all} remove={setLeaving} />
              )}
              <Caps keys={all} reload={keys.reload} />
              <Forms keys={all} reload={keys.reload} />
            </>
          )}
        </Loaded>
      </section>
      <section aria-labelledby="first-title">
        <h2 id="first-title">A first call</h2>
        <FirstCall apiKey="YOUR_API_KEY" email={SANDBOX_ADDRESS} />
      </section>
      {isMaking && <NewKey onMade={() => void keys.reload()} onClose={() => setIsMaking(false)} />}
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

const KIND_WORDS = { live: 'Live', test: 'Test', form: 'Form', formtest: 'Form, test' } as const;

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
              {KIND_WORDS[key.kind]}, ends in <code>{key.hint}</code>
            </span>
          </th>
          <td>{KIND_WORDS[key.kind]}</td>
          <td>
            <code>…{key.hint}</code>
          </td>
          <td>{atMoment(key.createdAt)}</td>
          <td class="wrap">{key.madeBy ?? '–'}</td>
          <td>{key.lastUsed === null ? 'Never' : onDay(key.lastUsed)}</td>
          <td class="end">
            {key.mayDelete && (
              <Button kind="quiet" words="Delete" label={`Delete ${key.label}`} onPress={() => remove(key)} />
            )}
          </td>
        </tr>
      ))}
    </Table>
  );
}
