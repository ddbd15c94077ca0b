import { signedIn } from '../session/me.ts';
import { useAction } from '../parts/action.ts';
import { Check } from '../parts/check.tsx';
import { Choice } from '../parts/choice.tsx';
import { TroubleNotice } from '../parts/loaded.tsx';
import { Notice } from '../parts/notice.tsx';
import { Shortfall } from '../parts/shortfall.tsx';
import { Receipt } from '../parts/receipt.tsx';
import { Table } from '../parts/table.tsx';
import { visit } from '../route/route.ts';
import { atMoment, count, counted, credits, fileSize } from '../words/numbers.ts';
import { columnName } from './content/columns.ts';
import { SAMPLE } from '../../../schema/list-job/sample.ts';
import { ENCODINGS } from '../../../schema/lists/reading/text.ts';
import { FOUND } from './reading/open-file.ts';
import { ReadingFile } from './reading/reading.tsx';
import { choose, type Counted, discard, type Draft, open, percent, trouble } from './draft.ts';
import { runOf } from './run/runs.ts';
import { keepList, type StoredList } from './kept/stored.ts';
import { Button } from '../parts/button.tsx';

const PREVIEW_ROWS = 6;

/** What was found in a file, what it costs, and the button that begins. */
export function Prepare({ draft }: { readonly draft: Draft }) {
  const { file, table } = draft;
  return (
    <>
      <div class="row">
        <h2 class="wrap">{file.name}</h2>
        <span class="soft">{fileSize(file.size)}</span>
        <Button kind="quiet" words="Choose another file" onPress={discard} />
      </div>
      {table.remark !== null && <p class="soft">{table.remark}</p>}
      {draft.note !== null && <p class="soft">{draft.note}</p>}
      <Sheets draft={draft} />
      {draft.rivals.length > 0 && <Rivals draft={draft} />}
      <ColumnFields draft={draft} />
      <TextFields draft={draft} />
      <Preview draft={draft} />
      {trouble.value !== null && <TroubleNotice trouble={trouble.value} />}
      {draft.rivals.length === 0 && trouble.value === null && <PriceOf draft={draft} />}
    </>
  );
}

/** Which sheet of a workbook is read, if it has several. */
function Sheets({ draft: { file, table } }: { readonly draft: Draft }) {
  if (table.sheet === null || table.sheet.others.length === 0) return null;
  const { name, others } = table.sheet;
  return (
    <Choice
      label="Sheet of the workbook"
      hint={`The workbook has ${others.length + 1} sheets; one is verified.`}
      options={[name, ...others].map((sheet) => [sheet, sheet])}
      value={name}
      onValue={(sheet) => void open(file, { ...FOUND, sheet })}
    />
  );
}

/** Nothing says which column is meant: the reader chooses below, with what stands in each. */
function Rivals({ draft: { sample, choice, rivals } }: { readonly draft: Draft }) {
  return (
    <Notice tone="doubt" title="Which column do you want to verify?">
      <p>
        {!choice.hasHeader && sample.length === 1
          ? 'This list is one line with several addresses: put each on a line of its own to verify them all.'
          : rivals.length === 1
            ? 'The only column of addresses has the same one in most rows. Choose the column below.'
            : 'Nothing says which column holds the addresses. Choose one below.'}
      </p>
    </Notice>
  );
}

function ColumnFields({ draft: { file, table, choice, rivals } }: { readonly draft: Draft }) {
  const { names } = table;
  return (
    <div class="row wide">
      <Choice
        label="Column with the addresses"
        placeholder="Choose a column"
        options={names.map((_, column) => [String(column), columnName(names, { column, hasHeader: choice.hasHeader })])}
        value={rivals.length > 0 ? '' : String(choice.column)}
        onValue={(column) => void choose(Number(column))}
      />
      <Check
        words="The first row names the columns"
        isOn={choice.hasHeader}
        turn={(hasHeader) => void open(file, { ...choice, hasHeader })}
      />
    </div>
  );
}

const DELIMITERS: Readonly<Record<string, string>> = {
  ',': 'Comma',
  ';': 'Semicolon',
  '\t': 'Tab',
  '|': 'Vertical bar',
};

/** How a text was read, to be corrected. */
function TextFields({ draft: { file, table, choice } }: { readonly draft: Draft }) {
  const { encoding, format, style } = table;
  if (encoding === null) return null;
  const again = { ...choice, hasHeader: null };
  return (
    <div class="row wide">
      <Choice
        label="Encoding"
        options={Object.entries({ [encoding.label]: encoding.label, ...ENCODINGS })}
        value={encoding.label}
        onValue={(value) => void open(file, { ...again, encoding: value })}
      />
      {(format === 'csv' || format === 'tsv') && (
        <Choice
          label="Between cells"
          options={Object.entries({ [style.delimiter]: style.delimiter, ...DELIMITERS })}
          value={style.delimiter}
          onValue={(value) => void open(file, { ...again, delimiter: value })}
        />
      )}
    </div>
  );
}

