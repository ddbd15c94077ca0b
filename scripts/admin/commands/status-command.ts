import { Command } from 'commander';
import type { HostEntry, Overview } from '../../../schema/admin.ts';
import { type Health, healthSchema } from '../../../schema/api.ts';
import { isExpected } from '../../../schema/words/fleet-troubles.ts';
import { type Traffic, trafficOf } from '../../../schema/words/traffic.ts';
import { recoveryOf, troublesOf } from '../../../schema/words/troubles.ts';
import { adminApi } from '../connection/api.ts';
import { AdminError, type Connection } from '../connection/client.ts';
import { connectionOf } from '../connection/connection.ts';
import { hostLines } from '../hosts/host-lines.ts';
import { byName } from '../output/natural-order.ts';
import { amount, print, table } from '../output/print.ts';

const ANSWERS_WITHIN_MS = 10_000;

type Status = { readonly health: Health; readonly hosts: readonly HostEntry[]; readonly overview: Overview | null };

/** `status`: how the deployment is. */
export function statusCommand(write: (text: string) => void): Command {
  return new Command('status')
    .description('show the state of the deployment: problems, hosts with their load. Exit code 1: it does not serve')
    .action(async (_options: unknown, command: Command) => {
      const status = await readStatus(await connectionOf(command));
      print(command, write, status, statusLines(status, Date.now()));
      // The exit code tells scripts what the text tells people.
      if (status.health.problems.length > 0) throw new AdminError(sentence(status.health), null);
    });
}

function explain(error: unknown): { readonly error: AdminError } {
  if (error instanceof AdminError) return { error };
  throw error;
}

function sentence({ problems }: Health): string {
  return `The deployment does not serve: ${problems.join('; ')}.`;
}

async function readStatus(connection: Connection): Promise<Status> {
  const api = adminApi(connection);
  const [health, listed, overview] = await Promise.all([
    readHealth(connection.origin),
    api.listHosts().then((all) => all, explain),
    api.showOverview().catch(() => null),
  ]);
  // Operators' calls fail with the database: what is wrong is known all the same.
  if ('error' in listed && health.problems.length > 0)
    throw new AdminError(`${sentence(health)} Its hosts are not known: ${listed.error.message}`, null);
  if ('error' in listed) throw listed.error;
  const { hosts } = listed;
  return { health, hosts: hosts.filter(({ state }) => state !== 'removed').toSorted(byName), overview };
}

async function readHealth(origin: string): Promise<Health> {
  const answer = await fetch(`${origin}/health`, { signal: AbortSignal.timeout(ANSWERS_WITHIN_MS) }).catch(
    (error: unknown) => {
      throw new AdminError(`No answer from ${origin}/health: is rcpt running there?`, null, error);
    },
  );
  const health = healthSchema.safeParse(await answer.json().catch(() => null));
  if (health.success) return health.data;
  const why = answer.status === 500 ? 'its variables or secrets may be wrong: see its log' : 'is it rcpt?';
  throw new AdminError(`${origin}/health answered ${answer.status}: ${why}`, null);
}

/** For people; problems first. */
export function statusLines({ health, hosts, overview }: Status, nowMs: number): readonly string[] {
  const at = new Date(nowMs).toISOString().slice(0, 19).replace('T', ' ');
  const minutes = overview === null ? null : (overview.minutes ?? 'unknown');
  const troubles = troublesOf({ health, hosts, minutes }, nowMs);
  const recovery = recoveryOf({ minutes }, nowMs);
  const serves =
    health.problems.length > 0 ? 'does not serve' : troubles.length > 0 ? 'serves, with trouble' : 'all is well';
  return [
    `${at} UTC   ${serves}   ${health.ready} of ${hosts.filter(isExpected).length} hosts are ready`,
    ...troubles.map(({ text, runbook }) => `  ! ${text}: ${runbook}`),
    ...(recovery === null
      ? []
      : [
          `  nothing logged since ${new Date(recovery.sinceMs).toISOString().slice(11, 16)} UTC; before that: ${recovery.before}`,
        ]),
    ...trafficLines(overview),
    '',
    ...hostLines(hosts, nowMs),
  ];
}

/** The last hour and the last day. */
function trafficLines(overview: Overview | null): readonly string[] {
  const { minutes = null, hours = null } = overview ?? {};
  if (minutes === null || hours === null) return ['', 'what calls came to is not known'];
  return [
    '',
    ...table([
      ['', 'calls', 'addresses', 'our faults', 'left early', 'p50 up to', 'p99 up to', 'reasons'],
      row('last hour', trafficOf(minutes)),
      row('last day', trafficOf(hours.slice(0, 24))),
    ]),
  ];
}

function row(name: string, { calls, addresses, faults, gone, p50Ms, p99Ms, reasons }: Traffic): readonly string[] {
  return [
    name,
    amount(calls),
    amount(addresses),
    calls === 0 ? '-' : `${((100 * faults) / calls).toFixed(1)} %`,
    amount(gone),
    p50Ms === null ? '-' : `${amount(p50Ms)} ms`,
    p99Ms === null ? '-' : `${amount(p99Ms)} ms`,
    reasons
      .slice(0, 4)
      .map(([reason, n]) => `${reason} ${amount(n)}`)
      .join(', ') || '-',
  ];
}
