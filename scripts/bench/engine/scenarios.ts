import type { Load, LoadFigures } from './load.ts';
import type { PeerOptions } from './peer.ts';
import { measureRoundTrip, runClient, startPeer, startSlowLink, type SlowLink } from './processes.ts';

/** One line of the table: what was measured, its floor from the same run, and what it has to stay under. */
export type Row = {
  readonly what: string;
  readonly measured: string;
  readonly floor: string;
  readonly bound: string;
  readonly holds: boolean;
};

const LOOPBACK = '127.0.30.1';
const SMTP_PORT = 2526;
const DNS_PORT = 5301;
const ROUND_TRIP_MS = 50;
/** The relay itself takes half a millisecond each way on top of what it waits. */
const ONE_WAY_MS = 24.5;
const ROUNDS = 5;

const load = (ip: string, more: Partial<Load>): Load => ({
  ip,
  smtpPort: SMTP_PORT,
  dnsPort: DNS_PORT,
  domains: 1,
  addressesPerDomain: 1,
  concurrency: 1,
  deadlineMs: 90_000,
  madeUp: true,
  warmUpDomains: 0,
  ...more,
});
const peer = (ip: string, more: Partial<PeerOptions>): PeerOptions => ({
  ip,
  smtpPort: SMTP_PORT,
  dnsPort: DNS_PORT,
  mode: 'exists',
  pipelining: true,
  software: 'Postfix',
  ...more,
});

/** Runs `work` with a peer beside it. */
async function withPeer<T>(namespace: string | null, options: PeerOptions, work: () => Promise<T>): Promise<T> {
  const running = await startPeer(namespace, options);
  try {
    return await work();
  } finally {
    await running.stop();
  }
}

async function overSlowLink(work: (link: SlowLink) => Promise<Row[]>): Promise<Row[]> {
  const link = await startSlowLink(ONE_WAY_MS);
  try {
    return await work(link);
  } finally {
    await link.stop();
  }
}

const ms = (value: number): string => `${value.toFixed(0)} ms`;
const seconds = (value: number): string => `${(value / 1000).toFixed(2)} s`;
const median = (values: readonly number[]): number => values.toSorted((a, b) => a - b)[values.length >> 1] ?? 0;

/** The link of this very run: every other figure over it is to be read with this one. */
function linkItself(link: SlowLink): Promise<Row> {
  return withPeer(link.far, peer(link.farIp, {}), async () => {
    const measured = await measureRoundTrip(link.near, load(link.farIp, {}));
    return {
      what: 'one round trip of the link (TCP handshake)',
      measured: `${measured.toFixed(1)} ms`,
      floor: ms(ROUND_TRIP_MS),
      bound: 'within 3 %',
      holds: Math.abs(measured - ROUND_TRIP_MS) <= 0.03 * ROUND_TRIP_MS,
    };
  });
}

/** DNS is two round trips: MX, then A and AAAA together. */
export function roundTrips(): Promise<Row[]> {
  const domains = 10;
  const one = async (link: SlowLink, mode: 'exists' | 'unknown', trips: number): Promise<Row> =>
    withPeer(link.far, peer(link.farIp, { mode }), async () => {
      const asked = load(link.farIp, { domains, madeUp: mode === 'exists', warmUpDomains: 3 });
      const bare = await runClient(link.near, 'bare-client.ts', asked);
      const engine = await runClient(link.near, 'engine-client.ts', asked);
      const measured = engine.wallMs / domains;
      return {
        what: `one address, ${mode === 'exists' ? 'accepted' : 'refused'} (DNS 2 + ${trips} round trips of ${ROUND_TRIP_MS} ms)`,
        measured: ms(measured),
        floor: `${ms((2 + trips) * ROUND_TRIP_MS)}; bare client ${ms(bare.wallMs / domains)}`,
        bound: 'within 10 %',
        holds: measured <= 1.1 * (2 + trips) * ROUND_TRIP_MS,
      };
    });
  return overSlowLink(async (link) => [
    await linkItself(link),
    await one(link, 'unknown', 4),
    await one(link, 'exists', 5),
  ]);
}

type DomainCase = {
  readonly what: string;
  readonly mode: 'exists' | 'unknown';
  readonly software: string;
  readonly pipelining: boolean;
  readonly boundMs: number;
  readonly floor: string;
};

