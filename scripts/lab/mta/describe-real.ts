import { existsSync } from 'node:fs';
import { fileURLToPath } from 'node:url';
import { beforeAll, afterAll, describe, test } from 'vitest';
import type { Needs } from '../../testing/reporters.ts';
import { startMailWorld, type MailWorld } from './mail-world.ts';
import { PROGRAMS } from './programs.ts';

/** What a suite needs besides programs. */
export const ROOT = 'root (the servers change users)';
const isHere = (need: string) => (need === ROOT ? process.getuid?.() === 0 : existsSync(need));

/** What is missing on this machine, and how to get it, in one line; null: nothing. */
function whatIsMissing(needs: readonly string[]): string | null {
  const missing = needs.filter((need) => !isHere(need));
  if (missing.length === 0) return null;
  return `${missing.join(', ')} (on Debian 12, as root: ${fileURLToPath(new URL('install.sh', import.meta.url))})`;
}

/**
 * A suite that needs these. Where one is missing it is skipped, which the end of the run says; in CI it fails.
 * @param concurrent whether it runs beside the others that are
 */
export function describeWith(needs: readonly string[], name: string, suite: () => void, concurrent = false): void {
  const why = whatIsMissing(needs);
  if (why === null) {
    describe(name, { concurrent }, suite);
    return;
  }
  const meta: Needs = { needs: why };
  if (process.env['CI'] === undefined) describe.skip(name, { meta }, suite);
  else test(name, () => Promise.reject(new Error(why)));
}

/** A suite on Postfix, Exim and a name server, which run while it does; `world()` is theirs, for use inside the tests. */
export function describeReal(name: string, suite: (world: () => MailWorld) => void): void {
  describeWith([...Object.values(PROGRAMS), ROOT], name, () => {
    let running: MailWorld | null = null;
    beforeAll(async () => {
      running = await startMailWorld();
    });
    afterAll(() => running?.stop());
    suite(() => running ?? notStarted());
  });
}

function notStarted(): never {
  throw new Error('the mail world runs only inside the tests of its suite');
}
