import { indexedDbJournal } from '../../../schema/client/browser/indexed-db-journal.ts';
import type { Open } from '../../../schema/words/open.ts';
import { notAnAddress, type OpenResult } from '../../../schema/words/result.ts';
import type { Status } from '../../../schema/words/verdicts.ts';
import { BYTE_ORDER_MARK, csvLine, harmless } from '../../../schema/lists/writing/csv.ts';
import { explain } from '../../../schema/words/cases.ts';
import { breather } from './reading/breather.ts';
import type { ListRun } from './run/list-run.ts';
import { BROKEN } from './content/survey.ts';

/** What stands behind the list's own columns. */
const COLUMNS = [
  'rcpt_status',
  'rcpt_score',
  'rcpt_result',
  'rcpt_reason',
  'rcpt_meaning',
  'rcpt_smtp_code',
  'rcpt_smtp_enhanced_code',
  'rcpt_catch_all',
  'rcpt_disposable',
  'rcpt_role_based',
  'rcpt_free_provider',
  'rcpt_did_you_mean',
] as const;

function cellsOf(result: OpenResult): string[] {
  return [
    result.status,
    String(result.score),
    result.result,
    result.reason ?? '',
    explain(result).title,
    String(result.smtp_code ?? ''),
    result.smtp_enhanced_code ?? '',
    String(result.catch_all),
    String(result.disposable),
    String(result.role_based),
    String(result.free_provider),
    result.did_you_mean ?? '',
  ];
}

/**
 * The list with its own columns and ours, row by row as it was, with the rows whose status is wanted.
 * @param isWanted null stands for rows without an answer, which have no status
 * @throws RcptError while the list is being verified
 */
export async function exportList(run: ListRun, isWanted: (status: Open<Status> | null) => boolean): Promise<Blob> {
  const { list, survey, table } = run;
  if (table === null) throw new Error('The file has not been read yet.');
  const results = await resultsOf(list.id, survey.addresses.length);
  const parts: string[] = [BYTE_ORDER_MARK];
  const broken = cellsOf(notAnAddress(''));
  const nothing = COLUMNS.map(() => '');
  let index = list.choice.hasHeader ? -1 : 0;
  for await (const rows of table.rows()) {
    const wanted: string[][] = [];
    for (const row of rows) {
      if (index < 0) {
        wanted.push([...filled(row, survey.width), ...COLUMNS]);
        index += 1;
        continue;
      }
      const place = survey.placeOf(index);
      index += 1;
      const known = place === BROKEN ? { status: 'invalid' as const, cells: broken } : results(place);
      if (!isWanted(known?.status ?? null)) continue;
      wanted.push([...filled(row, survey.width), ...(known?.cells ?? nothing)]);
    }
    const lineOf = (row: readonly string[]) => csvLine(row.map(harmless), table.style.delimiter, '\r\n');
    if (wanted.length > 0) parts.push(wanted.map(lineOf).join(''));
  }
  return new Blob(parts, { type: 'text/csv;charset=utf-8' });
}

/** Short rows are filled up, so that our columns stand below their names. */
function filled(row: readonly string[], width: number): string[] {
  return [...row, ...Array.from({ length: width - row.length }, () => '')];
}

type Known = { readonly status: Open<Status>; readonly cells: readonly string[] };

/** Every result that is known, by address; results that are alike are kept once. */
async function resultsOf(id: string, size: number): Promise<(place: number) => Known | null> {
  const kinds: Known[] = [];
  const numbers = new Map<string, number>();
  const kindOf = new Int32Array(size).fill(-1);
  const journal = indexedDbJournal(id);
  await journal.open(null);
  try {
    const breathe = breather();
    for (let index = 0; index < size; index += 1) {
      const record = await journal.known(index);
      if (record === null) continue;
      const cells = cellsOf(record.result);
      const name = cells.join('\n');
      let number = numbers.get(name);
      if (number === undefined) {
        number = kinds.push({ status: record.result.status, cells }) - 1;
        numbers.set(name, number);
      }
      kindOf[index] = number;
      await breathe();
    }
  } finally {
    await journal.close();
  }
  return (place) => kinds[kindOf[place] ?? -1] ?? null;
}

/** `customers.xlsx` → `customers-verified.csv` */
export function exportName(name: string): string {
  return `${name.replace(/\.[^.]*$/, '')}-verified.csv`;
}
