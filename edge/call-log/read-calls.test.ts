import { expect, test } from 'vitest';
import { newCallId } from '../base/call.ts';
import { openTestDatabase } from '../testing/sqlite-d1.ts';
import { readCalls } from './read-calls.ts';
import { keepCalls } from './ring.ts';

const FORMS = 6_000;

test('checks of forms, however many, push out none of the account’s own calls, and nor do old ones show', async () => {
  const { db, put, now } = openTestDatabase();
  put('accounts', { id: 'acme', name: '', created_at: 0 });
  const call = (agoMs: number, isOfForm: boolean): string => {
    const [at, id] = [now() - agoMs, newCallId(now() - agoMs, isOfForm)];
    put('holds', {
      id,
      account_id: 'acme',
      credits: 2,
      opened_at: at,
      expires_at: at,
      closed_by: 'settle',
      closed_at: at,
      returned: 1,
      status: 200,
      ms: 5,
    });
    put(
      'ledger',
      { account_id: 'acme', ref_id: id, kind: 'hold', delta: -2, at },
      { account_id: 'acme', ref_id: id, kind: 'return', delta: 1, at },
    );
    return id;
  };
  const own = Array.from({ length: 1_100 }, (_, n) => call(5 * 86_400_000 + n, false));
  for (let n = 0; n < FORMS; n += 1) call(n, true);
  call(8 * 86_400_000, false);
  // The hold of the latest own call seemed lost, so that it was noted like one without credits.
  const noted = {
    at: now(),
    id: own[0] ?? '',
    hint: 'k3Xq',
    status: 500,
    code: 'INTERNAL_ERROR',
    entries: 2,
    ms: 9,
    times: 1,
  };
  await keepCalls(db, { account: '', ring: 'own' }, [noted]).run();
  const calls = await readCalls(db, { accountId: 'acme', limiter: '' });
  expect(calls.length).toBe(2_000);
  expect(calls.slice(1_000).map(({ id }) => id)).toEqual(own.slice(0, 1_000));
  expect(calls[0]).toMatchObject({ status: 200, charged: 1, returned: 1, ms: 5, times: 1 });
});
