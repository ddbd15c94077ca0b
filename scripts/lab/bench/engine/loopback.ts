import { median, ms, type Row, seconds } from '../table/table.ts';
import type { LoadFigures } from './load.ts';
import { runClient } from './processes.ts';
import { count, load, LOOPBACK, peer, withPeer } from './with-peer.ts';

// On loopback, where the network costs nothing: processor time, memory and crowds.

const ROUNDS = 5;
const DOMAINS = 2_000;
/**
 * Until the compiler has seen what it needs: a host lives for weeks. Of what is measured its optimizing threads have a quarter
 * after 500 domains, a tenth after 4,000, a twentieth after 12,000.
 */
const WARM_UP_DOMAINS = 12_000;
/** Of the bare client's processor time. */
const CPU_RATIO_MAX = 1.4;
/** Domains at once: as in a request, and more. */
const CROWDS = [20, 100, 1_000] as const;

/** CPU and wall time against the bare client's at the same work, in turns so that a drift of the machine meets both. */
export async function cpu(): Promise<Row[]> {
  const rows: Row[] = [];
  for (const concurrency of CROWDS) {
    const asked = load(LOOPBACK, { domains: DOMAINS, concurrency, warmUpDomains: WARM_UP_DOMAINS });
    const bare: LoadFigures[] = [];
    const engine: LoadFigures[] = [];
    for (let round = 0; round < ROUNDS; round++)
      for (const [client, all] of [
        ['bare-client.ts', bare],
        ['engine-client.ts', engine],
      ] as const)
        all.push((await withPeer(null, peer(LOOPBACK, {}), () => runClient(null, client, asked))).result);
    const bareMs = median(bare.map((one) => one.cpuMs));
    const engineMs = median(engine.map((one) => one.cpuMs));
    const done = Math.min(...bare.map((one) => count(one, 'done')));
    const right = Math.min(...engine.map((one) => count(one, 'accepted')));
    rows.push({
      what: `${DOMAINS} domains, one accepted address each, ${concurrency} at once, after ${WARM_UP_DOMAINS} others: CPU`,
      measured: `${ms(engineMs)}, ${(engineMs / bareMs).toFixed(2)} x, wall ${seconds(median(engine.map((one) => one.wallMs)))}, ${right} right`,
      floor: `bare client ${ms(bareMs)}, wall ${seconds(median(bare.map((one) => one.wallMs)))}`,
      bound: `all right, at most ${CPU_RATIO_MAX.toFixed(2)} x`,
      holds: Math.min(done, right) === DOMAINS && engineMs <= CPU_RATIO_MAX * bareMs,
    });
  }
  return rows;
}

/** Conversations with servers that fall silent before the greeting, after it, or after EHLO. */
export async function stalls(): Promise<Row[]> {
  const domains = 5_000;
  const deadlineMs = 20_000;
  const asked = load(LOOPBACK, { domains, concurrency: domains, deadlineMs });
  const { result, served } = await withPeer(null, peer(LOOPBACK, { mode: 'stall' }), () =>
    runClient(null, 'engine-client.ts', asked),
  );
  const ended = Object.values(result.outcomes).reduce((sum, one) => sum + one, 0);
  const lost = count(result, 'mx_lookup_failed');
  const { rssMiB, loopP99Ms, wallMs } = result;
  return [
    {
      what: `${domains} conversations that stall, with a deadline of ${seconds(deadlineMs)}`,
      measured: `${served.heldAtMost} open at once, ${rssMiB.toFixed(0)} MiB, event loop p99 ${loopP99Ms.toFixed(1)} ms, ${ended} ended after ${seconds(wallMs)}, ${lost} failed look-ups`,
      floor: '-',
      bound: 'all open at once, 400 MB, 50 ms, all ended within 1 s of the deadline, no failed look-up',
      holds:
        served.heldAtMost === domains &&
        lost === 0 &&
        rssMiB * 1.048576 < 400 &&
        loopP99Ms < 50 &&
        ended === domains &&
        wallMs < deadlineMs + 1_000,
    },
  ];
}