const DOMAIN_CASES: readonly DomainCase[] = [
  {
    what: '500 that exist, Postfix (budget 9)',
    mode: 'exists',
    software: 'Postfix',
    pipelining: true,
    boundMs: 5_000,
    floor: '11 sessions, 97 round trips: 4.85 s',
  },
  {
    what: '500 that exist, unnamed server (budget 4)',
    mode: 'exists',
    software: 'ready',
    pipelining: true,
    boundMs: 9_000,
    floor: '11 sessions, 167 round trips: 8.35 s',
  },
  {
    what: '500 that exist, no PIPELINING',
    mode: 'exists',
    software: 'Postfix',
    pipelining: false,
    boundMs: 28_500,
    floor: '501 + 11 sessions x 4 round trips: 27.3 s',
  },
  {
    what: '500 unknown, Postfix (budget 9)',
    mode: 'unknown',
    software: 'Postfix',
    pipelining: true,
    boundMs: 30_000,
    floor: '56 sessions x 4 round trips: 11.2 s',
  },
];

/** 500 addresses of one domain, over the slow link. */
export function oneDomain(): Promise<Row[]> {
  return overSlowLink(async (link) => {
    const rows: Row[] = [await linkItself(link)];
    for (const test of DOMAIN_CASES) {
      rows.push(
        await withPeer(link.far, peer(link.farIp, test), async () => {
          const asked = load(link.farIp, { addressesPerDomain: 500 });
          const { wallMs, outcomes } = await runClient(link.near, 'engine-client.ts', asked);
          const kind = test.mode === 'exists' ? 'accepted' : 'no_such_mailbox';
          const answered = outcomes[kind] ?? 0;
          return {
            what: test.what,
            measured: `${seconds(wallMs)}, ${answered} of 500 ${kind}`,
            floor: test.floor,
            bound: `under ${seconds(test.boundMs)}, all answered`,
            holds: wallMs < test.boundMs && answered === 500,
          };
        }),
      );
    }
    return rows;
  });
}

/**
 * CPU time against the bare client's, in turns so that a drift of the machine meets both, 20 domains at once as in a
 * request. With more, servers that never idle make each of the bare client's system calls cheaper than it is in life.
 */
export function cpu(): Promise<Row[]> {
  const domains = 2_000;
  return withPeer(null, peer(LOOPBACK, {}), async () => {
    const asked = load(LOOPBACK, { domains, concurrency: 20, warmUpDomains: 500 });
    const bare: LoadFigures[] = [];
    const engine: LoadFigures[] = [];
    for (let round = 0; round < ROUNDS; round++) {
      bare.push(await runClient(null, 'bare-client.ts', asked));
      engine.push(await runClient(null, 'engine-client.ts', asked));
    }
    const bareMs = median(bare.map((run) => run.cpuMs));
    const engineMs = median(engine.map((run) => run.cpuMs));
    const perSecond = (domains / engineMs) * 1000;
    return [
      {
        what: `${domains} domains, one accepted address each: CPU time`,
        measured: `${ms(engineMs)}, ${(engineMs / bareMs).toFixed(2)} x`,
        floor: `bare client ${ms(bareMs)}`,
        bound: 'at most 1.5 x',
        holds: engineMs <= 1.5 * bareMs,
      },
      {
        what: 'the same: addresses a second on one core',
        measured: perSecond.toFixed(0),
        floor: ((domains / bareMs) * 1000).toFixed(0),
        bound: 'at least 1000',
        holds: perSecond >= 1000,
      },
    ];
  });
}

/** Conversations with servers that fall silent before the greeting, after it, or after EHLO. */
export function stalls(): Promise<Row[]> {
  const domains = 5_000;
  const deadlineMs = 20_000;
  return withPeer(null, peer(LOOPBACK, { mode: 'stall' }), async () => {
    const asked = load(LOOPBACK, { domains, concurrency: domains, deadlineMs });
    const run = await runClient(null, 'engine-client.ts', asked);
    const answered = Object.values(run.outcomes).reduce((sum, count) => sum + count, 0);
    const what = `${domains} conversations that stall`;
    return [
      {
        what: `${what}: resident memory`,
        measured: `${run.rssMiB.toFixed(0)} MiB`,
        floor: '-',
        bound: 'under 400 MB',
        holds: run.rssMiB * 1.048576 < 400,
      },
      {
        what: `${what}: event-loop delay p99`,
        measured: `${run.loopP99Ms.toFixed(1)} ms`,
        floor: '-',
        bound: 'under 50 ms',
        holds: run.loopP99Ms < 50,
      },
      {
        what: `${what}: ended at their deadline of ${seconds(deadlineMs)}`,
        measured: `${answered} after ${seconds(run.wallMs)}`,
        floor: '-',
        bound: `all, within 1 s of it`,
        holds: answered === domains && run.wallMs < deadlineMs + 1_000,
      },
    ];
  });
}
