import { rm } from 'node:fs/promises';
import { afterAll, beforeAll, expect, test, vi } from 'vitest';
import { callerOf, type Caller } from '../../testing/caller.ts';
import { newStateFolder, startRunningService, type RunningService } from '../../testing/running-service.ts';
import { describeWith, ROOT } from './describe-real.ts';
import { domainOf, startQuirkWorld, type QuirkWorld } from './quirk-world.ts';
import { QUIRKS } from './quirks/all.ts';

// Servers whose answers were once misread, over HTTP: who lives is deliverable, who does not is not, at a bounded cost.

const BATCH_MS = 95_000;

/**
 * Asks a first time, and waits until the server lets through another mailbox and the made-up one, which it sees only
 * after that one's acceptance: later than all of these.
 */
async function passGreylist(
  all: () => Promise<{ living: readonly string[] }>,
  another: () => Promise<{ living: readonly string[] }>,
  passed: readonly string[],
): Promise<void> {
  expect((await all()).living).toEqual(['unknown unknown greylisting 50']);
  // A poll of vitest's own would need to know its test, of which several run at once.
  await vi.waitFor(async () => expect((await another()).living).toEqual(passed), { timeout: 30_000, interval: 1_000 });
}

describeWith([ROOT], 'servers with quirks', () => {
  let state = '';
  let world: QuirkWorld;
  let service: RunningService;
  let caller: Caller;

  beforeAll(async () => {
    state = await newStateFolder();
    world = await startQuirkWorld(QUIRKS);
    const args = ['--no-sandbox', '--var', 'RATE_LIMIT=0', ...world.flags];
    service = await startRunningService(state, args, 'node', { EGRESS: '127.0.0.1=probe.example.com' });
    caller = await callerOf(service.ready);
  });
  afterAll(async () => {
    await service.stop();
    await world.stop();
    await rm(state, { recursive: true, force: true });
  });

  for (const quirk of QUIRKS) {
    const [living, dead] =
      quirk.takesAll === undefined
        ? [['deliverable valid null 95'], ['undeliverable invalid null 0']]
        : [['catch-all risky accept_all 55'], ['catch-all risky accept_all 55']];
    const addressed = (letter: string, from: number, count: number) =>
      Array.from({ length: count }, (_, i) => {
        const below = quirk.apart === true ? `${letter}${from + i}.` : '';
        return `${letter}${from + i}@${below}${domainOf(quirk)}`;
      });
    /** The distinct results of those that exist, and of those that do not, asked in turns. */
    const verify = async (from: number, count: number) => {
      const [those, others] = [addressed('u', from, count), addressed('x', from, count)];
      const results = await caller.verify(those.flatMap((address, i) => [address, others[i] ?? address]));
      const distinct = (letter: string) => [
        ...new Set(
          results
            .filter(({ email }) => email.startsWith(letter))
            .map(({ result, status, reason, score }) => `${result} ${status} ${reason} ${score}`),
        ),
      ];
      return { living: distinct('u'), dead: distinct('x') };
    };

    // They wait far more than they work: side by side they take a fraction of the time.
    const suite = (): void => {
      let log: () => string;
      const connections = () => log().match(quirk.connected)?.length ?? 0;
      beforeAll(async () => {
        log = await world.start(quirk);
      });

      const options = { timeout: BATCH_MS, concurrent: false };
      const batches = Object.entries(quirk.batches).map(([size, most]) => [Number(size), most] as const);
      test.for(batches)('each of %i addresses gets its verdict', options, async ([size, most]) => {
        const before = connections();
        if (quirk.greylists !== undefined)
          await passGreylist(
            () => verify(0, size / 2),
            () => verify(900, 1),
            living,
          );
        expect(await verify(0, size / 2)).toEqual({ living, dead });
        expect(connections() - before).toBeLessThanOrEqual(most);
      });
    };
    describeWith(quirk.programs, quirk.name, suite, true);
  }
});
