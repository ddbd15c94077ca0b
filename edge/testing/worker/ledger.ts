import * as z from 'zod';
import { audit } from '../../ledger/audit.ts';
import { closeBooks, closeChunk } from '../../ledger/close-books.ts';
import { correct } from '../../ledger/correct.ts';
import { grant } from '../../ledger/grant.ts';
import { hold, proveKey } from '../../ledger/hold.ts';
import { settle } from '../../ledger/settle.ts';
import { sweep } from '../../ledger/sweep.ts';
import { losingD1 } from './losing-d1.ts';
import { readState, reset, shiftTime } from './ledger-state.ts';
import {
  accountId,
  accountOfBatch,
  addressesOf,
  batchId,
  HOLDS_KEPT_MS,
  lastsMsOf,
  type OperationResult,
  type Operation,
  priceOf,
  type Result,
  type Step,
  stepSchema,
} from './ledger-steps.ts';

// The ledger alone, on the real D1: carries out a sequence of steps, and reports after each what was answered and what
// D1 then holds.

export { Alarms } from '../../alarms/alarms.ts';
export { Limiter } from '../../limiter/limiter.ts';
export { Fleet } from './fleet.ts';

// The pauses between attempts are not under test.
const { setTimeout: atItsTime } = globalThis;
Object.assign(globalThis, { setTimeout: (run: () => void) => atItsTime(run, 0) });

export default {
  async fetch(request, env): Promise<Response> {
    const steps = z.array(stepSchema).parse(await request.json());
    await reset(env.DB);
    const result: Result = [];
    for (const step of steps) {
      const answers = await runStep(env.DB, step);
      result.push({ answers, state: await readState(env.DB) });
    }
    return Response.json(result);
  },
} satisfies ExportedHandler<{ readonly DB: D1Database }>;

async function runStep(db: D1Database, step: Step): Promise<OperationResult[]> {
  if (step.kind === 'together') return Promise.all(step.operations.map((operation) => attempt(db, operation)));
  await shiftTime(db, step.ms);
  return [];
}

async function attempt(db: D1Database, operation: Operation): Promise<OperationResult> {
  try {
    return await carryOut('faults' in operation ? losingD1(db, operation.faults) : db, operation);
  } catch (error) {
    return { kind: String(error).includes('Network connection lost') ? 'lost' : 'refused' };
  }
}

async function carryOut(db: D1Database, operation: Operation): Promise<OperationResult> {
  switch (operation.kind) {
    case 'grant': {
      const { account, id, credits } = operation;
      const purchase = { accountId: accountId(account), purchaseId: `id-${id}`, credits, nowMs: Date.now() };
      return known(await grant(db, purchase));
    }
    case 'correct': {
      const { account, id, credits } = operation;
      const answer = await correct(db, { accountId: accountId(account), correctionId: `id-${id}`, credits });
      if (answer.kind === 'another_difference') throw new Error('Both sides were to be corrected');
      return known(answer);
    }
    case 'hold': {
      const { batch, key, maxInFlight } = operation;
      const keyHash = keyOf(accountOfBatch(batch), key);
      const request = { batchId: batchId(batch), credits: priceOf(batch), lastsMs: lastsMsOf(batch) };
      const addresses = addressesOf(batch);
      const answer = await hold(db, { ...request, keyHash, markUsed: true, addresses, maxInFlight });
      switch (answer.kind) {
        case 'held':
          return { kind: 'held', accountId: answer.accountId };
        case 'unknown_key':
        case 'too_many_in_flight':
        case 'too_few_credits':
          return answer;
        case 'another_body':
        case 'in_progress':
        case 'too_many_attempts':
          throw new Error('no Idempotency-Key was sent');
        case 'capped':
          throw new Error('no key has a cap');
      }
    }
    case 'settle':
      return settled(db, [[operation.batch, operation.back]]);
    case 'settleTogether':
      return settled(db, operation.batches);
    case 'prove': {
      const proof = await proveKey(db, keyOf(operation.account, operation.key));
      return proof === null ? { kind: 'unknown_key' } : { kind: 'proven', ...proof };
    }
    case 'deleteKey':
      await db.prepare('DELETE FROM api_keys WHERE hash = ?').bind(keyOf(operation.account, operation.key)).run();
      return { kind: 'done' };
    case 'sweep':
      return { kind: 'swept', holds: await sweep(db) };
    case 'close': {
      const { after, through } = operation;
      const chunk = { after: after < 0 ? '' : batchId(after), through: batchId(through) };
      return { kind: 'closed', holds: await closeChunk(db, { ...chunk, beforeMs: Date.now() - HOLDS_KEPT_MS }) };
    }
    case 'closeAll':
      return { kind: 'closed', holds: await closeBooks(db, { holdsPerChunk: 2, chunks: 9 }) };
    case 'audit': {
      const wrong = new Set<string>();
      for (let run = 0; run < 8; run += 1)
        for (const { accountId: name } of await audit(db, { rows: 4, worthOf: 1 })) wrong.add(name);
      return { kind: 'audited', wrong: [...wrong] };
    }
  }
}

async function settled(
  db: D1Database,
  batches: ReadonlyArray<readonly [batch: number, back: number]>,
): Promise<OperationResult> {
  const closed = await settle(
    db,
    batches.map(([batch, back]) => ({ batchId: batchId(batch), back })),
  );
  return { kind: 'settled', now: [...closed].toSorted() };
}

function known<T extends { readonly kind: string }>(answer: T): Exclude<T, { readonly kind: 'unknown_account' }> {
  if (isKnown(answer)) return answer;
  throw new Error('The account is gone');
}

function isKnown<T extends { readonly kind: string }>(
  answer: T,
): answer is Exclude<T, { readonly kind: 'unknown_account' }> {
  return answer.kind !== 'unknown_account';
}

function keyOf(account: number, key: number): string {
  return `key-${account}-${key}`;
}
