import { useState } from 'preact/hooks';
import { csvLine, harmless } from '../../../schema/lists/writing/csv.ts';
import type { PageStatement, StatementRow } from '../../../schema/pages-api.ts';
import { call, Trouble } from '../session/api.ts';
import { useResource } from '../session/load.ts';
import { download } from '../download/save.ts';
import { useAction } from '../parts/action.ts';
import { Loaded, TroubleNotice } from '../parts/loaded.tsx';
import { numbers, Table } from '../parts/table.tsx';
import { atMoment, count, counted, duringMoments, signed } from '../words/numbers.ts';
import { explanationOf, LEDGER_WORDS, lineExplanation, recordOf, STATEMENT_COLUMNS } from './entries.ts';
import { deltaOf, linesOf, type StatementLine } from './lines.ts';
import { Button } from '../parts/button.tsx';

/** The most that one answer has: a list of 100,000 is some 400 rows, and one line. */
const ROWS_READ = 500;
/** A file stops after as many answers: an account is given 30 a minute. */
const ANSWERS_MAX = 20;

function read(before: string | null): Promise<PageStatement> {
  const query = new URLSearchParams({ limit: String(ROWS_READ), ...(before === null ? {} : { before }) });
  return call<PageStatement>('GET', `statement?${query.toString()}`);
}

/** Every credit added or spent, with its reason. */
export function Statement() {
  const { load, reload } = useResource(() => read(null));
  const more = useAction(async () => {
    if (load.value.state !== 'ready' || load.value.value.next === null) return;
    const { rows, next } = load.value.value;
    const older = await read(next);
    load.value = { state: 'ready', value: { rows: [...rows, ...older.rows], next: older.next } };
  });
  const save = useAction(saveAll);
  return (
    <section aria-labelledby="statement-title">
      <div class="row">
        <h2 id="statement-title">Statement</h2>
        <Button kind="quiet" words="CSV" run={save} />
      </div>
      {save.trouble.value !== null && <TroubleNotice trouble={save.trouble.value} />}
      <Loaded load={load.value} reload={() => void reload()}>
        {({ rows, next }) =>
          rows.length === 0 ? (
            <p class="soft">Nothing yet. Every purchase, verification and return will be listed here.</p>
          ) : (
            <>
              <Lines lines={linesOf(rows)} isWhole={next === null} />
              {next !== null && <Button kind="quiet" words="Show older" run={more} />}
            </>
          )
        }
      </Loaded>
      {more.trouble.value !== null && <TroubleNotice trouble={more.trouble.value} />}
    </section>
  );
}

function Lines({ lines, isWhole }: { readonly lines: readonly StatementLine[]; readonly isWhole: boolean }) {
  return (
    <>
      <p class="soft">
        A list is one line, and so are other requests within 15 minutes of each other. An address that was asked again
        is another check. The CSV file has every request.
      </p>
      <Table
        named={{ by: 'statement-title' }}
        columns={['When', 'What', numbers('Credits'), numbers('Balance')]}
        kind="statement"
      >
        {lines.map((line) => (
          <Line key={`${line.rows[0].kind}:${line.rows[0].ref}`} line={line} />
        ))}
      </Table>
      {!isWhole && <p class="soft">The last lines may be part of a list that began earlier.</p>}
    </>
  );
}

/** One line; unfolded, with its rows of the ledger. */
function Line({ line }: { readonly line: StatementLine }) {
  const [isOpen, setIsOpen] = useState(false);
  const { rows, verified } = line;
  const [newest] = rows;
  if (verified === null || rows.length === 1) return <Row row={newest} />;
  const when = duringMoments(rows.at(-1)?.at ?? newest.at, newest.at);
  return (
    <>
      <tr>
        <td class="soft">{when}</td>
        <td class="what">
          {LEDGER_WORDS.hold}
          <span class="below">{when}</span>
          <span class="soft">{lineExplanation(verified)}</span>
          <button type="button" class="fold" aria-expanded={isOpen} onClick={() => setIsOpen(!isOpen)}>
            {isOpen ? 'Hide' : 'Show'} {counted(rows.length, 'entry', 'entries')}
          </button>
        </td>
        <td class="number">{signed(deltaOf(line))}</td>
        <td class="number">{count(newest.balance)}</td>
      </tr>
      {isOpen && rows.map((row) => <Row key={`${row.kind}:${row.ref}`} row={row} kind="inner" />)}
    </>
  );
}

function Row({ row, kind }: { readonly row: StatementRow; readonly kind?: string }) {
  return (
    <tr class={kind}>
      <td class="soft">{atMoment(row.at)}</td>
      <td class="what">
        {LEDGER_WORDS[row.kind]}
        <span class="below">{atMoment(row.at)}</span>
        <span class="soft">{explanationOf(row)}</span>
      </td>
      <td class={row.delta > 0 ? 'number plus' : 'number'}>{signed(row.delta)}</td>
      <td class="number">{count(row.balance)}</td>
    </tr>
  );
}

async function saveAll(): Promise<void> {
  const rows: string[][] = [[...STATEMENT_COLUMNS]];
  let before: string | null = null;
  for (let answers = 0; answers < ANSWERS_MAX; answers += 1) {
    const answer: PageStatement = await read(before);
    rows.push(...answer.rows.map(recordOf));
    before = answer.next;
    if (before === null) break;
  }
  const lines = rows.map((row) => csvLine(row.map(harmless), ',', '\r\n'));
  download(new Blob(lines, { type: 'text/csv;charset=utf-8' }), 'rcpt-statement.csv');
  if (before !== null) throw new Trouble(`The file has the newest ${count(rows.length - 1)} entries alone.`, 0);
}
