import { createNames } from '../audit/names.ts';
import type { Config } from '../../base/config.ts';
import type { Clock } from '../../engine/ports/ports.ts';
import type { NodePorts } from '../../node/ports.ts';
import { createMetrics, type Metrics, type MetricsDeps } from './metrics.ts';
import { type Page, serveMetrics } from './serve-metrics.ts';

/** While a host is rolled, the old process has the port until it has drained. */
const AGAIN_MS = 2_000;

export type MetricsStart = {
  /** On 127.0.0.1. */
  readonly port: number;
  readonly config: Pick<Config, 'settings' | 'dns' | 'stubs'>;
  readonly ports: NodePorts;
  readonly version: string;
  readonly status: MetricsDeps['status'];
  /** Another process has the port: it is asked for again until it is free. */
  readonly onTaken: () => void;
  /** The port is ours. */
  readonly onServed: (port: number) => void;
};

/**
 * Starts to measure this host and to serve its metrics.
 * @returns the metrics, or the system's error code if the port can never be had
 */
export async function startMetrics(start: MetricsStart): Promise<Metrics | { readonly failed: string }> {
  const { config, ports, version, status } = start;
  const { settings, dns, stubs } = config;
  const { clock } = ports;
  const metrics = createMetrics({ version, egress: settings.egress.map(({ ip }) => ip), status, clock });
  const failed = await serve(start, metrics, clock);
  if (failed !== null) return { failed };
  const names = createNames(ports.resolveFor('host'), { dns, stubs });
  void metrics.ownAddresses.watch(settings.egress, names, clock);
  return metrics;
}

/** @returns why it can never be served, null otherwise */
async function serve({ port, onTaken, onServed }: MetricsStart, metrics: Page, clock: Clock): Promise<string | null> {
  const served = await serveMetrics(port, metrics);
  if (!('failed' in served)) {
    onServed(served.port);
    return null;
  }
  if (served.failed !== 'EADDRINUSE') return served.failed;
  onTaken();
  const again = async (): Promise<void> => {
    const now = await serveMetrics(port, metrics);
    if ('failed' in now) clock.after(AGAIN_MS, () => void again());
    else onServed(now.port);
  };
  clock.after(AGAIN_MS, () => void again());
  return null;
}
