import { expect, test } from 'vitest';
import { NO_COST } from '../journal/requests.ts';
import { Budget } from './budget.ts';

test('a request holds as many credits as it has entries until its cost is known', () => {
  const budget = new Budget(100);
  const [one, other] = [budget.hold(30), budget.hold(20)];
  expect([budget.left, budget.spent]).toEqual([50, NO_COST]);
  one.settle({ charged: 25, returned: 5, unsure: 0 });
  expect([budget.left, budget.spent]).toEqual([55, { charged: 25, returned: 5, unsure: 0 }]);
  other.settle(NO_COST);
  expect(budget.left).toBe(75);
});

test('what a request may have cost is in doubt once, however many of its attempts were lost, and until it is settled', () => {
  const budget = new Budget(100);
  budget.hold(10);
  const hold = budget.hold(30);
  hold.doubt();
  hold.doubt();
  expect([budget.left, budget.spent]).toEqual([60, { ...NO_COST, unsure: 30 }]);
  hold.settle({ charged: 20, returned: 0, unsure: 3 });
  expect([budget.left, budget.spent]).toEqual([67, { charged: 20, returned: 0, unsure: 3 }]);
});

test('what earlier runs have spent counts, that which is not sure too; a ceiling below it leaves less than nothing', () => {
  const budget = new Budget(50);
  budget.add({ charged: 30, returned: 2, unsure: 10 });
  expect([budget.left, budget.spent]).toEqual([10, { charged: 30, returned: 2, unsure: 10 }]);
  budget.add({ charged: 20, returned: 0, unsure: 0 });
  expect(budget.left).toBe(-10);
});
