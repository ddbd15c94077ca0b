import { useRef, useState } from 'preact/hooks';
import type { CallLog } from '../../../schema/pages-api.ts';
import { call } from '../session/api.ts';
import { useResource } from '../session/load.ts';
import { useAction } from '../parts/action.ts';
import { Choice } from '../parts/choice.tsx';
import { Field } from '../parts/field.tsx';
import { Loaded, TroubleNotice } from '../parts/loaded.tsx';
import { Calls } from './calls.tsx';
import { ANSWERS } from './words.ts';
import { Button } from '../parts/button.tsx';

/** What is shown; empty: all. */
type Filter = { readonly key: string; readonly status: string; readonly from: string; readonly to: string };
const ALL: Filter = { key: '', status: '', from: '', to: '' };

function read(filter: Filter, before?: string): Promise<CallLog> {
  const all = { ...filter, before: before ?? '' };
  const query = new URLSearchParams(Object.entries(all).filter(([, value]) => value !== '')).toString();
  return call<CallLog>('GET', query === '' ? 'requests' : `requests?${query}`);
}

/** The log of the account's calls. */
export function Requests() {
  const [filter, setFilter] = useState(ALL);
  const wanted = useRef(ALL);
  const [labels, setLabels] = useState<CallLog['labels']>({});
  const log = useResource(async () => {
    const found = await read(wanted.current);
    setLabels(found.labels);
    return found;
  });
  const more = useAction(async () => {
    const asked = wanted.current;
    if (log.load.value.state !== 'ready' || log.load.value.value.next === null) return;
    const { rows, next } = log.load.value.value;
    const older = await read(asked, next);
    // Meanwhile another filter may have been chosen.
    if (asked === wanted.current)
      log.load.value = { state: 'ready', value: { ...older, rows: [...rows, ...older.rows] } };
  });
  const choose = (chosen: Filter): void => {
    wanted.current = chosen;
    setFilter(chosen);
    void log.reload();
  };
  return (
    <>
      <h1>Requests</h1>
      <p>
        Calls of the last 7 days, refused ones too: 1,000 of your servers and these pages, and 1,000 of forms and of
        keys that no longer work. No address is kept. Every answer names its request in the header{' '}
        <code>Rcpt-Request-Id</code>.
      </p>
      <Filters filter={filter} labels={labels} onFilter={choose} />
      <Loaded load={log.load.value} reload={() => void log.reload()}>
        {({ rows, next }) => (
          <section aria-labelledby="calls-title">
            <h2 class="hidden" id="calls-title">
              Calls
            </h2>
            {rows.length === 0 ? (
              <p class="soft">{filter === ALL ? 'No calls in the last 7 days.' : 'No call fits these filters.'}</p>
            ) : (
              <Calls rows={rows} labels={labels} />
            )}
            {next !== null && <Button kind="quiet" words="Show older" run={more} />}
            {more.trouble.value !== null && <TroubleNotice trouble={more.trouble.value} />}
          </section>
        )}
      </Loaded>
    </>
  );
}

type FiltersProps = {
  readonly filter: Filter;
  readonly labels: CallLog['labels'];
  readonly onFilter: (filter: Filter) => void;
};

function Filters({ filter, labels, onFilter }: FiltersProps) {
  const set = (change: Partial<Filter>): void => {
    const changed = { ...filter, ...change };
    onFilter(Object.values(changed).every((value) => value === '') ? ALL : changed);
  };
  const day = (label: string, name: 'from' | 'to') => (
    <Field label={label}>
      {(id) => (
        <input
          id={id}
          type="date"
          value={filter[name]}
          onChange={(event) => set({ [name]: event.currentTarget.value })}
        />
      )}
    </Field>
  );
  return (
    <div class="filters">
      <Choice
        label="Key"
        value={filter.key}
        onValue={(key) => set({ key })}
        options={[['', 'All'], ...Object.entries(labels), ['page', 'These pages'], ['deleted', 'Deleted keys']]}
      />
      <Choice
        label="Answer"
        value={filter.status}
        onValue={(status) => set({ status })}
        options={[
          ['', 'All'],
          ...[...ANSWERS].map(([status, words]) => [String(status), `${status} ${words}`] as const),
        ]}
      />
      {day('From (UTC)', 'from')}
      {day('To (UTC)', 'to')}
    </div>
  );
}
