import { Command, Option } from 'commander';
import { measureIdle } from './idle-links.ts';
import { CONNECTIONS_PER_BATCH, measurePaced, type PacedFigures } from './paced.ts';

const HOSTS = [1, 2, 4] as const;
const LINKS = [0, 50, 200] as const;
/** Of what the pace allows. */
const RATE_MIN = 0.8;
/** Of the busiest host's processor time the least busy one must have used so much. */
const SHARE_MIN = 0.5;
/** What an idle link may cost: of a core, and of the 128 MB of an isolate. */
const LINK_CPU_MS_PER_MINUTE_MAX = 10;
const LINK_BYTES_MAX = 20_000;

type Row = { readonly what: string; readonly measured: string; readonly bound: string; readonly holds: boolean };
const NAMES = ['hosts', 'links'] as const;

/** `bench fleet`: what more hosts bring, and what hosts without work cost. */
export function fleetCommand(): Command {
  return new Command('fleet')
    .description('1, 2 and 4 hosts before mail servers at their pace; a Fleet object with 0, 50 and 200 idle links')
    .addOption(new Option('--only <name>', 'one part').choices(NAMES))
    .action(async ({ only }: { readonly only?: (typeof NAMES)[number] }) => {
      const rows: Row[] = [];
      if (only !== 'links') for (const hosts of HOSTS) rows.push(pacedRow(await measurePaced(hosts)));
      if (only !== 'hosts') rows.push(...(await idleRows()));
      const lines = rows.map((row) => `| ${row.what} | ${row.measured} | ${row.bound} | ${row.holds ? 'yes' : 'NO'} |`);
      process.stdout.write(['| what | measured | bound | holds |', '|---|---|---|---|', ...lines, ''].join('\n'));
      // Hosts of the bench go on dialling in.
      process.exit(rows.every(({ holds }) => holds) ? 0 : 1);
    });
}

function pacedRow(run: PacedFigures): Row {
  const cpu = run.hostCpuMs.map((ms) => ms.toFixed(0)).join(', ');
  const all = run.connections === run.answered * CONNECTIONS_PER_BATCH;
  const shared = Math.min(...run.hostCpuMs) >= SHARE_MIN * Math.max(...run.hostCpuMs);
  return {
    what: `${run.hosts} ${run.hosts === 1 ? 'host' : 'hosts'}, batches of ${CONNECTIONS_PER_BATCH} addresses at as many mail servers`,
    measured:
      `${run.batchesPerS.toFixed(1)} batches/s, p50 ${run.p50Ms.toFixed(0)} ms, p99 ${run.p99Ms.toFixed(0)} ms; ` +
      `${run.connections} connections for ${run.answered} batches; CPU of each host ${cpu} ms; load ${run.load.toFixed(1)}`,
    bound: `${RATE_MIN * 100} % of ${run.allowedPerS.toFixed(1)}, and no more; a connection for each address; every host at work`,
    holds: all && shared && run.batchesPerS >= RATE_MIN * run.allowedPerS && run.batchesPerS <= 1.05 * run.allowedPerS,
  };
}

async function idleRows(): Promise<readonly Row[]> {
  const none = await measureIdle(0);
  const rows: Row[] = [];
  for (const links of LINKS) {
    const run = links === 0 ? none : await measureIdle(links);
    const each = links === 0 ? 0 : (run.cpuMsPerMinute - none.cpuMsPerMinute) / links;
    const bytes = links === 0 ? 0 : (run.liveBytes - none.liveBytes) / links;
    rows.push({
      what: `${links} idle links, ${run.connected} at the end: workerd`,
      measured:
        `${run.cpuMsPerMinute.toFixed(0)} ms of CPU a minute, ${(run.liveBytes / 1e6).toFixed(1)} MB live` +
        (links === 0 ? '' : `; ${each.toFixed(1)} ms and ${(bytes / 1_000).toFixed(1)} kB a link`),
      bound: `${LINK_CPU_MS_PER_MINUTE_MAX} ms and ${LINK_BYTES_MAX / 1_000} kB a link, all there`,
      holds: run.connected === links && each <= LINK_CPU_MS_PER_MINUTE_MAX && bytes <= LINK_BYTES_MAX,
    });
  }
  return rows;
}
