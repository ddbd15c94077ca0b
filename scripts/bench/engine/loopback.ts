import type { LoadFigures } from './load.ts';
import { runClient } from './processes.ts';
import { RIVALS, RIVALS_DATE } from './rivals.ts';
import { count, load, LOOPBACK, median, ms, peer, type Row, seconds, withPeer } from './rows.ts';

// On loopback, where the network costs nothing: processor time, memory and crowds.

const ROUNDS = 5;
const DOMAINS = 2_000;
/**
 * Until the compiler has seen what it needs: a host lives for weeks. Of what is measured its optimizing threads have a quarter
 * after 500 domains, a tenth after 4,000, a twentieth after 12,000.
 */
const WARM_UP_DOMAINS = 12_000;
/** Of the bare client's processor time. */
const CPU_RATIO_MAX = 1.3;
/** AfterShip's, without its start; see `rivals.ts`. */
const CPU_MS_MAX = 630;
const CROWDS = [20, 100, 1_000] as const;

/**
 * CPU time against the bare client's, in turns so that a drift of the machine meets both, 20 domains at once as in a
 * request. With more, servers that never idle make each of the bare client's system calls cheaper than it is in life.
 */
export async function cpu(): Promise<Row[]> {
  const asked = load(LOOPBACK, { domains: DOMAINS, concurrency: 20, warmUpDomains: WARM_UP_DOMAINS });
  const bare: LoadFigures[] = [];
  const engine: LoadFigures[] = [];
  let othersPercent: number | null = null;
  for (let round = 0; round < ROUNDS; round++) {
    const measured = await withPeer(null, peer(LOOPBACK, {}), async () => ({
      bare: await runClient(null, 'bare-client.ts', asked),
      engine: await runClient(null, 'engine-client.ts', asked),
    }));
    bare.push(measured.result.bare);
    engine.push(measured.result.engine);
    if (measured.othersPercent !== null) othersPercent = Math.max(othersPercent ?? 0, measured.othersPercent);
  }
  const bareMs = median(bare.map((run) => run.cpuMs));
  const engineMs = median(engine.map((run) => run.cpuMs));
  const happened = bare.every((run) => count(run, 'done') === DOMAINS) && engine.every(acceptsAll);
  const right = `${Math.min(...engine.map((run) => count(run, 'accepted')))} right in the worst of ${ROUNDS}`;
  return [
    {
      what: `${DOMAINS} domains, one accepted address each, after ${WARM_UP_DOMAINS} others: CPU time`,
      measured: `${ms(engineMs)}, ${(engineMs / bareMs).toFixed(2)} x, ${right}`,
      floor: `bare client ${ms(bareMs)}`,
      bound: `all right, at most ${CPU_RATIO_MAX} x`,
      holds: happened && engineMs <= CPU_RATIO_MAX * bareMs,
      othersPercent,
    },
    {
      what: 'the same, without the start',
      measured: `${ms(engineMs)}, ${((DOMAINS / engineMs) * 1000).toFixed(0)} addresses a second on one core`,
      floor: `bare client ${((DOMAINS / bareMs) * 1000).toFixed(0)} a second`,
      bound: `at most ${ms(CPU_MS_MAX)}`,
      holds: happened && engineMs <= CPU_MS_MAX,
      othersPercent,
    },
  ];
}

function acceptsAll(run: LoadFigures): boolean {
  return count(run, 'accepted') === DOMAINS;
}

/** The same domains with fewer and more of them at once, beside the last figures of other engines. */
export async function crowds(): Promise<Row[]> {
  const rows: Row[] = [];
  for (const concurrency of CROWDS) {
    const asked = load(LOOPBACK, { domains: DOMAINS, concurrency, warmUpDomains: 500 });
    const { result, served, othersPercent } = await withPeer(null, peer(LOOPBACK, {}), () =>
      runClient(null, 'engine-client.ts', asked),
    );
    const best = Math.min(...RIVALS.map(({ wallS }) => wallS[concurrency]));
    rows.push({
      what: `${DOMAINS} domains, ${concurrency} at once`,
      measured: `${seconds(result.wallMs)}, ${seconds(result.cpuMs)} of CPU, ${count(result, 'accepted')} right, ${served.heldAtMost} connections at once`,
      floor: `${RIVALS_DATE}: ${RIVALS.map(({ name, wallS, cpuS }) => `${name} ${wallS[concurrency]} s, ${cpuS[concurrency]} s of CPU`).join('; ')}`,
      bound: `all right, at most ${(1.1 * best).toFixed(2)} s`,
      holds: acceptsAll(result) && result.wallMs <= 1_100 * best,
      othersPercent,
    });
  }
  return rows;
}

/** Conversations with servers that fall silent before the greeting, after it, or after EHLO. */
export async function stalls(): Promise<Row[]> {
  const domains = 5_000;
  const deadlineMs = 20_000;
  const asked = load(LOOPBACK, { domains, concurrency: domains, deadlineMs });
  const { result, served, othersPercent } = await withPeer(null, peer(LOOPBACK, { mode: 'stall' }), () =>
    runClient(null, 'engine-client.ts', asked),
  );
  const ended = Object.values(result.outcomes).reduce((sum, one) => sum + one, 0);
  const lost = count(result, 'mx_lookup_failed');
  const happened = served.heldAtMost === domains && lost === 0;
  const what = `${served.heldAtMost} of ${domains} conversations that stall, open at once`;
  const row = (more: Pick<Row, 'what' | 'measured' | 'bound' | 'holds'>): Row => ({
    floor: '-',
    othersPercent,
    ...more,
  });
  return [
    row({
      what: `${what}: resident memory`,
      measured: `${result.rssMiB.toFixed(0)} MiB`,
      bound: 'under 400 MB, all open',
      holds: happened && result.rssMiB * 1.048576 < 400,
    }),
    row({
      what: `${what}: event-loop delay p99`,
      measured: `${result.loopP99Ms.toFixed(1)} ms`,
      bound: 'under 50 ms, all open',
      holds: happened && result.loopP99Ms < 50,
    }),
    row({
      what: `${what}: ended at their deadline of ${seconds(deadlineMs)}`,
      measured: `${ended} after ${seconds(result.wallMs)}, ${lost} failed look-ups`,
      bound: `all, within 1 s of it, no failed look-up`,
      holds: happened && ended === domains && result.wallMs < deadlineMs + 1_000,
    }),
  ];
}
