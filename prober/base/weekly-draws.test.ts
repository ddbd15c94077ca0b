import * as fc from 'fast-check';
import { describe, expect, test } from 'vitest';
import { WEEK_S } from '../../schema/week.ts';
import { madeUpLocal } from '../engine/attempt/random-recipient.ts';
import { MailWorld } from '../testing/mail-world.ts';
import type { ScriptedReply, SessionRecord } from '../testing/script.ts';
import { weeklyDraws } from './weekly-draws.ts';

const MONDAY = 2_000 * WEEK_S;

/** The name of a domain's made-up mailbox, when each week's seed is its number. */
function nameAt(nowS: number, domain = 'd.test', deployment = ''): string {
  const week = Math.floor(nowS / WEEK_S);
  const draws = weeklyDraws({ nowS, seeds: [`${deployment}${week}`, `${deployment}${week - 1}`] });
  return madeUpLocal(draws(domain, 'name'));
}

/** How long after the beginning of a week the domain has another name; null: it has the same all the time. */
function changesAfterS(domain: string, from: number): number | null {
  let [low, high] = [0, WEEK_S - 1];
  const first = nameAt(from, domain);
  if (nameAt(from + high, domain) === first) return null;
  while (high - low > 1) {
    const middle = Math.floor((low + high) / 2);
    if (nameAt(from + middle, domain) === first) low = middle;
    else high = middle;
  }
  return high;
}

describe('the made-up mailbox of a domain', () => {
  test('has one name for a whole week, and another in the next', () => {
    fc.assert(
      fc.property(fc.domain(), fc.nat(WEEK_S - 1), (domain, from) => {
        const at = changesAfterS(domain, MONDAY) ?? 0;
        const name = nameAt(MONDAY + at, domain);
        expect(nameAt(MONDAY + at + from, domain)).toBe(name);
        expect(nameAt(MONDAY + at + WEEK_S + from, domain)).not.toBe(name);
      }),
      { numRuns: 50 },
    );
  });

  test('has a name of its own for each domain and each seed, of the usual form', () => {
    const names = Array.from({ length: 1_000 }, (_, n) => nameAt(MONDAY, `d${n}.test`));
    expect(new Set(names).size).toBe(1_000);
    expect(names.every((name) => /^[a-z]{18}$/.test(name))).toBe(true);
    for (const letter of 'bdfghjklmnprstvzaeiou')
      expect(names.filter((name) => name.includes(letter)).length, letter).toBeGreaterThan(200);
    expect(nameAt(MONDAY, 'd1.test', 'another deployment')).not.toBe(nameAt(MONDAY, 'd1.test'));
  });

  test('changes at a moment of its own: those of 1,000 domains are spread over the week, and come again', () => {
    const days = new Map<number, number>();
    for (let n = 0; n < 1_000; n += 1) {
      const after = changesAfterS(`d${n}.test`, MONDAY) ?? 0;
      if (n < 20) expect(changesAfterS(`d${n}.test`, MONDAY + WEEK_S) ?? 0).toBe(after);
      const day = Math.floor((7 * after) / WEEK_S);
      days.set(day, (days.get(day) ?? 0) + 1);
    }
    expect(days.size).toBe(7);
    expect(Math.min(...days.values())).toBeGreaterThan(100);
    expect(Math.max(...days.values())).toBeLessThan(190);
  });
});

/** Rounds of the same address, an hour apart: by an address of ours, a sender and a recipient, as postgrey does. */
async function rounds(settings: ConstructorParameters<typeof MailWorld>[0]): Promise<unknown[]> {
  const world = new MailWorld(settings);
  const since = new Map<string, number>();
  const rcpt = (mailbox: string, { from }: SessionRecord): ScriptedReply => {
    const key = `${from} ${mailbox}`;
    since.set(key, since.get(key) ?? world.clock.now());
    if (world.clock.now() - (since.get(key) ?? 0) < 300_000) return '450 4.2.0 Greylisted, try again later\r\n';
    return mailbox === 'box@d.test' ? '250 2.1.5 ok\r\n' : '550 5.1.1 no such user\r\n';
  };
  world.domain('d.test', { rcpt });
  const found: unknown[] = [];
  for (let round = 0; round < 3; round += 1) {
    world.draws = weeklyDraws({ nowS: MONDAY, seeds: ['seed', 'seed'] });
    const outcome = await world.outcome('box@d.test');
    found.push(outcome.kind === 'accepted' ? outcome.madeUp.kind : outcome.kind);
    await world.clock.advance(3_600_000);
  }
  return found;
}

describe('a server that greylists each recipient for five minutes', () => {
  const TWO: ConstructorParameters<typeof MailWorld>[0] = {
    egress: [
      { ip: '11.0.0.1', heloName: 'a.example.net' },
      { ip: '11.0.0.2', heloName: 'b.example.net' },
    ],
  };

  test.each([
    ['one address of ours', {}],
    ['either of two', TWO],
  ])('lets the made-up mailbox through on the retry, from %s', async (_what, settings) => {
    expect(await rounds(settings)).toEqual(['rcpt_deferred', 'not_learnt', 'refused']);
  });

  test('meets one address of ours for each domain, and both for all of them', async () => {
    const world = new MailWorld(TWO);
    world.draws = weeklyDraws({ nowS: MONDAY, seeds: ['seed', 'seed'] });
    const domains = Array.from({ length: 12 }, (_, n) => {
      const server = world.domain(`d${n}.test`, { mailboxes: [`box@d${n}.test`] });
      return { server, address: `box@d${n}.test` };
    });
    for (let round = 0; round < 2; round += 1) await world.probe(domains.map(({ address }) => address));
    const seen = domains.map(({ server }) => [...new Set(server.sessions.map(({ from }) => from))]);
    expect(seen.filter((addresses) => addresses.length !== 1)).toEqual([]);
    expect(new Set(seen.flat()).size).toBe(2);
  });
});
