import { createServer } from 'node:http';
import type { Log } from '../../base/log.ts';
import type { Clock } from '../../engine/ports/ports.ts';
import { listen } from '../../node/listen.ts';
import type { NodePorts } from '../../node/ports.ts';
import { createMetrics, type Metrics, type Status } from './metrics.ts';

/** For this machine alone: an agent on it scrapes, and forwards what it has. */
const HOST = '127.0.0.1';
/** During a rollout the old process has the port until it has drained. */
const AGAIN_MS = 2_000;

export type Page = { readonly contentType: string; readonly text: () => Promise<string> };

type Start = {
  readonly port: number;
  readonly ports: NodePorts;
  readonly log: Log;
  readonly status: Status;
};

/** Measures this host and serves it. @returns the metrics, or the system's code if the port can never be had */
export async function startMetrics(start: Start): Promise<Metrics | { readonly failed: string }> {
  const { port, ports, log, status } = start;
  const metrics = createMetrics(status, ports.clock);
  const failed = await keepServing(port, metrics, ports.clock, log);
  if (failed !== null) return { failed };
  return metrics;
}

/** Tries a port in use again until it is free. @returns why it can never be had; null if it can */
async function keepServing(port: number, page: Page, clock: Clock, log: Log, isFirst = true): Promise<string | null> {
  const served = await serveMetrics(port, page);
  if (!('failed' in served)) log('metrics_served', { metricsPort: served.port });
  else if (served.failed !== 'EADDRINUSE') return served.failed;
  else {
    if (isFirst)
      log('metrics_port_taken', {
        metricsPort: port,
        hint: 'another process listens on METRICS_PORT: during a roll it is the old process, until it has drained; this one tries again every 2 s; otherwise choose another port',
      });
    clock.after(AGAIN_MS, () => void keepServing(port, page, clock, log, false));
  }
  return null;
}

/** Serves `/metrics` on a port of this machine; 0 for a free one. @returns the port, or the system's code */
export async function serveMetrics(
  port: number,
  page: Page,
): Promise<{ readonly port: number } | { readonly failed: string }> {
  const server = createServer((request, response) => {
    if (request.method !== 'GET' || request.url !== '/metrics') {
      response.writeHead(404).end();
      return;
    }
    page.text().then(
      (text) => response.writeHead(200, { 'content-type': page.contentType }).end(text),
      () => response.writeHead(500).end(),
    );
  });
  // An open connection does not delay the end of a drain.
  server.unref();
  return listen(server, port, HOST);
}
