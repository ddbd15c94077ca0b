import { setTimeout as sleep } from 'node:timers/promises';
import { Command } from 'commander';
import * as z from 'zod';
import type { HostEntry } from '../../../schema/admin.ts';
import { type Health, healthSchema } from '../../../schema/api.ts';
import { adminApi } from '../connection/api.ts';
import { AdminError, type Connection } from '../connection/client.ts';
import { connectionOf } from '../connection/connection.ts';
import { differencesOf, hostLines } from '../hosts/host-lines.ts';
import { byName } from '../output/natural-order.ts';
import { print } from '../output/print.ts';
import { checked } from '../../base/usage-error.ts';

const ANSWERS_WITHIN_MS = 10_000;
/** Clears a terminal and goes to its top (ECMA-48: CUP, ED). */
const CLEAR = '\x1b[H\x1b[J';

const optionsSchema = z.object({
  watch: z.boolean().default(false),
  every: z.coerce
    .number({ error: 'must be 1 to 3600 seconds' })
    .pipe(z.int().min(1, 'must be 1 to 3600 seconds').max(3_600, 'must be 1 to 3600 seconds')),
});

type Status = { readonly health: Health; readonly hosts: readonly HostEntry[] };

/** `status`: how the deployment is, once or until it is interrupted. */
export function statusCommand(write: (text: string) => void): Command {
  return new Command('status')
    .description('show the state of the deployment: problems, hosts with their load. Exit code 1: it does not serve')
    .option('--watch', 'repeat until Ctrl-C')
    .option('--every <seconds>', 'interval', '5')
    .action(async (given: unknown, command: Command) => {
      const { watch, every } = checked(optionsSchema, given, '--every');
      const connection = await connectionOf(command);
      for (;;) {
        const seen = await readStatus(connection).then((status) => ({ status }), explain);
        if ('error' in seen && !watch) throw seen.error;
        const lines = 'status' in seen ? statusLines(seen.status, Date.now()) : [seen.error.message];
        if (watch && command.optsWithGlobals()['json'] !== true) write(CLEAR);
        print(command, write, 'status' in seen ? seen.status : { error: seen.error.message }, lines);
        if ('status' in seen && !watch) return refuse(seen.status.health);
        await sleep(every * 1000);
      }
    });
}

function explain(error: unknown): { readonly error: AdminError } {
  if (error instanceof AdminError) return { error };
  throw error;
}

/** The exit code tells scripts what the text tells people. */
function refuse(health: Health): void {
  if (health.problems.length > 0) throw new AdminError(sentence(health), null);
}

function sentence({ problems }: Health): string {
  return `The deployment does not serve: ${problems.join('; ')}.`;
}

async function readStatus(connection: Connection): Promise<Status> {
  const [health, listed] = await Promise.all([
    readHealth(connection.origin),
    adminApi(connection)
      .listHosts()
      .then((all) => all, explain),
  ]);
  // Operators' calls fail with the database: what is wrong is known all the same.
  if ('error' in listed && health.problems.length > 0)
    throw new AdminError(`${sentence(health)} Its hosts are not known: ${listed.error.message}`, null);
  if ('error' in listed) throw listed.error;
  const { hosts } = listed;
  return { health, hosts: hosts.filter(({ state }) => state !== 'removed').toSorted(byName) };
}

async function readHealth(origin: string): Promise<Health> {
  try {
    const answer = await fetch(`${origin}/health`, { signal: AbortSignal.timeout(ANSWERS_WITHIN_MS) });
    return healthSchema.parse(await answer.json());
  } catch (error) {
    throw new AdminError(`No answer from ${origin}/health: is rcpt running there?`, null, error);
  }
}

/** For people; problems first. */
export function statusLines({ health, hosts }: Status, nowMs: number): readonly string[] {
  const at = new Date(nowMs).toISOString().slice(0, 19).replace('T', ' ');
  return [
    `${at} UTC   ${health.ready} of ${hosts.filter(isExpected).length} hosts take batches`,
    ...troublesOf(health, hosts).map((trouble) => `  ! ${trouble}`),
    '',
    ...hostLines(hosts, nowMs),
  ];
}

/** Whether the host counts: it is connected, or should be. A drained host that has left is not missed. */
function isExpected({ state, instances }: HostEntry): boolean {
  return state === 'active' || instances !== 0;
}

function troublesOf(health: Health, hosts: readonly HostEntry[]): readonly string[] {
  const { d1, cronAgeS, problems } = health;
  return [
    ...problems.map((problem) => `${problem}: edge/runbooks/service-down.md`),
    ...(d1 && cronAgeS === null ? ['the cron has never completed a run: edge/runbooks/service-down.md'] : []),
    ...hosts.flatMap((host) => troubleOf(host) ?? []),
  ];
}

function troubleOf(host: HostEntry): string | null {
  const { id, instances, healthy, why, processes, lastSeen } = host;
  if (!isExpected(host)) return null;
  if (instances === 0)
    return `${id} ${lastSeen === null ? 'never connected' : 'is not connected'}: prober/runbooks/host-away.md`;
  if (healthy === false) return `${id} is not healthy: ${why ?? 'unknown'}: prober/runbooks/host-sick.md`;
  const [difference] = differencesOf(host);
  if (difference !== undefined) return `${difference}: prober/runbooks/host-differs.md`;
  if (processes.every(({ refusing }) => refusing === 0)) return null;
  const named = new Set(processes.flatMap(({ refusals = [] }) => refusals.map(({ provider }) => provider)));
  return `${id} is refused by ${named.size === 0 ? 'a large provider' : [...named].join(', ')}: prober/runbooks/host-sick.md`;
}
