import { expect, test } from 'vitest';
import type { Outcome } from '../../../schema/evidence.ts';
import { describeReal } from './describe-real.ts';
import { numbered } from './mailboxes.ts';
import { probeAlone } from './probe-alone.ts';

// Servers that make a client wait for refusals, as Debian ships them. The tests wait for different servers, side by side,
// and each comes from an address of its own, another one if it is tried again, since these servers count their clients.

const LIMIT_MS = 95_000;
let strangers = 10;
const strangersIp = (): string => `127.0.0.${(strangers += 1)}`;

/** Every second one lives. */
const mixed = (domain: string): string[] =>
  Array.from({ length: 50 }, (_, i) => `${i % 2 === 0 ? numbered(i) : `nobody${i}`}@${domain}`);
const kinds = (outcomes: readonly Outcome[]): string[] =>
  outcomes.map((outcome) => (outcome.kind === 'accepted' ? `accepted, ${outcome.madeUp.kind}` : outcome.kind));
const asMixed = Array.from({ length: 50 }, (_, i) => (i % 2 === 0 ? 'accepted, refused' : 'no_such_mailbox'));

describeReal('servers that make a client wait for refusals', (world) => {
  test.concurrent(
    'fifty at Courier, half of them unknown, are all answered before the deadline',
    { timeout: LIMIT_MS },
    async () => {
      const alone = probeAlone(world(), strangersIp());
      const outcomes = await alone.probe(mixed('courier'));
      // One session after the other would be unprobed for the most part: each refusal there waits longer than the last.
      expect(kinds(outcomes)).toEqual(asMixed);
    },
  );

  test.concurrent(
    'fifty at Sendmail, half of them unknown, are all answered in no more sessions than it takes',
    { timeout: LIMIT_MS },
    async () => {
      const alone = probeAlone(world(), strangersIp());
      const outcomes = await alone.probe(mixed('sendmail'));
      expect(kinds(outcomes)).toEqual(asMixed);
      // It would have turned away the eleventh.
      expect(new Set(alone.lines.map(({ session }) => session)).size).toBeLessThanOrEqual(10);
    },
  );

  test.concurrent(
    'two hundred unknown at Sendmail are refused, or not asked once it turns our crowd away',
    { timeout: LIMIT_MS },
    async () => {
      const alone = probeAlone(world(), strangersIp());
      // It takes ten sessions a minute: within less than that the rest have no turn.
      const outcomes = await alone.probe(
        Array.from({ length: 200 }, (_, i) => `nobody${i}@sendmail`),
        45_000,
      );
      const counts = Object.groupBy(outcomes, ({ kind }) => kind);
      expect(Object.keys(counts).toSorted()).toEqual(['no_such_mailbox', 'unprobed']);
      // Ten sessions of four refusals each.
      expect(counts['no_such_mailbox']?.length).toBeGreaterThanOrEqual(36);
    },
  );
});
