import { expect, test } from 'vitest';
import { checkCredits } from './plan.ts';

const PLAN = {
  input: 'list',
  column: 'email',
  unclear: 0,
  rows: 3,
  addresses: 3,
  distinct: 3,
  known: 0,
  knownDistinct: 0,
  spent: 0,
  rounds: 1,
};

test.each([
  [3, null, true],
  [2, null, false],
  [2, 2, true],
  [2, 3, false],
])('with %i credits, a ceiling of %s and a price of 3, that a run may begin is %s', (credits, maxCredits, mayBegin) => {
  const check = (): void => checkCredits({ ...PLAN, creditsAtMost: 3, credits, maxCredits });
  if (mayBegin) expect(check).not.toThrow();
  else expect(check).toThrow('this may cost 3');
});
