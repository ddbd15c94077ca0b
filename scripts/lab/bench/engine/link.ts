import { DEFAULTS } from '../../../../prober/engine/ports/settings.ts';
import { ms, type Row, seconds } from '../table/table.ts';
import type { Load } from './load.ts';
import { runClient, startSlowLink, type SlowLink } from './processes.ts';
import { count, load, peer, withPeer } from './with-peer.ts';

// Over a link that delays every packet, between two network namespaces: one address by itself and after another one, 500 of
// one domain, and what one account asks at the same mail hosts within the engine's own limits. The server counts the sessions.

/** A round trip of 20 ms: the relay itself takes half a millisecond each way on top of what it waits. */
const ONE_WAY_MS = 9.5;
const TRIP_MS = 20;

type Mode = 'exists' | 'unknown' | 'shared';
/** The outcome that is right where the peer behaves like this. */
const RIGHT = { exists: 'accepted', unknown: 'no_such_mailbox', shared: 'as_shared' } as const;

/** One address after the other, each of another domain. `warm`: on the session of the one before. `trips`: besides the two of DNS. */
const SINGLES = [
  { mode: 'unknown', trips: 4, warm: false },
  { mode: 'exists', trips: 5, warm: false },
  { mode: 'unknown', trips: 1, warm: true },
  { mode: 'exists', trips: 2, warm: true },
] as const;

type Crowd = {
  readonly what: string;
  readonly mode: Mode;
  readonly addresses: number;
  readonly asked: Partial<Load>;
  readonly software: string;
  readonly msMax: number;
  readonly sessionsMax: number;
};

/** Within the limits of a host, at a server that is not one of the kinds that the engine knows for patient. */
const HURRIED = { asked: { limits: 'default', concurrency: DEFAULTS.lanes, domains: 200 }, software: 'ready' } as const;

/** Each in one request. */
const CROWDS: readonly Crowd[] = [
  {
    what: '500 that exist of one domain, Postfix: 97 round trips',
    mode: 'exists',
    addresses: 500,
    asked: { addressesPerDomain: 500 },
    software: 'Postfix',
    // And a twentieth.
    msMax: 2_050,
    sessionsMax: 11,
  },
  { ...HURRIED, what: '200 domains', mode: 'exists', addresses: 200, msMax: 8_000, sessionsMax: 30 },
  {
    ...HURRIED,
    what: '500 addresses in 300 domains with the same two MX hosts, every seventh refusing us by policy, every eleventh deferring',
    mode: 'shared',
    addresses: 500,
    asked: { ...HURRIED.asked, domains: 300, addressesPerDomain: 2, addressesMax: 500 },
    msMax: 25_000,
    sessionsMax: 60,
  },
  // Nobody is accepted: each session ends at the refusals that an unknown server is asked for, and the pace decides.
  { ...HURRIED, what: '200 domains, all refused', mode: 'unknown', addresses: 200, msMax: 16_000, sessionsMax: 50 },
];

export async function overLink(): Promise<Row[]> {
  const link = await startSlowLink(ONE_WAY_MS);
  try {
    const rows: Row[] = [];
    for (const single of SINGLES) rows.push(await singleRow(link, single));
    for (const crowd of CROWDS) rows.push(await crowdRow(link, crowd));
    return rows;
  } finally {
    await link.stop();
  }
}

async function singleRow(link: SlowLink, { mode, trips, warm }: (typeof SINGLES)[number]): Promise<Row> {
  const domains = warm ? 6 : 10;
  const asked = { domains, perRequest: 1, oneByOne: true, warm, warmUpDomains: warm ? 1 : 3 };
  const { wallMs, right, sessions } = await measure(link, mode, 'Postfix', asked);
  const measured = wallMs / domains;
  const floor = (2 + trips) * TRIP_MS;
  return {
    what: `${warm ? 'the next' : 'one'} address, ${mode === 'exists' ? 'accepted' : 'refused'}`,
    measured: `${ms(measured)}, ${right} of ${domains} right${warm ? `, ${sessions} session` : ''}`,
    floor: `DNS 2 + ${trips} round trips: ${ms(floor)}`,
    bound: `within 10 %, all right${warm ? ', one session' : ''}`,
    holds: right === domains && (!warm || sessions === 1) && Math.abs(measured / floor - 1) <= 0.1,
  };
}

async function crowdRow(link: SlowLink, crowd: Crowd): Promise<Row> {
  const { what, mode, addresses, msMax, sessionsMax } = crowd;
  const { wallMs, right, sessions } = await measure(link, mode, crowd.software, crowd.asked);
  return {
    what,
    measured: `${seconds(wallMs)}, ${sessions} sessions, ${right} right`,
    floor: '-',
    bound: `all right, ${seconds(msMax)}, ${sessionsMax} sessions`,
    holds: right === addresses && wallMs <= msMax && sessions <= sessionsMax,
  };
}

async function measure({ near, far, farIp }: SlowLink, mode: Mode, software: string, asked: Partial<Load>) {
  const { result, served } = await withPeer(far, peer(farIp, { mode, software }), () =>
    runClient(near, 'engine-client.ts', load(farIp, asked)),
  );
  return { wallMs: result.wallMs, right: count(result, RIGHT[mode]), sessions: served.connections };
}
