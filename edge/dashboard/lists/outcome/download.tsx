import { useState } from 'preact/hooks';
import { KEEP_ALL, type Keep, unwantedIn } from '../../../../schema/list-job/keep.ts';
import { download } from '../../download/save.ts';
import { useAction } from '../../parts/action.ts';
import { Check } from '../../parts/check.tsx';
import { Choice } from '../../parts/choice.tsx';
import { Field } from '../../parts/field.tsx';
import { TextField } from '../../parts/text-field.tsx';
import { TroubleNotice } from '../../parts/loaded.tsx';
import { Segments } from '../../parts/segments.tsx';
import { counted } from '../../words/numbers.ts';
import { exportedFile, fileName, type FileWish, type Read } from './export.ts';
import { FOUND, openFile } from '../reading/open-file.ts';
import { Button } from '../../parts/button.tsx';

type Format = FileWish['format'];
const FORMAT_NAMES = { csv: 'CSV', tsv: 'TSV', xlsx: 'Excel' } as const satisfies Readonly<Record<Format, string>>;

/** Which rows a file can have; null: every row. */
const ROWS = {
  verified: ['All rows', null],
  valid: ['Valid', ['valid']],
  'valid-risky': ['Valid and risky', ['valid', 'risky']],
  risky: ['Risky', ['risky']],
  invalid: ['Invalid', ['invalid']],
  unknown: ['Unknown', ['unknown']],
  'without-address': ['Without an address', ['no_address']],
} as const satisfies Readonly<Record<string, readonly [words: string, words: readonly string[] | null]>>;
type Rows = keyof typeof ROWS;

function isRows(value: string): value is Rows {
  return Object.hasOwn(ROWS, value);
}

type Props = {
  readonly name: string;
  /** As its text is. */
  readonly text: 'csv' | 'tsv';
  readonly read: Read;
};

/** Hands out results as a file, and asks in which form. */
export function Download({ name, text, read }: Props) {
  const [format, setFormat] = useState<Format>(text);
  const [rows, setRows] = useState<Rows>('verified');
  const [keep, setKeep] = useState(KEEP_ALL);
  const [written, setWritten] = useState<number | null>(null);
  const save = useAction(async () => {
    const words = ROWS[rows][1];
    const wish = { format, keep: { ...keep, words: words === null ? null : new Set<string>(words) } };
    const { rows: inFile, file } = await exportedFile(read, wish);
    download(file, fileName(name, rows, format));
    setWritten(inFile);
  });
  return (
    <>
      <div class="row wide">
        <Choice
          label="Rows in the file"
          options={Object.entries(ROWS).map(([value, [words]]) => [value, words])}
          value={rows}
          onValue={(value) => setRows(isRows(value) ? value : 'verified')}
        />
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
        <Button words={save.isBusy.value ? 'Writing the file …' : `Download ${FORMAT_NAMES[format]}`} run={save} />
      </div>
      <Filters keep={keep} change={(part) => setKeep({ ...keep, ...part })} />
      <p class="soft" role="status">
        All your columns as they are, followed by ours.
        {written !== null && ` ${counted(written, 'row', 'rows')} in the last file.`}
      </p>
      {save.trouble.value !== null && <TroubleNotice trouble={save.trouble.value} />}
    </>
  );
}

type FilterProps = { readonly keep: Keep; readonly change: (part: Partial<Keep>) => void };

function Filters({ keep, change }: FilterProps) {
  const unwant = useAction(async (file: File | undefined) => {
    change({ notIn: file === undefined ? KEEP_ALL.notIn : await unwantedIn(await openFile(file, file.name, FOUND)) });
  });
  return (
    <details>
      <summary>Leave out more</summary>
      <div class="row wide">
        <TextField
          label="Scores below"
          type="number"
          min={0}
          max={100}
          autocomplete="off"
          value={String(keep.scoreLeast)}
          onValue={(score) => change({ scoreLeast: Number(score) })}
        />
        <Field label="Addresses of another list">
          {(id) => <input id={id} type="file" onChange={(event) => void unwant.run(event.currentTarget.files?.[0])} />}
        </Field>
      </div>
      {keep.notIn.size > 0 && (
        <p class="soft">{counted(keep.notIn.size, 'address', 'addresses')} to leave out, read in this browser.</p>
      )}
      <Check words="Role addresses, such as info@" isOn={!keep.hasRole} turn={(isOn) => change({ hasRole: !isOn })} />
      <Check
        words="Disposable mailboxes"
        isOn={!keep.hasDisposable}
        turn={(isOn) => change({ hasDisposable: !isOn })}
      />
      {unwant.trouble.value !== null && <TroubleNotice trouble={unwant.trouble.value} />}
    </details>
  );
}
