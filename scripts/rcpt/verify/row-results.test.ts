import { expect, test } from 'vitest';
import { resultOf } from '../../../schema/client/testing/scripted-service.ts';
import { RowResults } from './row-results.ts';

const answer = (asked: number) => ({ result: resultOf('a@x.test'), asked });

test('an answer is waited for, and given once unless its address stands in several places', async () => {
  for (const keeps of [false, true]) {
    const results = new RowResults(keeps);
    const second = results.receive(1);
    expect(results.has(1)).toBe(false);
    results.add(0, answer(1));
    results.add(1, answer(2));
    expect(await second).toEqual(answer(2));
    expect([results.has(0), results.has(1)]).toEqual([true, keeps]);
    expect(await results.receive(0)).toEqual(answer(1));
    expect(results.has(0)).toBe(keeps);
    results.end();
    expect(await results.receive(0)).toEqual(keeps ? answer(1) : null);
  }
});

test('a reader learns whether anything came, and waits for nothing after the end', async () => {
  const some = new RowResults(false);
  const begun = some.begun();
  some.add(7, answer(1));
  expect(await begun).toBe(true);
  const none = new RowResults(false);
  const nothing = none.begun();
  none.end();
  expect([await nothing, none.has(3), await none.receive(3), await none.begun()]).toEqual([false, true, null, false]);
  const late = new RowResults(false);
  const missing = late.receive(3);
  late.end();
  expect(await missing).toBe(null);
});
