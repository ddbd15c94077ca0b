import { collectDefaultMetrics, Counter, Gauge, Histogram, Registry } from 'prom-client';
import type { OwnAddress } from '../watch/own-addresses.ts';
import type { Canary, HostStatus } from '../../../schema/link.ts';
import { providerNameOf } from '../../../schema/providers.ts';
import type { EngineObserver } from '../../engine/ports/observer.ts';
import type { AddressAnswer, Clock, MxAnswer } from '../../engine/ports/ports.ts';
import { PROVIDER_LIMITS } from '../../engine/providers/provider-limits.ts';
import type { HostObserver } from '../../link/observer.ts';
import { Tally } from './tally.ts';

// What a host measures about itself, in Prometheus' format: what an alert, the dashboard or a runbook needs. The value
// of a label is one of few, from the code or from the system: nothing that a customer, a mail server or a DNS owner can
// choose becomes a series, and no address or domain is among them.

/** From an immediate start to the longest time of a batch. */
const WAIT_SECONDS = [0.1, 0.5, 1, 2.5, 5, 10, 20, 30, 60];
const CANARIES: readonly Canary[] = ['name', 'missing', 'host', 'mailbox', 'resources'];
const OTHER = 'other';
const PROVIDERS: ReadonlySet<string> = new Set(PROVIDER_LIMITS.map(({ provider }) => spelt(provider)));

export type Metrics = {
  readonly engine: EngineObserver;
  readonly host: HostObserver;
  readonly ownAddress: (found: OwnAddress) => void;
  /** A bug left the addresses of a domain unprobed. */
  readonly bug: () => void;
  readonly text: () => Promise<string>;
  readonly contentType: string;
};

/**
 * The host's state on request, its open links by Fleet object, how far its clock is ahead of the edge's, and the
 * positions of the egress addresses of which the mailboxes that must exist prove nothing.
 */
export type Status = () => HostStatus & {
  readonly links: readonly boolean[];
  readonly clockAheadS: number;
  readonly unclear: readonly number[];
};

type Registers = [Registry];

const counterIn =
  (registers: Registers) =>
  <Label extends string>(name: string, help: string, ...labelNames: Label[]) =>
    new Counter({ name: `rcpt_${name}`, help, labelNames, registers });
const gaugeIn =
  (registers: Registers) =>
  <Label extends string>(name: string, help: string, ...labelNames: Label[]) =>
    new Gauge({ name: `rcpt_${name}`, help, labelNames, registers });

export function createMetrics(status: Status, clock: Pick<Clock, 'now'>): Metrics {
  const registry = new Registry();
  collectDefaultMetrics({ register: registry });
  const counter = counterIn([registry]);
  const outcomes = new Tally(counter('outcomes_total', 'Addresses by what was seen of them.', 'provider', 'outcome'));
  const jobs = counter('jobs_total', 'Jobs by how they ended.', 'end');
  const bugs = counter('bugs_total', 'Bugs that left addresses of a job unprobed.');
  // A series that starts with its first failure shows no increase.
  for (const end of ['failed', 'overdue']) jobs.inc({ end }, 0);
  const readHost = hostGauges([registry], status);
  const { engine, readEngine } = engineMetrics([registry], clock);
  return {
    engine,
    host: {
      evidence: ({ mx, outcome }) => outcomes.add(labelOf(providerNameOf(mx[0] ?? '')), outcome.kind),
      jobEnded: (end) => jobs.inc({ end }),
    },
    ownAddress: addressGauges([registry]),
    bug: () => bugs.inc(),
    text() {
      readHost();
      readEngine();
      outcomes.handOver();
      return registry.metrics();
    },
    contentType: registry.contentType,
  };
}

