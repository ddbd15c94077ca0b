import { measureRoundTrip, runClient, startSlowLink, type SlowLink } from './processes.ts';
import { count, load, type Measured, ms, peer, type Row, seconds, withPeer } from './rows.ts';

// Over a link that delays every packet, between two network namespaces: round trips are what counts.

const ROUND_TRIP_MS = 50;
/** The relay itself takes half a millisecond each way on top of what it waits. */
const ONE_WAY_MS = 24.5;

async function overSlowLink(work: (link: SlowLink) => Promise<Row[]>): Promise<Row[]> {
  const link = await startSlowLink(ONE_WAY_MS);
  try {
    return [await linkItself(link), ...(await work(link))];
  } finally {
    await link.stop();
  }
}

/** The link of this very run: every other figure over it is to be read with this one. */
async function linkItself(link: SlowLink): Promise<Row> {
  const { result, othersPercent } = await withPeer(link.far, peer(link.farIp, {}), () =>
    measureRoundTrip(link.near, load(link.farIp, {})),
  );
  return {
    what: 'one round trip of the link (TCP handshake)',
    measured: `${result.toFixed(1)} ms`,
    floor: ms(ROUND_TRIP_MS),
    bound: 'within 3 %',
    holds: Math.abs(result - ROUND_TRIP_MS) <= 0.03 * ROUND_TRIP_MS,
    othersPercent,
  };
}

/** DNS is two round trips: MX, then A. */
export function roundTrips(): Promise<Row[]> {
  const domains = 10;
  const one = async (link: SlowLink, mode: 'exists' | 'unknown', trips: number): Promise<Row> => {
    const asked = load(link.farIp, {
      domains,
      perRequest: 1,
      oneByOne: true,
      madeUp: mode === 'exists',
      warmUpDomains: 3,
    });
    const { result, othersPercent } = await withPeer(link.far, peer(link.farIp, { mode }), async () => ({
      bare: await runClient(link.near, 'bare-client.ts', asked),
      engine: await runClient(link.near, 'engine-client.ts', asked),
    }));
    const measured = result.engine.wallMs / domains;
    const answered = count(result.engine, mode === 'exists' ? 'accepted' : 'no_such_mailbox');
    return {
      what: `one address, ${mode === 'exists' ? 'accepted' : 'refused'} (DNS 2 + ${trips} round trips of ${ROUND_TRIP_MS} ms)`,
      measured: `${ms(measured)}, ${answered} of ${domains} right`,
      floor: `${ms((2 + trips) * ROUND_TRIP_MS)}; bare client ${ms(result.bare.wallMs / domains)}`,
      bound: 'within 10 %, all right',
      holds: answered === domains && Math.abs(measured / ((2 + trips) * ROUND_TRIP_MS) - 1) <= 0.1,
      othersPercent,
    };
  };
  return overSlowLink(async (link) => [await one(link, 'unknown', 4), await one(link, 'exists', 5)]);
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

/** 500 addresses of one domain. */
export function oneDomain(): Promise<Row[]> {
  return overSlowLink(async (link) => {
    const rows: Row[] = [];
    for (const test of DOMAIN_CASES) {
      const measured = await withPeer(link.far, peer(link.farIp, test), () =>
        runClient(link.near, 'engine-client.ts', load(link.farIp, { addressesPerDomain: 500 })),
      );
      rows.push(domainRow(test, measured));
    }
    return rows;
  });
}

function domainRow(
  { what, mode, floor, boundMs }: DomainCase,
  { result, served, othersPercent }: Measured<Awaited<ReturnType<typeof runClient>>>,
): Row {
  const kind = mode === 'exists' ? 'accepted' : 'no_such_mailbox';
  const answered = count(result, kind);
  return {
    what,
    measured: `${seconds(result.wallMs)}, ${answered} of 500 ${kind}, ${served.connections} sessions, ${served.heldAtMost} at once`,
    floor,
    bound: `under ${seconds(boundMs)}, all answered`,
    holds: result.wallMs < boundMs && answered === 500,
    othersPercent,
  };
}

const SESSIONS_MAX = 40;
const SHARED_MS_MAX = 10_000;

/** One request for domains that all have the same mail host, within the engine's own limits. */
export function sharedHost(): Promise<Row[]> {
  const [domains, addresses] = [300, 500];
  return overSlowLink(async (link) => {
    const asked = load(link.farIp, {
      domains,
      addressesPerDomain: 2,
      addressesMax: addresses,
      concurrency: 20,
      limits: 'default',
    });
    const { result, served, othersPercent } = await withPeer(link.far, peer(link.farIp, { mode: 'shared' }), () =>
      runClient(link.near, 'engine-client.ts', asked),
    );
    const right = count(result, 'as_shared');
    return [
      {
        what: `${addresses} addresses in ${domains} domains at one mail host (a tenth takes all, a twentieth each refuses us and defers)`,
        measured: `${seconds(result.wallMs)}, ${served.connections} sessions, ${served.heldAtMost} at once, ${right} right`,
        floor: 'a session a domain: 300',
        bound: `all right, at most ${SESSIONS_MAX} sessions and ${seconds(SHARED_MS_MAX)}`,
        holds: right === addresses && served.connections <= SESSIONS_MAX && result.wallMs <= SHARED_MS_MAX,
        othersPercent,
      },
    ];
  });
}
