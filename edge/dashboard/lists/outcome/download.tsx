import { useState } from 'preact/hooks';
import type { Open } from '../../../../schema/words/open.ts';
import type { Status } from '../../../../schema/words/verdicts.ts';
import { download } from '../../download/save.ts';
import { useAction } from '../../parts/action.ts';
import { Field } from '../../parts/field.tsx';
import { TroubleNotice } from '../../parts/loaded.tsx';
import { Segments } from '../../parts/segments.tsx';
import { type FileWish, fileName } from './write-file.ts';

type Format = FileWish['format'];
const FORMAT_NAMES = { csv: 'CSV', tsv: 'TSV', xlsx: 'Excel' } as const satisfies Readonly<Record<Format, string>>;

/** Which rows a file can have, by their statuses; null: every row. */
const ROWS = {
  verified: { words: 'All rows', statuses: null },
  valid: { words: 'Valid', statuses: ['valid'] },
  'valid-risky': { words: 'Valid and risky', statuses: ['valid', 'risky'] },
  risky: { words: 'Risky', statuses: ['risky'] },
  invalid: { words: 'Invalid', statuses: ['invalid'] },
  unknown: { words: 'Unknown', statuses: ['unknown'] },
} as const satisfies Readonly<Record<string, { readonly words: string; readonly statuses: readonly Status[] | null }>>;
type Rows = keyof typeof ROWS;

function isRows(value: string): value is Rows {
  return Object.hasOwn(ROWS, value);
}

type Props = {
  /** Of the list: the file is named after it. */
  readonly name: string;
  /** As its text is. */
  readonly text: 'csv' | 'tsv';
  readonly write: (wish: FileWish) => Promise<Blob>;
};

/** Hands out results as a file, and asks in which form. */
export function Download({ name, text, write }: Props) {
  const [format, setFormat] = useState<Format>(text);
  const [rows, setRows] = useState<Rows>('verified');
  const save = useAction(async () => {
    const statuses: ReadonlyArray<Open<Status> | null> | null = ROWS[rows].statuses;
    const isWanted = (status: Open<Status> | null): boolean => statuses === null || statuses.includes(status);
    download(await write({ format, isWanted }), fileName(name, rows, format));
  });
  return (
    <>
      <div class="row wide">
        <Field label="Rows in the file">
          {(id) => (
            <select
              id={id}
              value={rows}
              onChange={({ currentTarget: { value } }) => setRows(isRows(value) ? value : 'verified')}
            >
              {Object.entries(ROWS).map(([value, { words }]) => (
                <option key={value} value={value}>
                  {words}
                </option>
              ))}
            </select>
          )}
        </Field>
        <Segments
          legend="Format of the file"
          name="format"
          choices={[
            [text, FORMAT_NAMES[text]],
            ['xlsx', FORMAT_NAMES.xlsx],
          ]}
          value={format}
          onValue={setFormat}
        />
        <button type="button" aria-disabled={save.isBusy.value} onClick={() => void save.run()}>
          {save.isBusy.value ? 'Writing the file …' : `Download ${FORMAT_NAMES[format]}`}
        </button>
      </div>
      <p class="soft">All your columns as they are, followed by ours.</p>
      {save.trouble.value !== null && <TroubleNotice trouble={save.trouble.value} />}
    </>
  );
}
