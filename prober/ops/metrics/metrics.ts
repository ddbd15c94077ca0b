import { collectDefaultMetrics } from 'prom-client';
import type { EngineObserver } from '../../engine/ports/observer.ts';
import type { Clock } from '../../engine/ports/ports.ts';
import type { HostStatus } from '../../link/host-status.ts';
import type { HostObserver } from '../../link/observer.ts';
import { engineMetrics } from './engine-metrics.ts';
import { hostMetrics } from './host-metrics.ts';
import type { PortsObserver } from './measured-ports.ts';
import { Meters } from './meters.ts';
import { type OwnAddresses, ownAddresses } from './own-addresses.ts';
import { portMetrics } from './port-metrics.ts';

/** What a host measures of itself, in Prometheus' format: each part of the program is given an observer to report to. */
export type Metrics = {
  readonly engine: EngineObserver;
  readonly ports: PortsObserver;
  readonly host: HostObserver;
  readonly ownAddresses: OwnAddresses;
  /** A bug has left the addresses of a domain unprobed. */
  readonly bug: () => void;
  /** A page of them, in the text form of Prometheus (0.0.4). */
  readonly text: () => Promise<string>;
  readonly contentType: string;
};

export type MetricsDeps = {
  readonly version: string;
  /** The addresses that are dialled from, in the order of EGRESS; null: the system chooses. */
  readonly egress: readonly (string | null)[];
  readonly status: () => HostStatus;
  readonly clock: Pick<Clock, 'now'>;
};

export function createMetrics({ version, egress, status, clock }: MetricsDeps): Metrics {
  const meters = new Meters();
  collectDefaultMetrics({ register: meters.registry });
  meters.gauge('build_info', 'The version that runs: always 1.', 'version').set({ version }, 1);
  const stages = meters.histogram('stage_seconds', 'How long a step of a session took.', 'stage');
  const bugs = meters.counter('bugs_total', 'Bugs that left addresses of a job unprobed.');
  return {
    engine: engineMetrics(meters, stages, clock),
    ports: portMetrics(meters, stages, egress),
    host: hostMetrics(meters, status),
    ownAddresses: ownAddresses(meters),
    bug: () => bugs.inc(),
    text: () => meters.registry.metrics(),
    contentType: meters.registry.contentType,
  };
}
