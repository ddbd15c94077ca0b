import { expect, test } from 'vitest';
import { memoryJournal } from '../../../schema/client/journal/journal.ts';
import { addresses, clientOf, ScriptedService } from '../../../schema/client/testing/scripted-service.ts';
import { appendedTo } from '../../../schema/lists/columns/result-columns.ts';
import { Failure } from '../failure/failure.ts';
import { openTable } from '../table/open-table.ts';
import { readList } from './list.ts';
import type { Output } from './output.ts';
import { type Job, runJob } from './run.ts';

// Everything is in memory here, so that a run that waits for nothing more has ended some turns later.

const QUIET = {
  inform: () => {},
  plan: () => {},
  begin: () => {},
  pause: () => {},
  summary: () => {},
  end: () => {},
};
const READING = { format: null, encoding: null, delimiter: null, sheet: null, hasHeader: false };

async function jobFor(emails: readonly string[], service: ScriptedService): Promise<Job> {
  const bytes = new TextEncoder().encode(emails.map((email) => `${email}\n`).join(''));
  const source = { name: 'list', size: bytes.length, read: async (from: number, to: number) => bytes.slice(from, to) };
  const table = await openTable(source, READING, () => {});
  const stop = new AbortController().signal;
  const list = await readList(table, { column: null, only: null, check: () => {} }, stop);
  const account = {
    input: 'list',
    column: 'email',
    rows: list.rows,
    unclear: 0,
    excluded: 0,
    distinct: list.rows,
    known: 0,
    credits: null,
  };
  return {
    client: clientOf(service),
    table,
    list,
    plan: {
      ...account,
      addresses: list.rows,
      creditsAtMost: list.rows,
      maxCredits: null,
      spent: 0,
      rounds: 1,
      knownDistinct: 0,
    },
    form: { format: 'csv', style: table.style, layout: appendedTo(table.names), escapesTheirs: false },
    journal: {
      path: 'journal',
      journal: memoryJournal(),
      has: () => false,
      check: async () => {},
      isEmpty: () => false,
      end: async () => {},
    },
    rounds: 1,
    maxCredits: null,
    report: QUIET,
    isStreamed: true,
    stop,
  };
}

const turns = async (count: number): Promise<void> => {
  for (let turn = 0; turn < count; turn += 1) await new Promise((resolve) => setImmediate(resolve));
};

/** Where nothing can be written any more: the disk is full, or the reader has gone. */
function fullOutput(when: Promise<void>): { readonly output: Output; readonly refused: Promise<void> } {
  const { promise: refused, resolve } = Promise.withResolvers<void>();
  const write = async (): Promise<void> => {
    await when;
    resolve();
    throw new Failure('output', 'out.csv cannot be written (ENOSPC).');
  };
  return { output: { write, commit: async () => {}, abandon: async () => {} }, refused };
}

test('a run whose output is gone asks nothing more, and ends when all that it paid for is in the journal', async () => {
  const emails = addresses(4_000);
  const service = new ScriptedService();
  const second = Promise.withResolvers<void>();
  const gate = Promise.withResolvers<void>();
  // The first request is answered, so that there are rows; the second is under way when they cannot be written.
  service.answers = async (asked, nth) => {
    if (nth > 0) {
      second.resolve();
      await gate.promise;
    }
    return service.answer(asked);
  };
  const job = await jobFor(emails, service);
  const { output, refused } = fullOutput(second.promise);
  let hasEnded = false;
  const run = runJob(job, async () => output).finally(() => (hasEnded = true));
  await refused;
  await turns(200);
  const begun = service.requests.length;
  expect([hasEnded, service.inFlight]).toEqual([false, begun - 1]);
  gate.resolve();
  expect(await run).toMatchObject({ failure: { ending: 'output' }, isWritten: false });
  const known = await Promise.all(emails.map(async (_, place) => (await job.journal?.journal.known(place)) ?? null));
  expect(known.filter((record) => record !== null)).toHaveLength(service.charged);
  expect([service.requests.length, service.charged < 4_000]).toEqual([begun, true]);
});

test('a run whose journal another has taken over writes no output', async () => {
  const job = await jobFor(addresses(10), new ScriptedService());
  const { journal } = job;
  if (journal === null) throw new Error('There is no journal.');
  const did: string[] = [];
  const note = (what: string) => async (): Promise<void> => void did.push(what);
  const output = { write: note('write'), commit: note('commit'), abandon: note('abandon') };
  const ended = await runJob(
    { ...job, isStreamed: false, journal: { ...journal, check: takenOver } },
    async () => output,
  );
  expect(ended).toMatchObject({ isWritten: false, failure: { ending: 'output' } });
  expect(did).toEqual(['write', 'abandon']);
});

function takenOver(): Promise<void> {
  return Promise.reject(new Failure('output', 'The journal is in use by another run.'));
}
