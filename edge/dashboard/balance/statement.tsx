import { csvLine, harmless } from '../../../schema/lists/writing/csv.ts';
import type { PageStatement, StatementRow } from '../../../schema/pages-api.ts';
import { call } from '../session/api.ts';
import { usePages } from '../parts/pages.ts';
import { download } from '../download/save.ts';
import { useAction } from '../parts/action.ts';
import { Loaded, TroubleNotice } from '../parts/loaded.tsx';
import { More } from '../parts/more.tsx';
import { numbers, Table } from '../parts/table.tsx';
import { LEDGER_WORDS } from '../words/ledger.ts';
import { atMoment, count, signed } from '../words/numbers.ts';
import { explanationOf, recordOf, STATEMENT_COLUMNS } from './entries.ts';

const PAGE_ROWS = 50;
/** A file of the whole statement stops here: 50 pages of the most that one answer has. */
const FILE_PAGES_MAX = 50;

function read(limit: number, before: string | null): Promise<PageStatement> {
  const query = new URLSearchParams({ limit: String(limit), ...(before === null ? {} : { before }) });
  return call<PageStatement>('GET', `statement?${query.toString()}`);
}

/** Every credit that came and went, each with its reason. */
export function Statement() {
  const { load, reload, more } = usePages((before) => read(PAGE_ROWS, before));
  const save = useAction(saveAll);
  return (
    <section aria-labelledby="statement-title">
      <div class="row">
        <h2 id="statement-title">Statement</h2>
        <button type="button" class="quiet no-print" disabled={save.isBusy.value} onClick={() => void save.run()}>
          CSV
        </button>
        <button type="button" class="quiet no-print" onClick={() => print()}>
          Print or PDF
        </button>
      </div>
      {save.trouble.value !== null && <TroubleNotice trouble={save.trouble.value} />}
      <Loaded load={load} reload={reload}>
        {(pages) => {
          const rows = pages.flatMap((page) => page.rows);
          if (rows.length > 0) return <Rows rows={rows} />;
          return <p class="soft">Nothing yet. Every purchase, verification and return will be listed here.</p>;
        }}
      </Loaded>
      <More more={more} words="Show older" />
    </section>
  );
}

function Rows({ rows }: { readonly rows: readonly StatementRow[] }) {
  return (
    <Table
      named={{ by: 'statement-title' }}
      columns={['When', 'What', numbers('Credits'), numbers('Balance')]}
      kind="statement"
    >
      {rows.map((row) => (
        <tr key={`${row.kind}:${row.ref}`}>
          <td class="soft">{atMoment(row.at)}</td>
          <td class="what">
            {LEDGER_WORDS[row.kind]}
            <span class="soft">{explanationOf(row)}</span>
          </td>
          <td class={row.delta > 0 ? 'number plus' : 'number'}>{signed(row.delta)}</td>
          <td class="number">{count(row.balance)}</td>
        </tr>
      ))}
    </Table>
  );
}

async function saveAll(): Promise<void> {
  const rows: string[][] = [[...STATEMENT_COLUMNS]];
  let before: string | null = null;
  for (let page = 0; page < FILE_PAGES_MAX; page += 1) {
    const answer: PageStatement = await read(500, before);
    rows.push(...answer.rows.map(recordOf));
    before = answer.next;
    if (before === null) break;
  }
  const lines = rows.map((row) => csvLine(row.map(harmless), ',', '\r\n'));
  download(new Blob(lines, { type: 'text/csv;charset=utf-8' }), 'rcpt-statement.csv');
}
