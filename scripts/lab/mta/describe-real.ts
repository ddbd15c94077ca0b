import { beforeAll, afterAll, describe, test } from 'vitest';
import { startMailWorld, type MailWorld } from './mail-world.ts';
import { findPrograms } from './packages.ts';
import type { Needs } from '../../testing/reporters.ts';

/**
 * A suite on real mail and name servers, which run while it does; `world()` is theirs, for use inside the tests.
 * Where they are not installed the suite is skipped, which the end of the run says; in CI it fails.
 */
export function describeReal(name: string, suite: (world: () => MailWorld) => void): void {
  const installed = findPrograms();
  if (installed.kind === 'missing') {
    const meta: Needs = { needs: installed.why };
    if (process.env['CI'] === undefined) describe.skip(name, { meta }, () => suite(notStarted));
    else test(name, () => Promise.reject(new Error(installed.why)));
    return;
  }
  describe(name, () => {
    let running: MailWorld | null = null;
    beforeAll(async () => {
      running = await startMailWorld(installed.programs);
    });
    afterAll(() => running?.stop());
    suite(() => running ?? notStarted());
  });
}

function notStarted(): never {
  throw new Error('the mail world runs only inside the tests of its suite');
}