/** @returns a function that reads the host's state for a page */
function hostGauges(registers: Registers, status: Status): () => void {
  const gauge = gaugeIn(registers);
  const healthy = gauge('healthy', 'The self-check passes.');
  const running = gauge('jobs_running', 'Jobs under way.');
  const canary = gauge('canary_ok', 'The canaries of one kind pass.', 'check');
  const unclear = gauge('canary_mailbox_unclear', 'Its answers do not prove the way out of an address.', 'egress');
  const linkUp = gauge('link_up', 'The link to a Fleet object stands.', 'shard');
  const ahead = gauge('clock_skew_seconds', "How far this clock is ahead of the edge's.");
  return () => {
    const host = status();
    healthy.set(Number(host.healthy));
    running.set(host.jobs);
    for (const check of CANARIES) canary.set({ check }, Number(!host.failing.includes(check)));
    unclear.reset();
    for (const egress of host.unclear) unclear.set({ egress: String(egress) }, 1);
    linkUp.reset();
    for (const [shard, isUp] of host.links.entries()) linkUp.set({ shard: String(shard) }, Number(isUp));
    ahead.set(host.clockAheadS);
  };
}

/** How the world sees our addresses, by their position in EGRESS. */
function addressGauges(registers: Registers): Metrics['ownAddress'] {
  const gauge = gaugeIn(registers);
  const listed = gauge('dnsbl_listed', 'An address of ours is on a block list.', 'egress', 'list');
  const blind = gauge('dnsbl_blind', 'A block list does not answer our resolver.', 'egress', 'list');
  const rdns = gauge('rdns_ok', 'The name of an address of ours leads back to it, and is its EHLO name.', 'egress');
  return ({ egress: place, lists, reverse }) => {
    const egress = String(place);
    for (const { zone: list, state } of lists) {
      blind.set({ egress, list }, Number(state === 'unknown'));
      // The previous value is the best guess.
      if (state !== 'unknown') listed.set({ egress, list }, Number(state === 'mend'));
    }
    if (reverse !== null) rdns.set({ egress }, Number(reverse));
  };
}

/** What the engine's observer is told. @returns also a function that reads it for a page */
function engineMetrics(registers: Registers, clock: Pick<Clock, 'now'>) {
  const counter = counterIn(registers);
  const dns = counter('dns_total', 'Look-ups by result.', 'type', 'result');
  // A series that starts with its first failure shows no increase.
  for (const type of ['mx', 'address']) dns.inc({ type, result: 'failed' }, 0);
  const lookUps = new Tally(dns);
  const sessions = new Tally(counter('sessions_total', 'Sessions by how they ended.', 'provider', 'egress', 'end'));
  const suspended = gaugeIn(registers)(
    'egress_suspended',
    'A provider rests as a whole.',
    'provider',
    'egress',
    'reason',
  );
  const waits = new Histogram({
    name: 'rcpt_pace_wait_seconds',
    help: 'How long a connection waited for the connection limits.',
    labelNames: ['provider'],
    buckets: WAIT_SECONDS,
    registers,
  });
  // Bounded by the listed providers, egress addresses and reasons.
  const rests = new Map<string, { readonly set: (value: number) => void; readonly untilMs: number }>();
  const engine: EngineObserver = {
    lookedUp: (type, answer) => lookUps.add(type, resultOf(answer)),
    waitedForLimits: (provider, ms) => waits.observe({ provider: labelOf(provider) }, ms / 1000),
    providerRests(seat, reason, ms) {
      const labels = { provider: labelOf(seat.provider), egress: String(seat.egress), reason };
      const set = (value: number): void => suspended.set(labels, value);
      rests.set(Object.values(labels).join(' '), { set, untilMs: clock.now() + ms });
    },
    sessionEnded: ({ provider, egress }, end) => sessions.add(labelOf(provider), String(egress), end),
  };
  const readEngine = (): void => {
    lookUps.handOver();
    sessions.handOver();
    for (const { set, untilMs } of rests.values()) set(Number(untilMs > clock.now()));
  };
  return { engine, readEngine };
}

/** The name of a listed provider, never as a domain; null and any unlisted name are `other`. */
function labelOf(provider: string | null): string {
  const name = spelt(provider ?? OTHER);
  return PROVIDERS.has(name) ? name : OTHER;
}

function spelt(provider: string): string {
  return provider.replaceAll('.', '-');
}

function resultOf(answer: MxAnswer | AddressAnswer): MxAnswer['kind'] | 'incomplete' {
  if ('kind' in answer) return answer.kind;
  const { addresses, certain } = answer;
  if (certain) return addresses.length > 0 ? 'found' : 'none';
  return addresses.length > 0 ? 'incomplete' : 'failed';
}
