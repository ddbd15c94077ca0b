import { test } from 'vitest';
import { given } from './service.ts';

/**
 * Where a claim can be tested: with any URL and key; where an operator's key is given too; on the sandbox of `npm start`
 * only, where the suite may also start a service with other variables.
 */
export type Needs = 'any key' | 'operator' | 'sandbox';

/** A sentence of the interface as a test. */
export function claim(section: string, sentence: string, needs: Needs, run: () => Promise<void>): void {
  test(`${section}: ${sentence}`, async (context) => {
    const { isSandbox, operatorKey } = given();
    context.skip(needs === 'sandbox' && !isSandbox, 'needs the sandbox of npm start');
    context.skip(needs === 'operator' && operatorKey === null, 'needs RCPT_OPERATOR_KEY');
    await run();
  });
}
