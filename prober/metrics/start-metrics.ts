import { checkReverseName } from '../audit/reverse-name.ts';
import { createNames } from '../audit/names.ts';
import type { Config } from '../config.ts';
import type { NodePorts } from '../node/ports.ts';
import type { HostStatus } from '../link/link.ts';
import { createMetrics, type Metrics } from './metrics.ts';
import { serveMetrics } from './serve-metrics.ts';
import { watchOwnAddresses } from './watch-own-addresses.ts';

/**
 * Begins to measure this host and to serve what is measured.
 * @param port on 127.0.0.1
 * @returns the system's code if the port cannot be had
 */
export async function startMetrics(
  port: number,
  { settings, dns, stubs }: Pick<Config, 'settings' | 'dns' | 'stubs'>,
  ports: NodePorts,
  version: string,
  status: () => HostStatus,
): Promise<(Metrics & { readonly port: number }) | { readonly failed: string }> {
  const metrics = createMetrics({ version, egress: settings.egress.map(({ ip }) => ip), status });
  const served = await serveMetrics(port, metrics);
  if ('failed' in served) return served;
  const names = createNames(ports.resolveFor('host'), { dns, stubs }, ports.random);
  void watchOwnAddresses({
    resolve: names,
    namedBack: async ({ ip, heloName }, signal) => {
      if (ip === null) return null;
      const findings = await checkReverseName(names, ip, heloName, signal);
      return findings.some(({ state }) => state === 'unknown') ? null : findings.every(({ state }) => state === 'ok');
    },
    clock: ports.clock,
    egress: settings.egress,
    metrics,
  });
  return { ...metrics, port: served.port };
}
