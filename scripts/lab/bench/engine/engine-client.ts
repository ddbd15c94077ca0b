import { createEngine } from '../../../../prober/engine/batch.ts';
import type { Recipient } from '../../../../prober/engine/ports/ports.ts';
import { DEFAULTS, type LimitSettings } from '../../../../prober/engine/ports/settings.ts';
import { createNodePorts } from '../../../../prober/node/ports.ts';
import { createMetrics } from '../../../../prober/ops/metrics/metrics.ts';
import { IDLE_STATUS } from '../../../../prober/testing/idle-status.ts';
import { signalsOf } from '../../../../prober/signals/signals.ts';
import type { Outcome } from '../../../../schema/evidence.ts';
import { claimOf, OUTCOMES } from '../../../../schema/outcomes.ts';
import { readLoad, report } from './load.ts';
import { kindOf } from './shared-domains.ts';

// The engine under load, alone in its process, put together as a host with metrics does it (`prober/serve.ts`).

/** All domains are at one address here, which the limits would spare. */
const UNHURRIED: LimitSettings = {
  ...DEFAULTS.limits,
  connections: { perAddress: 10_000, inAll: 10_000 },
  connectionsPerMinute: 10_000_000,
  invalidPerHour: Infinity,
};

const load = readLoad(process.argv[2]);
const ports = createNodePorts({ dns: [`${load.ip}:${load.dnsPort}`], stubs: [] });
const metrics = createMetrics(() => IDLE_STATUS, ports.clock);
const engine = createEngine(
  ports,
  {
    ...DEFAULTS,
    egress: [{ ip: null, heloName: 'probe.bench.test' }],
    mailFrom: 'probe@bench.test',
    routes: [{ cidr: load.mailNet, port: load.smtpPort }],
    lanes: lanesOf(load.domains),
    limits: load.limits === 'none' ? UNHURRIED : DEFAULTS.limits,
    observer: metrics.engine,
  },
  signalsOf,
);

function batchesOf(firstDomain: number, domains: number): readonly Recipient[][] {
  const recipients: Recipient[] = [];
  for (let u = 0; u < load.addressesPerDomain; u++) {
    for (let d = firstDomain; d < firstDomain + domains; d++) recipients.push({ local: `u${u}`, domain: `d${d}.test` });
  }
  if (load.addressesMax !== null) recipients.splice(load.addressesMax);
  const batches: Recipient[][] = [];
  const size = load.perRequest;
  for (let at = 0; at < recipients.length; at += size) batches.push(recipients.slice(at, at + size));
  return batches;
}

function lanesOf(domains: number): number {
  return Math.ceil(load.concurrency / batchesOf(0, domains).length);
}

async function run(batches: readonly Recipient[][], count: (outcome: string) => void): Promise<void> {
  const controller = new AbortController();
  const timer = setTimeout(() => controller.abort(), load.deadlineMs);
  const deadlineMs = ports.clock.now() + load.deadlineMs;
  const probe = (recipients: readonly Recipient[]): Promise<void> =>
    engine.probe({
      account: 0,
      recipients,
      signal: controller.signal,
      deadlineMs,
      report: (index, { outcome }) => {
        count(outcome.kind);
        if (isRight(recipients[index]?.domain ?? '', outcome)) count('as_shared');
      },
    });
  if (!load.oneByOne) await Promise.all(batches.map(probe));
  else
    for (const batch of batches) {
      await probe(batch);
      if (!load.warm) engine.endIdle();
    }
  clearTimeout(timer);
}

/** Whether an outcome is what the shared host of the peer does to such a domain. */
function isRight(domain: string, outcome: Outcome): boolean {
  switch (kindOf(domain)) {
    case 'refuses_us':
      return OUTCOMES[outcome.kind].turnedAway;
    case 'defers':
      return OUTCOMES[outcome.kind].defers;
    case 'tells':
      return claimOf(outcome) === 'accepts';
  }
}

// As many at once as are measured then: in one go, a crowd of 1,000 would be six of them.
for (let done = 0; done < load.warmUpDomains; done += load.domains) {
  await run(batchesOf(load.domains + done, Math.min(load.domains, load.warmUpDomains - done)), () => {});
}
await report((count) => run(batchesOf(0, load.domains), count));
