import { Fragment } from 'preact';
import { useEffect, useRef, useState } from 'preact/hooks';
import type { OpenResult } from '../../../../schema/words/result.ts';
import { useAction } from '../../parts/action.ts';
import { Choice } from '../../parts/choice.tsx';
import { Chip } from '../../parts/chip.tsx';
import { CopyButton } from '../../parts/copy-button.tsx';
import { Seen } from '../../parts/result-card.tsx';
import { Field } from '../../parts/field.tsx';
import { count } from '../../words/numbers.ts';
import { statusWords } from '../../words/verdict.ts';
import { type Findings, type Group, inOrder } from './groups.ts';
import { Reasons } from './reasons.tsx';
import { type Filter, find, type Found, NO_FILTER, ROWS_SHOWN, useFound } from './search.ts';
import { Button } from '../../parts/button.tsx';

/** What a clipboard is for; more are a file. */
const COPIED_MAX = 10_000;

type Props = {
  readonly findings: Findings;
  /** All that is known of an address; null: there is no answer. */
  readonly resultOf: (index: number) => Promise<OpenResult | null>;
};

/** All addresses with their results, to be searched and filtered, fifty rows at a time. */
export function Addresses({ findings, resultOf }: Props) {
  const [filter, setFilter] = useState<Filter>(NO_FILTER);
  const [from, setFrom] = useState(0);
  const found = useFound({ findings, filter, from });
  const title = useRef<HTMLHeadingElement>(null);
  const change = (next: Filter): void => {
    setFilter(next);
    setFrom(0);
  };
  // Fewer pass than before: the last rows are shown, and not nothing.
  useEffect(() => {
    if (found !== null && found.from > 0 && found.from >= found.all) setFrom(lastStart(found.all));
  }, [found]);
  const turnTo = (place: number): void => {
    setFrom(place);
    title.current?.focus();
    title.current?.scrollIntoView();
  };
  return (
    <section aria-labelledby="addresses-title">
      <h2 id="addresses-title" tabIndex={-1} ref={title}>
        Addresses
      </h2>
      <Reasons groups={findings.groups} filter={filter} setFilter={change} />
      <Search groups={findings.groups} filter={filter} change={change} />
      {found !== null && (
        <>
          <div class="row">
            <p class="soft range" role="status">
              {rangeOf(found)}
            </p>
            {found.all > 0 && found.all <= COPIED_MAX && (
              <CopyButton
                key={`${filter.status} ${filter.title} ${filter.query}`}
                text={() => addressesOf(findings, filter)}
                words="Copy these addresses"
              />
            )}
          </div>
          {found.all > 0 && <Rows findings={findings} resultOf={resultOf} found={found} />}
          {found.all > ROWS_SHOWN && <Turn found={found} turnTo={turnTo} />}
        </>
      )}
    </section>
  );
}

/** All that pass, one a line. */
async function addressesOf(findings: Findings, filter: Filter): Promise<string> {
  const found = await find({ findings, filter, from: 0, most: COPIED_MAX }, () => false);
  return (found?.shown ?? []).map(findings.addressOf).join('\n');
}

function lastStart(all: number): number {
  return Math.max(0, Math.floor((all - 1) / ROWS_SHOWN) * ROWS_SHOWN);
}

function rangeOf({ all, from, shown }: Found): string {
  if (all === 0) return 'No address matches.';
  return `${count(from + 1)} to ${count(from + shown.length)} of ${count(all)}`;
}

type SearchProps = {
  readonly groups: readonly Group[];
  readonly filter: Filter;
  readonly change: (filter: Filter) => void;
};

function Search({ groups, filter, change }: SearchProps) {
  const statuses = new Set(inOrder(groups.filter(({ size }) => size > 0)).map(({ status }) => status));
  return (
    <div class="row wide" role="search">
      <Field label="Search addresses">
        {(id) => (
          <input
            id={id}
            type="search"
            autocomplete="off"
            autocapitalize="none"
            spellcheck={false}
            value={filter.query}
            onInput={({ currentTarget: { value } }) => change({ ...filter, query: value })}
          />
        )}
      </Field>
      <Choice
        label="Status"
        options={[['all', 'All'], ...[...statuses].map(optionOf)]}
        value={filter.status}
        onValue={(status) => change({ ...filter, status, title: null })}
      />
    </div>
  );
}

function optionOf(status: Group['status']): readonly [value: string, words: string] {
  return status === null ? ['none', 'Not asked yet'] : [status, statusWords(status)];
}

type RowsProps = Props & { readonly found: Found };
type Open = { readonly index: number; readonly result: OpenResult };

function Rows({ findings: { groups, groupOf, addressOf }, resultOf, found: { shown } }: RowsProps) {
  const [open, setOpen] = useState<Open | null>(null);
  const read = useAction(async (index: number) => {
    const result = open?.index === index ? null : await resultOf(index);
    setOpen(result === null ? null : { index, result });
  });
  return (
    <table class="findings" aria-labelledby="addresses-title">
      <thead>
        <tr>
          <th scope="col">Address</th>
          <th scope="col">Result</th>
          <th scope="col">Reason</th>
        </tr>
      </thead>
      <tbody>
        {shown.map((index) => {
          const group = groups[groupOf(index)];
          return (
            <Fragment key={index}>
              <tr>
                <th scope="row" class="address">
                  {group === undefined || group.status === null ? (
                    addressOf(index)
                  ) : (
                    <button type="button" aria-expanded={open?.index === index} onClick={() => void read.run(index)}>
                      {addressOf(index)}
                    </button>
                  )}
                  {/* Where there is no room for the third column. */}
                  <span class="below">{group?.title}</span>
                </th>
                <td>{group !== undefined && group.status !== null && <Chip status={group.status} />}</td>
                <td class="soft">{group?.title}</td>
              </tr>
              {open?.index === index && (
                <tr>
                  <td colSpan={3}>
                    <Seen result={open.result} />
                  </td>
                </tr>
              )}
            </Fragment>
          );
        })}
      </tbody>
    </table>
  );
}

function Turn({ found: { all, from }, turnTo }: { readonly found: Found; readonly turnTo: (from: number) => void }) {
  const last = lastStart(all);
  return (
    <nav class="row" aria-label="Rows of the table">
      <Button kind="quiet" words="First" isOff={from === 0} onPress={() => turnTo(0)} />
      <Button kind="quiet" words="Previous" isOff={from === 0} onPress={() => turnTo(Math.max(0, from - ROWS_SHOWN))} />
      <Button kind="quiet" words="Next" isOff={from >= last} onPress={() => turnTo(from + ROWS_SHOWN)} />
      <Button kind="quiet" words="Last" isOff={from >= last} onPress={() => turnTo(last)} />
    </nav>
  );
}