function Preview({ draft: { table, sample, choice, rivals } }: { readonly draft: Draft }) {
  const rows = sample.slice(0, PREVIEW_ROWS);
  const chosen = rivals.length > 0 ? rivals : [choice.column];
  const kindOf = (column: number) => (chosen.includes(column) ? 'chosen' : undefined);
  return (
    <Table
      named={{ as: 'First rows of the file' }}
      columns={choice.hasHeader ? table.names.map((words, column) => ({ words, kind: kindOf(column) })) : []}
      kind="preview"
    >
      {rows.map((row, index) => (
        <tr key={index}>
          {row.map((cell, column) => (
            <td key={column} class={kindOf(column)}>
              {cell}
            </td>
          ))}
        </tr>
      ))}
    </Table>
  );
}

function PriceOf({ draft }: { readonly draft: Draft }) {
  const { file, choice, counted: known } = draft;
  const begin = useAction(async (sample: number | null) => {
    if (known === null) return;
    const list: StoredList = {
      id: crypto.randomUUID(),
      accountId: signedIn().account.id,
      name: file.name,
      file,
      choice,
      totals: known.totals,
      fingerprint: known.fingerprint,
      createdAt: new Date().toISOString(),
      isPasted: false,
    };
    await keepList(list);
    const run = runOf(list);
    void run.opened.then(() => run.start(sample));
    discard();
    visit(`/lists/${list.id}`);
  });
  if (known === null) return <ReadingFile words="Counting the addresses" percent={percent.value} />;
  const { rows, addresses, duplicates, none, empty, several } = known.totals;
  return (
    <section class="card price" aria-label="Price">
      <Receipt
        label="What the list holds"
        lines={[
          { label: 'Rows', value: count(rows) },
          ...(empty > 0 ? [{ label: 'Empty', value: `− ${count(empty)}` }] : []),
          ...(duplicates > 0 ? [{ label: 'Duplicates, verified once', value: `− ${count(duplicates)}` }] : []),
          ...(none > 0 ? [{ label: 'Not an address, not verified', value: `− ${count(none)}` }] : []),
          ...(several > 0
            ? [{ label: 'Several addresses in one cell, not verified', value: `− ${count(several)}` }]
            : []),
          { label: 'Unique addresses, 1 credit each', value: count(addresses) },
          { label: 'Total, at most', value: credits(addresses), isTotal: true },
        ]}
      />
      <p class="soft">
        It never costs more. Credits are returned automatically for servers that would not talk to us and for addresses
        that could not be checked.
      </p>
      <p class="soft">
        Keep this tab open while the list is verified. You may close it and resume later in this browser: nothing is
        lost, and nothing is charged twice.
      </p>
      {several > 0 && (
        <p class="soft">
          We do not choose among several addresses in one cell: put each in a row of its own to verify them. The
          download marks these rows.
        </p>
      )}
      {known.earlier !== null && addresses > 0 && <Earlier {...known.earlier} />}
      {addresses === 0 && <NoAddresses draft={draft} rows={rows} />}
      <Shortfall price={addresses} />
      <div class="row">
        <Button
          words={`Verify ${counted(addresses, 'address', 'addresses')}`}
          isOff={addresses === 0}
          busy={begin}
          onPress={() => begin.run(null)}
        />
        {addresses > SAMPLE && (
          <Button kind="quiet" words={`Sample of ${SAMPLE} first`} busy={begin} onPress={() => begin.run(SAMPLE)} />
        )}
      </div>
      {begin.trouble.value !== null && <TroubleNotice trouble={begin.trouble.value} />}
    </section>
  );
}

/** Who is about to pay for a list again is told where it is. */
function Earlier({ list: { id, createdAt, totals }, progress: { answered } }: NonNullable<Counted['earlier']>) {
  const isDone = answered >= totals.addresses;
  return (
    <Notice tone="doubt" title={`You have these very addresses in a list of ${atMoment(createdAt)}`}>
      <p>
        {isDone
          ? 'They were verified there. Verifying them again costs again.'
          : `${count(answered)} of them are answered there, and are not paid again if you go on there.`}
      </p>
      <a class="button" href={`/lists/${id}`}>
        {isDone ? 'Open its results' : 'Open that list'}
      </a>
    </Notice>
  );
}

function NoAddresses({ draft: { sample, choice }, rows }: { readonly draft: Draft; readonly rows: number }) {
  if (rows === 0 && choice.hasHeader)
    return (
      <Notice tone="doubt" title="The only row was read as the names of columns">
        <p>If it holds an address, clear “The first row names the columns”.</p>
      </Notice>
    );
  const isOneColumn = sample.every((row) => row.length <= 1);
  return (
    <Notice tone="doubt" title="No addresses in this column">
      <p>{isOneColumn ? 'Nothing in this file looks like an address.' : 'Choose the column that has them.'}</p>
    </Notice>
  );
}
