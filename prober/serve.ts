import { randomBytes } from 'node:crypto';
import manifest from '../package.json' with { type: 'json' };
import type { Config } from './base/config.ts';
import { createEngine } from './engine/batch.ts';
import type { EngineObserver } from './engine/ports/observer.ts';
import { Gate } from './engine/targets/targets.ts';
import { keepSettings } from './base/settings-file.ts';
import { areComplete, askCanaries, hasCanaries } from './ops/health/canaries.ts';
import { OwnAddresses } from './ops/watch/own-addresses.ts';
import { SelfCheck } from './ops/health/self-check.ts';
import { connect } from './link/connect.ts';
import { Host } from './link/host.ts';
import { identify } from './link/identity.ts';
import { TIMINGS } from './link/timings.ts';
import { bugTeller } from './base/bug-teller.ts';
import { createLog, type Log } from './base/log.ts';
import type { Status } from './ops/metrics/metrics.ts';
import { createNodePorts, type NodePorts } from './node/ports.ts';
import { signalsOf } from './signals/signals.ts';

/** One Ctrl-C arrives twice under npm: from the terminal, and passed on by npm. */
const SAME_SIGNAL_MS = 500;

/** Lets a host serve until a signal ends it: config, ports, engine, links. @param fail ends the process with a line */
export async function serve(config: Config, fail: (message: string) => void): Promise<void> {
  const { enrolment, settings, dns, stubs, canaries } = config;
  const log = createLog(
    (line) => process.stderr.write(line),
    () => new Date().toISOString(),
    enrolment.host,
  );
  const instance = randomBytes(16).toString('base64url');
  // Created after the ports that report to it.
  const own: { trust: SelfCheck | null } = { trust: null };
  const ports = createNodePorts({ dns, stubs, onExhausted: (errno) => own.trust?.exhausted(errno) });
  log('started', { version: manifest.version, instance });
  const metrics = await measure(config, ports, log, () => ({
    ...host.status(),
    links: host.links(),
    clockAheadS: host.clockAheadS(),
    unclear: own.trust?.unclear ?? [],
  }));
  if (metrics !== null && 'failed' in metrics)
    return fail(
      `METRICS_PORT: cannot listen on ${config.metricsPort} (${metrics.failed}); choose another port, or unset it`,
    );
  sayWhatIsMissing(config, log);
  const { clock, random } = ports;
  // The host's own lookups never wait for those of accounts.
  const ownPorts = { ...ports, resolve: ports.resolveFor('host') };
  const { egress, mailFrom, routes } = settings;
  const gate = new Gate(routes);
  const trust = new SelfCheck({
    ask: hasCanaries(canaries)
      ? (scope, signal) => askCanaries({ ports: ownPorts, canaries, gate, egress, mailFrom }, scope, signal)
      : null,
    complete: areComplete(canaries),
    clock,
    log,
    onChange: () => host.healthChanged(),
  });
  own.trust = trust;
  const watched = new OwnAddresses({
    egress,
    names: ownPorts.resolve,
    clock,
    log,
    onLook: (found) => metrics?.ownAddress(found),
    onChange: () => host.healthChanged(),
  });
  const observed = metrics?.engine ?? null;
  const observer: EngineObserver = {
    lookedUp: (type, answer) => observed?.lookedUp(type, answer),
    waitedForLimits: (provider, ms) => observed?.waitedForLimits(provider, ms),
    sessionEnded: (seat, how) => observed?.sessionEnded(seat, how),
    providerRests(seat, why, ms) {
      observed?.providerRests(seat, why, ms);
      if (why === 'blocked') host.blockedBy(seat, ms);
    },
  };
  const tellBug = bugTeller(log);
  const onBug = (error: unknown): void => {
    metrics?.bug();
    tellBug(error);
  };
  const engine = createEngine(ports, { ...settings, onBug, observer }, signalsOf);
  const host = new Host({
    identity: identify(enrolment, instance, Date.now()),
    connect,
    egress: settings.egress.map(({ ip }) => ip ?? 'default'),
    routes: settings.routes.length > 0,
    version: manifest.version,
    keepSettings: (learnt) => keepSettings(enrolment, learnt, Date.now(), config.enrolmentFile, process.env),
    engine,
    trust,
    egressTroubles: () => [
      ...watched.troubles,
      ...trust.unclear.map((at) => ({ egress: at, what: 'mailbox_unclear' as const, list: null })),
    ],
    clock,
    random,
    wallClock: () => Date.now(),
    timings: TIMINGS,
    log,
    onFatal: fail,
    onBug,
    ...(metrics === null ? {} : { observer: metrics.host }),
  });
  drainOnSignal(host, log);
  void watched.start();
  // A host that cannot work must not take its first job before it knows.
  void trust.start().then(() => host.open());
}

/** Its library is loaded only if metrics are wanted. */
async function measure({ metricsPort }: Config, ports: NodePorts, log: Log, status: Status) {
  if (metricsPort === null) return null;
  const { startMetrics } = await import('./ops/metrics/serve-metrics.ts');
  return startMetrics({ port: metricsPort, ports, log, status });
}

function sayWhatIsMissing({ undeclared }: Config, log: Log): void {
  if (undeclared.includes('EGRESS'))
    log('egress_undeclared', {
      hint: 'set EGRESS=IP=HELO; until then no other host retries what receivers refuse to this one',
    });
  if (undeclared.includes('MAIL_FROM'))
    log('sender_undeclared', { hint: 'set MAIL_FROM to an address at a domain with MX and SPF; receivers check both' });
}

function drainOnSignal(host: Host, log: Log): void {
  let askedAt: number | null = null;
  const onSignal = (signal: string): void => {
    const now = performance.now();
    if (askedAt !== null) {
      if (now - askedAt > SAME_SIGNAL_MS) process.exit(1);
      return;
    }
    askedAt = now;
    log('draining', { signal });
    void host.drain().then(() => {
      log('drained');
      process.exit(0);
    });
  };
  process.on('SIGTERM', onSignal);
  process.on('SIGINT', onSignal);
}
