import { mkdtemp, rm } from 'node:fs/promises';
import { tmpdir } from 'node:os';
import { join } from 'node:path';
import { Command, InvalidArgumentError } from 'commander';
import { type Figures, type Look, measure, OWN_HOLDS } from './measure.ts';

const REQUESTS_PER_S = 50;
const DAY_S = 86_400;
/** Holds stay for 7 days, and a day may be under way. */
const DAYS_KEPT = 8;
const D1_LIMIT_GB = 10;
/** After the closing a hold may take so many times what it takes in an empty database. */
const HOLD_RATIO_MAX = 1.25;
const TURN_MAX_MS = 5_000;

type Options = { readonly scale: number; readonly accounts: number };

/** `bench ledger`: a year of requests in D1, before and after the books are closed on it. */
export function ledgerCommand(): Command {
  return new Command('ledger')
    .description('a year of requests in D1, scaled down: its size, the cron and a hold, before and after the closing')
    .option('--scale <n>', `1 of how many of the requests of a year at ${REQUESTS_PER_S} a second`, whole, 1_000)
    .option('--accounts <n>', 'how many accounts', whole, 200)
    .action(async ({ scale, accounts }: Options) => {
      const folder = await mkdtemp(join(tmpdir(), 'rcpt-ledger-'));
      try {
        const requests = Math.round((365 * DAY_S * REQUESTS_PER_S) / scale);
        const figures = await measure(folder, requests, accounts);
        const rows = rowsOf(figures, scale);
        process.stdout.write(table(rows));
        if (rows.some(({ holds }) => holds === false)) process.exitCode = 1;
      } finally {
        await rm(folder, { recursive: true, force: true });
      }
    });
}

type Row = { readonly what: string; readonly before: string; readonly after: string; readonly holds?: boolean };

function rowsOf(figures: Figures, scale: number): readonly Row[] {
  const { before, after, closing, requests } = figures;
  const perRequest = before.bytes / requests;
  const dayRows = after.rows - after.holds * (before.rows / before.holds);
  const fullGb = (DAYS_KEPT * DAY_S * REQUESTS_PER_S * perRequest) / 1e9;
  return [
    {
      what: `requests of a year, 1 of ${scale}`,
      before: String(requests),
      after: `${after.holds} kept`,
      holds: after.holds <= (requests * DAYS_KEPT) / 365 + OWN_HOLDS,
    },
    {
      what: 'ledger rows',
      before: String(before.rows),
      after: `${after.rows}, ${Math.round(dayRows)} of them for accounts, kinds and days that are over`,
    },
    { what: 'in use of the database', before: mb(before.bytes), after: mb(after.bytes) },
    { what: 'a request takes', before: `${Math.round(perRequest)} bytes`, after: '' },
    {
      what: `the same at full scale: ${DAYS_KEPT} days of requests (computed)`,
      before: `${((perRequest * requests * scale) / 1e9).toFixed(0)} GB a year`,
      after: `${fullGb.toFixed(1)} GB, and ${mb(after.bytes)} for what is closed`,
      holds: fullGb < D1_LIMIT_GB,
    },
    { what: 'the whole ledger summed, as the audit did', before: ms(before.sumAllMs), after: ms(after.sumAllMs) },
    {
      what: 'a turn of the cron: sweep, closing, audit (p50, most)',
      before: '',
      after: `${ms(after.turnMs.p50)}, ${ms(after.turnMs.most)}`,
      holds: after.turnMs.most < TURN_MAX_MS,
    },
    {
      what: `such a turn with a year to catch up on (${closing.turns} turns; p50, most)`,
      before: `${ms(closing.turnMs.p50)}, ${ms(closing.turnMs.most)}`,
      after: '',
      holds: closing.turnMs.most < TURN_MAX_MS,
    },
    { what: '3,000 requests closed: a minute of 50 a second', before: ms(closing.minuteMs), after: '' },
    {
      what: 'a hold (p50), beside one in an empty database',
      before: hold(before),
      after: hold(after),
      holds: after.holdRatio <= HOLD_RATIO_MAX,
    },
    { what: "an account's statement, 100 rows", before: ms(before.statementMs), after: ms(after.statementMs) },
  ];
}

function table(rows: readonly Row[]): string {
  const lines = rows.map(({ what, before, after, holds }) => {
    const verdict = holds === undefined ? '' : holds ? 'yes' : 'NO';
    return `| ${what} | ${before} | ${after} | ${verdict} |`;
  });
  return ['| what | before | after | holds |', '|---|---|---|---|', ...lines, ''].join('\n');
}

function hold({ holdMs, holdRatio }: Look): string {
  return `${holdMs.toFixed(2)} ms, ${holdRatio.toFixed(2)} x`;
}

function mb(bytes: number): string {
  return `${(bytes / 1e6).toFixed(0)} MB`;
}

function ms(time: number): string {
  return `${time.toFixed(0)} ms`;
}

function whole(text: string): number {
  if (!/^[1-9]\d{0,8}$/.test(text)) throw new InvalidArgumentError('must be a whole number above 0');
  return Number(text);
}
