import { existsSync } from 'node:fs';
import { fileURLToPath } from 'node:url';
import { beforeAll, afterAll, describe, test } from 'vitest';
import type { Needs } from '../../testing/reporters.ts';
import { startMailWorld, type MailWorld } from './mail-world.ts';
import { PROGRAMS } from './programs.ts';

/** What is missing on this machine, and how to get it, in one line; null: nothing. */
function whatIsMissing(): string | null {
  const missing: string[] = Object.values(PROGRAMS).filter((path) => !existsSync(path));
  if (process.getuid?.() !== 0) missing.push('root (the servers change users)');
  if (missing.length === 0) return null;
  return `${missing.join(', ')} (on Debian 12, as root: ${fileURLToPath(new URL('install.sh', import.meta.url))})`;
}

/**
 * A suite on real mail and name servers, which run while it does; `world()` is theirs, for use inside the tests.
 * Where they are not installed the suite is skipped, which the end of the run says; in CI it fails.
 */
export function describeReal(name: string, suite: (world: () => MailWorld) => void): void {
  const why = whatIsMissing();
  if (why !== null) {
    const meta: Needs = { needs: why };
    if (process.env['CI'] === undefined) describe.skip(name, { meta }, () => suite(notStarted));
    else test(name, () => Promise.reject(new Error(why)));
    return;
  }
  describe(name, () => {
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
