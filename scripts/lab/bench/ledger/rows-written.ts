import { slotIndex } from '../../../../edge/base/indexes.ts';
import { newCallId } from '../../../../edge/base/call.ts';
import { closeBooks } from '../../../../edge/ledger/close-books.ts';
import { hold } from '../../../../edge/ledger/hold.ts';
import { holdAttempt } from '../../../../edge/ledger/hold-attempt.ts';
import { settle } from '../../../../edge/ledger/settle.ts';
import { dropOldIdempotencyKeys } from '../../../../edge/ledger/settle-attempt.ts';
import type { Stage } from '../edge/stage.ts';

// What a call for one address writes, statement by statement, as D1 counts it: a row, and an entry of each index that gets one.

type Database = Stage['dbs'][number];
/** By step, and what the statement does to which table. */
type Written = Map<string, number>;
const CALLS = 20;
const LASTS_MS = 210_000;
const USAGE = { keyId: 'key', valid: 1, risky: 0, invalid: 0, unknown: 0 };
const NO_MORE = 0.999;

/** The database, with what its batches write added to `written`. */
function counting(db: Database, step: string, written: Written): Database {
  const count = (sql: unknown, meta: { readonly rows_written: number }): void => {
    const [, verb = '?', table = '?'] = /(INSERT INTO|UPDATE|DELETE FROM) (\w+)/.exec(String(sql)) ?? [];
    const name = `${step} | ${verb.split(' ')[0]} ${table}`;
    if (meta.rows_written > 0) written.set(name, (written.get(name) ?? 0) + meta.rows_written / CALLS);
  };
  return new Proxy(db, {
    get(target, name) {
      const value: unknown = Reflect.get(target, name, target);
      if (name !== 'batch') return typeof value === 'function' ? value.bind(target) : value;
      return async (statements: Parameters<Database['batch']>[0]) => {
        const results = await target.batch(statements);
        for (const [at, { meta }] of results.entries()) count(Reflect.get(statements[at] ?? {}, 'sql'), meta);
        return results;
      };
    },
  });
}

type Kind = 'charged' | 'returned' | 'with an Idempotency-Key';

async function writtenBy(db: Database, keyHash: string, kind: Kind): Promise<Written> {
  const written: Written = new Map();
  const back = kind === 'returned' ? 1 : 0;
  for (let n = 0; n < CALLS; n += 1) {
    const batchId = newCallId(Date.now());
    const asked = { batchId, keyHash, markUsed: false, addresses: 1, maxInFlight: 10_000, lastsMs: LASTS_MS };
    const holding = counting(db, 'hold', written);
    const settling = counting(db, 'settlement', written);
    if (kind !== 'with an Idempotency-Key') {
      await hold(holding, { ...asked, credits: 1 });
      await settle(settling, [{ batchId, back, usage: USAGE }]);
      continue;
    }
    const idempotency = { keyHash: batchId, bodyHash: 'body', list: 'a list' };
    const held = await holdAttempt(holding, { ...asked, idempotency, billable: [slotIndex(0)], elements: 1 });
    if (held.kind !== 'held') throw new Error(`a hold of the bench was ${held.kind}`);
    const attempt = { accountId: held.accountId, keyHash: batchId, charged: '1', isVoid: false };
    await settle(settling, [{ batchId, back, usage: USAGE, attempt }]);
  }
  await db.batch([
    db.prepare('UPDATE holds SET closed_at = 0, opened_at = 0, expires_at = 0'),
    db.prepare('UPDATE idempotency_keys SET begun_at = 0'),
  ]);
  await closeBooks(counting(db, 'books closed', written));
  await dropOldIdempotencyKeys(db);
  return written;
}

/** A table of the rows that each kind of call writes, and how many in all. */
export async function rowsWritten(db: Database, keyHash: string): Promise<readonly string[]> {
  await closeBooks(db);
  const kinds: readonly Kind[] = ['charged', 'returned', 'with an Idempotency-Key'];
  const counted: Written[] = [];
  for (const kind of kinds) counted.push(await writtenBy(db, keyHash, kind));
  // Sums of a day are a few rows, however many calls there were.
  const names = [...new Set(counted.flatMap((written) => [...written.keys()]))].filter((name) =>
    counted.some((written) => (written.get(name) ?? 0) >= NO_MORE),
  );
  const all = counted.map((written) =>
    names.reduce((sum, name) => sum + Math.floor((written.get(name) ?? 0) + 0.01), 0),
  );
  return [
    `| rows of a call | statement | ${kinds.join(' | ')} |`,
    '|---|---|---|---|---|',
    ...names.map(
      (name) => `| ${name} | ${counted.map((one) => Math.floor((one.get(name) ?? 0) + 0.01)).join(' | ')} |`,
    ),
    `| in all | | ${all.join(' | ')} |`,
  ];
}
