import * as fc from 'fast-check';
import { expect, test } from 'vitest';
import type { Outcome } from '../../../schema/evidence.ts';
import { runs } from '../../../schema/testing/fuzz.ts';
import {
  addressesOf,
  anyDomain,
  anyHost,
  type FleetDomain,
  type FleetHost,
  kindOf,
  lieIn,
  scriptOf,
} from '../../testing/fleet.ts';
import { MailWorld } from '../../testing/mail-world.ts';
import type { MemoryServer } from '../../testing/memory-server.ts';
import { classifyFor } from '../meaning/classify.ts';

// No matter which domains share a host and how it behaves: no address gets a wrong verdict, and hardly any address
// lacks a verdict that it would have got alone.

const IP = '11.79.0.1';
const DEADLINE_MS = 90_000;

/** The world of some of the domains, with their host. */
function worldOf(domains: readonly FleetDomain[], host: FleetHost, which: readonly number[]) {
  const world = new MailWorld({}, 25, classifyFor('verify@probe.example.net'));
  for (const d of which) world.mx(`d${d}.test`, ['mx.shared.test']);
  const server: MemoryServer = world.host('mx.shared.test', [IP]).serve(
    IP,
    scriptOf(domains, host, () => server.sessions),
  );
  const addresses = addressesOf(domains).filter((address) => which.includes(numberOf(address)));
  return { world, server, addresses };
}

const numberOf = (address: string): number => Number(/@d(\d+)/.exec(address)?.[1]);

/** Probes the domains, or some of them, at their host in one batch. */
async function probe(domains: readonly FleetDomain[], host: FleetHost, which = domains.map((_, d) => d)) {
  const { world, server, addresses } = worldOf(domains, host, which);
  const first = await world.outcomes(addresses, DEADLINE_MS);
  const endedMs = world.clock.now();
  return { world, server, addresses, first, endedMs };
}

/** What a test proves depends on who was asked about before in its session. */
const hasVerdict = (outcome: Outcome): boolean =>
  outcome.kind === 'accepted' ||
  outcome.kind === 'mailbox_full' ||
  (outcome.kind === 'no_such_mailbox' && outcome.basis === undefined);

/**
 * A server that goes silent after some refusals does so in the session that they were in, and which addresses share
 * that session depends on who else is asked about. One that still answers RSET leaves replies out: what it said is void.
 */
function mayMeetSilence({ refusals }: FleetHost, { kind }: Outcome): boolean {
  return refusals.after === 'silence' && (kind === 'timeout' || kind === 'protocol_error');
}

/**
 * Two similar refusals of the client in a row are evidence for the rest of their domain, and which two come in a row
 * depends on the sessions.
 */
function mayBeRefusedAsOne(domains: readonly FleetDomain[], address: string, { kind }: Outcome): boolean {
  const users = domains[numberOf(address)]?.users ?? [];
  return kind === 'policy_rejected' && users.filter((user) => user === 'policy').length >= 2;
}

test('no address gets a wrong verdict, with early commands or without', async () => {
  await fc.assert(
    fc.asyncProperty(fc.array(anyDomain, { minLength: 1, maxLength: 25 }), anyHost, async (domains, host) => {
      const { world, server, addresses, first } = await probe(domains, host);
      const second = host.offers.includes('PIPECONNECT') ? await world.outcomes(addresses, DEADLINE_MS) : [];
      for (const [i, outcome] of [...first, ...second].entries()) {
        const address = addresses[i % addresses.length] ?? '';
        const madeUp = kindOf(domains, address.replace(/^.*@/, 'nobody@'));
        expect(lieIn(outcome, kindOf(domains, address), madeUp), `${address}: ${JSON.stringify(outcome)}`).toBeNull();
      }
      expect(world.bugs).toEqual([]);
      expect(server.sessions.every(({ closed }) => closed)).toBe(true);
    }),
    { numRuns: runs(100) },
  );
});

test('an address gets the same verdict among other domains as alone, or a time to retry', async () => {
  await fc.assert(
    fc.asyncProperty(fc.array(anyDomain, { minLength: 2, maxLength: 12 }), anyHost, async (domains, host) => {
      const among = await probe(domains, host);
      for (const d of domains.keys()) {
        const alone = await probe(domains, host, [d]);
        for (const [i, outcome] of alone.first.entries()) {
          const address = alone.addresses[i] ?? '';
          const other = among.first[among.addresses.indexOf(address)];
          if (!hasVerdict(outcome) || other === undefined) continue;
          if (mayMeetSilence(host, other) || mayBeRefusedAsOne(domains, address, other)) continue;
          // No connection waits for a host in cool-down.
          const rests = other.kind === 'unprobed' && other.why === 'cooldown';
          const isLate =
            among.endedMs >= DEADLINE_MS - 30_000 && (other.kind === 'unprobed' || other.kind === 'timeout');
          if (!rests && !isLate) expect(other.kind, `${address}: ${JSON.stringify(other)}`).toBe(outcome.kind);
        }
      }
    }),
    { numRuns: runs(60) },
  );
});

/**
 * A session that was sent early commands is kept, although it starts over because of its replies; any other is closed.
 */
const EARLY_AND_ALONE: [FleetDomain[], FleetHost] = [
  [
    { users: ['gone'], madeUp: 'gone' },
    { users: ['lives'], madeUp: 'gone' },
    { users: ['lives'], madeUp: 'gone' },
  ],
  {
    greeting: '220 mx.test ESMTP',
    offers: ['PIPELINING', 'PIPECONNECT'],
    bare: false,
    refusals: { borne: 1_000, after: '421' },
    transactions: { borne: 1_000, after: 'close' },
    recipients: 1,
    sessions: { borne: 1, at: 'greeting', after: '554' },
    refusalMs: { first: 0, doubles: false },
    rset: '502',
  },
];

test("an address gets the same verdict beside another customer's batches, or a time to retry", async () => {
  await fc.assert(
    fc.asyncProperty(fc.array(anyDomain, { minLength: 2, maxLength: 30 }), anyHost, async (domains, host) => {
      const all = domains.map((_, d) => d);
      const { world, addresses } = worldOf(domains, host, all);
      const parts = [0, 1].map((part) => addresses.filter((address) => numberOf(address) % 2 === part));
      const beside = await Promise.all(parts.map((part, account) => world.probe(part, DEADLINE_MS, account)));
      for (const [part, evidence] of beside.entries()) {
        const alone = await probe(
          domains,
          host,
          all.filter((d) => d % 2 === part),
        );
        for (const [i, { outcome }] of evidence.entries()) {
          const own = alone.first[i];
          if (own === undefined || !hasVerdict(own) || outcome.kind === 'unprobed') continue;
          if (mayMeetSilence(host, outcome)) continue;
          if (mayBeRefusedAsOne(domains, parts[part]?.[i] ?? '', outcome)) continue;
          const isLate = world.clock.now() >= DEADLINE_MS - 30_000 && outcome.kind === 'timeout';
          if (!isLate) expect(outcome.kind, `${parts[part]?.[i]}: ${JSON.stringify(outcome)}`).toBe(own.kind);
        }
      }
      expect(world.bugs).toEqual([]);
    }),
    { numRuns: runs(50), examples: [EARLY_AND_ALONE] },
  );
});
