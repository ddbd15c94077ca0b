import { adminApi } from '../../admin/connection/api.ts';
import { readOperatorKey } from '../../admin/connection/operator-key.ts';
import { newStateFolder, startRunningService } from '../../testing/running-service.ts';
import { openAccounts, waitClosed } from './accounts.ts';
import { auditBooks, type Books } from './books.ts';
import { startLoad } from './load.ts';
import { seededRandom } from './random.ts';
import { takeVictims, type Victim } from './victims.ts';

export type KillReport = Books & {
  readonly kills: Readonly<Record<Victim, number>>;
  readonly answered: number;
  readonly failed: number;
  readonly brokenOff: number;
};

const ACCOUNTS = ['killed-1', 'killed-2', 'killed-3'];
const CALLERS = 6;
/** Short, so that what was lost is swept within seconds. */
const VARIABLES = ['BATCH_DEADLINE_S=5', 'HOLD_GRACE_S=2', 'RATE_LIMIT=0'];
/** Deadline, grace, the local cron's period and something over. */
const SWEPT_WITHIN_MS = 40_000;

/**
 * Kills parts of a running service with SIGKILL while batches are under way, and goes through the books afterwards.
 * @param seed repeats what is killed, when and under which batches; not how the system schedules it
 * @param say one line of progress
 */
export async function runKills(kills: number, seed: number, say: (line: string) => void): Promise<KillReport> {
  const random = seededRandom(seed);
  const service = await startRunningService(
    await newStateFolder(),
    VARIABLES.flatMap((variable) => ['--var', variable]),
  );
  const { url, operatorKey } = service.ready;
  const admin = adminApi({ origin: new URL(url).origin, operator: await readOperatorKey(operatorKey) });
  const victims = takeVictims(service, admin);
  try {
    const customers = await openAccounts(admin, ACCOUNTS);
    const load = startLoad(url, customers, CALLERS, seededRandom(seed + 1));
    const killed: Record<Victim, number> = { workerd: 0, host: 0, both: 0 };
    for (let round = 1; round <= kills; round += 1) {
      await new Promise((wake) => setTimeout(wake, random.whole(100, 1_500)));
      const victim = random.oneOf<Victim>(['workerd', 'host', 'both']);
      await victims.kill(victim);
      killed[victim] += 1;
      await victims.recovered();
      say(`${round}/${kills} ${victim}: ${load.answered.length} batches answered, ${load.brokenOff()} broken off`);
    }
    await load.stop();
    await waitClosed(admin, customers, SWEPT_WITHIN_MS);
    const books = await auditBooks(admin, customers, load.answered);
    const { answered, failed } = load;
    for (const line of linesAbout(failed, service.err())) say(`500: ${line}`);
    return { ...books, kills: killed, answered: answered.length, failed: failed.size, brokenOff: load.brokenOff() };
  } finally {
    await victims.stop();
    await service.stop();
  }
}

/** What the edge logged of these requests: why it answered them with 500. */
function linesAbout(ids: ReadonlySet<string>, log: string): readonly string[] {
  return log.split('\n').filter((line) => [...ids].some((id) => line.includes(id)));
}
