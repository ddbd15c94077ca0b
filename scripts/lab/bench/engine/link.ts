import { DEFAULTS } from '../../../../prober/engine/ports/settings.ts';
import { runClient, startSlowLink, type SlowLink } from './processes.ts';
import { count, load, ms, peer, type Row, seconds, withPeer } from './rows.ts';

// Over a link that delays every packet, between two network namespaces: one address by itself and after another one, 500 of
// one domain, and what one account asks at the same mail hosts within the engine's own limits. The server counts the sessions.

/** A round trip of 20 ms: the relay itself takes half a millisecond each way on top of what it waits. */
const ONE_WAY_MS = 9.5;
const TRIP_MS = 20;
/** Domains at once of one request, as the engine has it. */
const LANES = DEFAULTS.lanes;
/** 97 round trips and a twentieth. */
const ONE_DOMAIN_MS_MAX = 2_050;

type Crowd = {
  readonly what: string;
  readonly mode: 'exists' | 'unknown' | 'shared';
  readonly domains: number;
  readonly addresses: number;
  readonly msMax: number;
  readonly sessionsMax: number;
};

const COMMON = { mode: 'exists', domains: 200, addresses: 200 } as const;

/** Each in one request. */
const CROWDS: readonly Crowd[] = [
  { ...COMMON, what: '200 domains', msMax: 8_000, sessionsMax: 30 },
  {
    what: '500 addresses in 300 domains with the same two MX hosts, every seventh refusing us by policy, every eleventh deferring',
    mode: 'shared',
    domains: 300,
    addresses: 500,
    msMax: 25_000,
    sessionsMax: 60,
  },
  // Nobody is accepted: each session ends at the refusals that an unknown server is asked for, and the pace decides.
  { ...COMMON, what: '200 domains, all refused', mode: 'unknown', msMax: 16_000, sessionsMax: 50 },
];

export async function overLink(): Promise<Row[]> {
  const link = await startSlowLink(ONE_WAY_MS);
  try {
    const rows: Row[] = [
      await one(link, { mode: 'unknown', trips: 4, warm: false }),
      await one(link, { mode: 'exists', trips: 5, warm: false }),
      await one(link, { mode: 'unknown', trips: 1, warm: true }),
      await one(link, { mode: 'exists', trips: 2, warm: true }),
      await oneDomain(link),
    ];
    for (const crowd of CROWDS) rows.push(await crowdRow(link, crowd));
    return rows;
  } finally {
    await link.stop();
  }
}

/**
 * One address after the other, each of another domain: with a session of its own or (`warm`) on the session of the one before.
 * @param trips besides the two of DNS
 */
async function one(
  link: SlowLink,
  { mode, trips, warm }: { readonly mode: 'exists' | 'unknown'; readonly trips: number; readonly warm: boolean },
): Promise<Row> {
  const domains = warm ? 6 : 10;
  const asked = load(link.farIp, { domains, perRequest: 1, oneByOne: true, warm, warmUpDomains: warm ? 1 : 3 });
  const { result, served } = await withPeer(link.far, peer(link.farIp, { mode }), () =>
    runClient(link.near, 'engine-client.ts', asked),
  );
  const measured = result.wallMs / domains;
  const right = count(result, mode === 'exists' ? 'accepted' : 'no_such_mailbox');
  const floor = (2 + trips) * TRIP_MS;
  return {
    what: `${warm ? 'the next' : 'one'} address, ${mode === 'exists' ? 'accepted' : 'refused'}`,
    measured: `${ms(measured)}, ${right} of ${domains} right${warm ? `, ${served.connections} session` : ''}`,
    floor: `DNS 2 + ${trips} round trips: ${ms(floor)}`,
    bound: `within 10 %, all right${warm ? ', one session' : ''}`,
    holds: right === domains && (!warm || served.connections === 1) && Math.abs(measured / floor - 1) <= 0.1,
  };
}

/** 500 that exist at a Postfix: 11 sessions and 97 round trips. */
async function oneDomain(link: SlowLink): Promise<Row> {
  const { result, served } = await withPeer(link.far, peer(link.farIp, { mode: 'exists' }), () =>
    runClient(link.near, 'engine-client.ts', load(link.farIp, { addressesPerDomain: 500 })),
  );
  const right = count(result, 'accepted');
  return {
    what: '500 that exist of one domain, Postfix',
    measured: `${seconds(result.wallMs)}, ${right} right, ${served.connections} sessions`,
    floor: '97 round trips',
    bound: `all right, ${seconds(ONE_DOMAIN_MS_MAX)}`,
    holds: right === 500 && result.wallMs < ONE_DOMAIN_MS_MAX,
  };
}

async function crowdRow(link: SlowLink, crowd: Crowd): Promise<Row> {
  const { what, mode, domains, addresses, msMax, sessionsMax } = crowd;
  const asked = load(link.farIp, {
    domains,
    addressesPerDomain: Math.ceil(addresses / domains),
    addressesMax: addresses,
    concurrency: LANES,
    limits: 'default',
  });
  // Not one of the kinds that the engine knows for patient.
  const options = peer(link.farIp, { mode, software: 'ready' });
  const { result, served } = await withPeer(link.far, options, () => runClient(link.near, 'engine-client.ts', asked));
  const right = count(result, mode === 'shared' ? 'as_shared' : mode === 'exists' ? 'accepted' : 'no_such_mailbox');
  return {
    what,
    measured: `${seconds(result.wallMs)}, ${served.connections} sessions, ${right} right`,
    floor: '-',
    bound: `all right, ${seconds(msMax)}, ${sessionsMax} sessions`,
    holds: right === addresses && result.wallMs <= msMax && served.connections <= sessionsMax,
  };
}
