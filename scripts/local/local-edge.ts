import { readFile } from 'node:fs/promises';
import { join, resolve } from 'node:path';
import { setTimeout as sleep } from 'node:timers/promises';
import { bundleEdge } from '../../edge/local/bundle-edge.ts';
import { type LocalEdge, startLocalEdge } from '../../edge/local/miniflare.ts';
import { buildPages } from '../../edge/local/pages.ts';
import type { OutboxMail } from '../../edge/local/outbox.ts';
import { waitForPort } from './port.ts';
import type { Watchdog } from './watchdog.ts';

/** In production it runs every minute; here nobody should have to wait that long for a sweep. */
const CRON_EVERY_MS = 10_000;
/** Longer than a request waits for a host when none is left. */
const SETTLED_WITHIN_MS = 6_000;
const AGAIN_MS = 20;

type EdgeService = {
  readonly origin: string;
  /** Waits until the requests that were under way are settled. */
  readonly stop: () => Promise<void>;
};

type EdgePlan = {
  readonly port: number;
  /** The service's state folder. */
  readonly folder: string;
  readonly variables: Readonly<Record<string, string>>;
  readonly watchdog: Watchdog;
  readonly onLog: (line: string) => void;
  /** A mail that production would send. */
  readonly onMail: (mail: OutboxMail) => void;
};

/**
 * The Worker with its database and objects on disk, its cron, and a watchdog that kills workerd when this process
 * is killed.
 * @throws StartError if the port is not free
 */
export async function startEdgeService(plan: EdgePlan): Promise<EdgeService> {
  const pages = join(plan.folder, 'pages');
  const [script] = await Promise.all([bundleEdge(), buildPages(pages), waitForPort(plan.port)]);
  const pidFile = resolve(plan.folder, 'workerd.pid');
  const guard = async (): Promise<void> => plan.watchdog.guard('workerd', [Number(await readFile(pidFile, 'utf8'))]);
  let stopping = false;
  /** What breaks while the service stops is no news. */
  const tell = (line: string): void => {
    if (!stopping) plan.onLog(line);
  };
  const edge = await startLocalEdge({
    script,
    port: plan.port,
    // wrangler's own layout: `wrangler d1 execute DB --local --persist-to FOLDER` works on the same data.
    state: join(plan.folder, 'v3'),
    vars: plan.variables,
    apart: { pidFile },
    onLog: (_level, message) => plan.onLog(message),
    onMail: plan.onMail,
    pages,
    onRestart: () => {
      tell('workerd exited and was restarted');
      guard().catch(() => undefined);
    },
  });
  await guard();
  const cron = setInterval(() => void runCron(edge, tell), CRON_EVERY_MS);
  return {
    origin: edge.url.origin,
    stop: async () => {
      // A signal for the whole job may have ended workerd: its holds come back with a later sweep.
      await waitUntilSettled(edge).catch(() => undefined);
      stopping = true;
      clearInterval(cron);
      await edge.mf.dispose();
    },
  };
}

/** Waits for the settlement of the requests that have been taken so far. Those of a killed service come back with a later sweep. */
async function waitUntilSettled({ dbs }: LocalEdge): Promise<void> {
  const now = Date.now();
  const giveUpAt = performance.now() + SETTLED_WITHIN_MS;
  const open = 'SELECT id FROM holds WHERE closed_by IS NULL AND opened_at <= ? LIMIT 1';
  const isOpen = async (db: LocalEdge['db']) => (await db.prepare(open).bind(now).all()).results.length > 0;
  while (performance.now() < giveUpAt && (await Promise.all(dbs.map(isOpen))).includes(true)) await sleep(AGAIN_MS);
}

/** Asks for the Worker anew each time: a handle from before a restart of workerd throws at once. */
async function runCron({ mf }: LocalEdge, onLog: (line: string) => void): Promise<void> {
  try {
    const worker = await mf.getWorker('edge');
    await worker.scheduled({ cron: '* * * * *', scheduledTime: new Date() });
  } catch (error) {
    onLog(`cron failed, next run in ${CRON_EVERY_MS / 1000} s: ${String(error)}`);
  }
}
