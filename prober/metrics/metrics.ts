import { Counter, collectDefaultMetrics, Gauge, Histogram, Registry } from 'prom-client';
import type { Canary } from '../../schema/link.ts';
import { providerName, refusalStage } from '../health/provider-refusals.ts';
import type { HostObserver } from '../link/observer.ts';
import type { HostStatus } from '../link/link.ts';
import type { PortsObserver } from './measured-ports.ts';

// What a host measures of itself, in Prometheus' form. Every label is one of few known values: a provider of a list in
// the code or `other`, an address of ours by its place in EGRESS, a kind of outcome. Nothing that a customer, a mail
// server or a DNS owner can choose becomes a series, so their number is bounded, and no address or domain is among them.

const OTHER = 'other';
const SECONDS = [0.01, 0.05, 0.1, 0.25, 0.5, 1, 2.5, 5, 10, 30];
const CANARIES: readonly Canary[] = ['name', 'missing', 'host'];

export type Metrics = {
  readonly host: HostObserver;
  readonly ports: PortsObserver;
  /** Whether an address of ours is listed; null: the list does not answer. */
  readonly listed: (egress: number, list: string, listed: boolean | null) => void;
  readonly namedBack: (egress: number, ok: boolean) => void;
  /** A page of them, in the text form of Prometheus (0.0.4). */
  readonly text: () => Promise<string>;
  readonly contentType: string;
};

export type MetricsDeps = {
  readonly version: string;
  /** The addresses that are dialled from, in the order of EGRESS; null: the system chooses. */
  readonly egress: readonly (string | null)[];
  readonly status: () => HostStatus;
};

export function createMetrics({ version, egress, status }: MetricsDeps): Metrics {
  const registry = new Registry();
  const registers = [registry];
  collectDefaultMetrics({ register: registry });
  const counter = (name: string, help: string, ...labelNames: string[]) =>
    new Counter({ name: `rcpt_${name}`, help, labelNames, registers });
  const histogram = (name: string, help: string, ...labelNames: string[]) =>
    new Histogram({ name: `rcpt_${name}`, help, labelNames, registers, buckets: SECONDS });
  const gauge = (name: string, help: string, ...labelNames: string[]) =>
    new Gauge({ name: `rcpt_${name}`, help, labelNames, registers });
  const asked = (name: string, help: string, read: () => number) =>
    new Gauge({
      name: `rcpt_${name}`,
      help,
      registers,
      collect() {
        this.set(read());
      },
    });

  gauge('build_info', 'The version that runs: always 1.', 'version').set({ version }, 1);
  asked('healthy', 'The self-check passes.', () => Number(status().healthy));
  asked('draining', 'The host takes no new jobs.', () => Number(status().draining));
  asked('jobs_running', 'Jobs under way.', () => status().jobs);
  asked('providers_cooling', 'Receivers that are left alone for now.', () => status().cooling);
  asked('providers_refusing', 'Large providers that refuse this host.', () => status().refusing);
  const canaryOk = gauge('canary_ok', 'The canaries of one kind pass.', 'check');
  const outcomes = counter('outcomes_total', 'Addresses by what was seen of them.', 'provider', 'outcome');
  const refusals = counter('refusals_total', 'Addresses whose server refused this host.', 'provider', 'stage');
  const jobs = counter('jobs_total', 'Jobs by how they ended.', 'end');
  const linkUp = gauge('link_up', 'The link to a Fleet object stands.', 'shard');
  const unlinked = counter('link_ends_total', 'Links that ended or did not come about, by code.', 'code');
  const roundTrip = histogram('link_rtt_seconds', 'From a ping to its pong.');
  const ahead = gauge('clock_skew_seconds', "How far this clock is ahead of the edge's.");
  const dns = counter('dns_total', 'Look-ups by result.', 'type', 'result');
  const dnsSeconds = histogram('dns_seconds', 'How long a look-up took.', 'type');
  const dials = counter('dials_total', 'Connections to mail servers by result.', 'egress', 'result');
  const dialSeconds = histogram('dial_seconds', 'How long a connection took to stand, or to fail.');
  const open = gauge('connections_open', 'Connections to mail servers.');
  const listed = gauge('dnsbl_listed', 'An address of ours is on a block list.', 'egress', 'list');
  const blind = gauge('dnsbl_blind', 'A block list does not answer our resolver.', 'list');
  const rdns = gauge('rdns_ok', 'The name of an address of ours leads back to it, and is its EHLO name.', 'egress');

  return {
    host: {
      evidence({ mx, outcome }) {
        const provider = providerName(mx) ?? OTHER;
        outcomes.inc({ provider, outcome: outcome.kind });
        const stage = refusalStage(outcome);
        if (stage !== null) refusals.inc({ provider, stage });
      },
      jobEnded: (end) => jobs.inc({ end }),
      linked: (shard) => linkUp.set({ shard: String(shard) }, 1),
      unlinked(shard, code) {
        linkUp.set({ shard: String(shard) }, 0);
        unlinked.inc({ code: String(code) });
      },
      roundTrip: (ms) => roundTrip.observe(ms / 1000),
      clockAhead: (seconds) => ahead.set(seconds),
    },
    ports: {
      lookedUp(type, result, ms) {
        dns.inc({ type, result });
        dnsSeconds.observe({ type }, ms / 1000);
      },
      dialled(from, result, ms) {
        dials.inc({ egress: String(Math.max(0, egress.indexOf(from))), result });
        dialSeconds.observe(ms / 1000);
      },
      connections: (change) => open.inc(change),
    },
    listed(place, list, isListed) {
      blind.set({ list }, Number(isListed === null));
      if (isListed !== null) listed.set({ egress: String(place), list }, Number(isListed));
    },
    namedBack: (place, ok) => rdns.set({ egress: String(place) }, Number(ok)),
    text() {
      const { failing } = status();
      for (const check of CANARIES) canaryOk.set({ check }, Number(!failing.includes(check)));
      return registry.metrics();
    },
    contentType: registry.contentType,
  };
}
