import { useState } from 'preact/hooks';
import { type Column, RESULT_COLUMNS } from '../../../../schema/lists/columns/result-columns.ts';
import type { Open } from '../../../../schema/words/open.ts';
import type { Status } from '../../../../schema/words/verdicts.ts';
import { download } from '../../download/save.ts';
import { useAction } from '../../parts/action.ts';
import { TroubleNotice } from '../../parts/loaded.tsx';
import { Segments } from '../../parts/segments.tsx';
import { statusWords } from '../../words/verdict.ts';
import { type FileWish, fileName } from './write-file.ts';

type Format = FileWish['format'];
const FORMATS: ReadonlyArray<readonly [format: Format, words: string]> = [
  ['csv', 'CSV'],
  ['xlsx', 'Excel'],
];

type Props = {
  /** Of the list: the file is named after it. */
  readonly name: string;
  /** Those that rows can have. */
  readonly statuses: readonly Open<Status>[];
  readonly write: (wish: FileWish) => Promise<Blob>;
};

/** Hands out results as a file, and asks in which form. */
export function Download({ name, statuses, write }: Props) {
  const [format, setFormat] = useState<Format>('csv');
  const [isDefused, setIsDefused] = useState(true);
  const [columns, setColumns] = useState<ReadonlySet<Column>>(new Set(RESULT_COLUMNS));
  const [unwanted, setUnwanted] = useState<ReadonlySet<string>>(new Set());
  const save = useAction(async (which: 'verified' | 'valid') => {
    const isWanted = (status: string | null): boolean =>
      which === 'valid' ? status === 'valid' : !unwanted.has(status ?? NONE);
    const chosen = RESULT_COLUMNS.filter((column) => columns.has(column));
    download(await write({ format, isDefused, isWanted, columns: chosen }), fileName(name, which, format));
  });
  const rows = [...statuses.map((status) => [status, statusWords(status)] as const), [NONE, 'Not asked'] as const];
  return (
    <div class="download">
      <div class="row">
        <button
          type="button"
          disabled={unwanted.size === rows.length || save.isBusy.value}
          onClick={() => void save.run('verified')}
        >
          {save.isBusy.value ? 'Writing the file …' : `Download ${format === 'csv' ? 'CSV' : 'Excel'}`}
        </button>
        <button
          type="button"
          class="quiet"
          disabled={!statuses.includes('valid') || save.isBusy.value}
          onClick={() => void save.run('valid')}
        >
          Only valid addresses
        </button>
        <Segments legend="Format of the file" name="format" choices={FORMATS} value={format} onValue={setFormat} />
      </div>
      <Defusing format={format} isDefused={isDefused} setIsDefused={setIsDefused} />
      <details>
        <summary>Rows and columns</summary>
        <div class="wishes">
          <Checks
            legend="Rows"
            entries={rows}
            isChecked={(status) => !unwanted.has(status)}
            toggle={(status) => setUnwanted(toggled(unwanted, status))}
          />
          <Checks
            legend="Columns, after yours"
            entries={RESULT_COLUMNS.map((column) => [column, column] as const)}
            isChecked={(column) => columns.has(column)}
            toggle={(column) => setColumns(toggled(columns, column))}
          />
        </div>
      </details>
      {save.trouble.value !== null && <TroubleNotice trouble={save.trouble.value} />}
    </div>
  );
}

/** No status has this name. */
const NONE = '';

function toggled<Item>(items: ReadonlySet<Item>, item: Item): ReadonlySet<Item> {
  const next = new Set(items);
  if (!next.delete(item)) next.add(item);
  return next;
}

type DefusingProps = {
  readonly format: Format;
  readonly isDefused: boolean;
  readonly setIsDefused: (is: boolean) => void;
};

function Defusing({ format, isDefused, setIsDefused }: DefusingProps) {
  if (format === 'xlsx')
    return <p class="soft">All your columns, followed by ours. Numbers are numbers, and no cell is a formula.</p>;
  return (
    <label class="check">
      <input
        type="checkbox"
        role="switch"
        checked={isDefused}
        onChange={({ currentTarget }) => setIsDefused(currentTarget.checked)}
      />
      <span>
        Defuse formulas{' '}
        <span class="soft">
          A cell that a spreadsheet would run, such as <code>=1+1</code>, gets an apostrophe in front. Phone numbers and
          everything else stay as they are.
        </span>
      </span>
    </label>
  );
}

type ChecksProps<Item extends string> = {
  readonly legend: string;
  readonly entries: ReadonlyArray<readonly [item: Item, words: string]>;
  readonly isChecked: (item: Item) => boolean;
  readonly toggle: (item: Item) => void;
};

function Checks<Item extends string>({ legend, entries, isChecked, toggle }: ChecksProps<Item>) {
  return (
    <fieldset class="checks">
      <legend>{legend}</legend>
      {entries.map(([item, words]) => (
        <label key={item} class="check">
          <input type="checkbox" checked={isChecked(item)} onChange={() => toggle(item)} />
          {words}
        </label>
      ))}
    </fieldset>
  );
}
