import { DEFAULTS } from '../../../../prober/engine/ports/settings.ts';
import type { Load } from './load.ts';
import { prepareProbe, runProbe } from './probe-client.ts';
import { measureRoundTrip, runClient, startSlowLink, type SlowLink } from './processes.ts';
import { count, load, ms, peer, type Row, seconds, withPeer } from './rows.ts';

// Over a link that delays every packet, between two network namespaces: one address by itself and after another one, 500 of
// one domain, and what one account asks at the same mail hosts within the engine's own limits. The server counts the sessions.

/** A round trip of 20 ms: the relay itself takes half a millisecond each way on top of what it waits. */
const ONE_WAY_MS = 9.5;
/** Domains at once of one request, as the engine has it. */
const LANES = DEFAULTS.lanes;
/** 97 round trips and a twentieth. */
const ONE_DOMAIN_MS_MAX = 2_050;
/** Sessions at once that the floor has: as many as an account may have at an address. */
const AT_ONCE = 8;

type Crowd = {
  readonly what: string;
  readonly client: 'engine' | 'probe';
  readonly mode: 'exists' | 'unknown' | 'shared';
  readonly mxHosts: 1 | 2;
  readonly domains: number;
  readonly addresses: number;
  readonly perRequest: number;
  readonly msMax: number;
  readonly sessionsMax: number;
};

/** An address of each of 200 domains, in one request. */
const COMMON = { client: 'engine', mode: 'exists', mxHosts: 1, domains: 200, addresses: 200, perRequest: 200 } as const;

const CROWDS: readonly Crowd[] = [
  { ...COMMON, what: '200 domains in one request', msMax: 8_000, sessionsMax: 30 },
  { ...COMMON, what: '200 requests of one address each, at once', perRequest: 1, msMax: 20_000, sessionsMax: 58 },
  {
    ...COMMON,
    what: '500 domains in 25 requests at once',
    domains: 500,
    addresses: 500,
    perRequest: 20,
    msMax: 45_000,
    sessionsMax: 94,
  },
  { ...COMMON, what: '`probe`, 200 domains', client: 'probe', perRequest: 1, msMax: 8_000, sessionsMax: 30 },
  ...([1, 2] as const).flatMap((mxHosts) =>
    (['engine', 'probe'] as const).map((client) => ({
      ...COMMON,
      what: `${client === 'probe' ? '`probe`, ' : ''}500 addresses in 300 domains with ${mxHosts === 1 ? 'one MX host' : 'the same two MX hosts'}, every seventh refusing us by policy, every eleventh deferring`,
      client,
      mode: 'shared' as const,
      mxHosts,
      domains: 300,
      addresses: 500,
      perRequest: client === 'probe' ? 1 : 500,
      msMax: 25_000,
      sessionsMax: 60,
    })),
  ),
  // Nobody is accepted: each session ends at the refusals that an unknown server is asked for, and the pace decides.
  { ...COMMON, what: '200 domains in one request, all refused', mode: 'unknown', msMax: 16_000, sessionsMax: 50 },
];

export async function overLink(): Promise<Row[]> {
  await prepareProbe();
  const link = await startSlowLink(ONE_WAY_MS);
  try {
    const { result: tripMs } = await withPeer(link.far, peer(link.farIp, {}), () =>
      measureRoundTrip(link.near, load(link.farIp, {})),
    );
    const rows: Row[] = [
      await one(link, tripMs, { mode: 'unknown', trips: 4, warm: false }),
      await one(link, tripMs, { mode: 'exists', trips: 5, warm: false }),
      await one(link, tripMs, { mode: 'unknown', trips: 1, warm: true }),
      await one(link, tripMs, { mode: 'exists', trips: 2, warm: true }),
      await oneDomain(link),
    ];
    for (const crowd of CROWDS) rows.push(await crowdRow(link, crowd));
    return rows;
  } finally {
    await link.stop();
  }
}

/**
 * One address after the other, each of another domain: with a session of its own, beside a client that does nothing else, or
 * (`warm`) on the session of the one before.
 * @param tripMs as the link has it in this run
 * @param trips besides the two of DNS
 */
async function one(
  link: SlowLink,
  tripMs: number,
  { mode, trips, warm }: { readonly mode: 'exists' | 'unknown'; readonly trips: number; readonly warm: boolean },
): Promise<Row> {
  const domains = warm ? 6 : 10;
  const asked = load(link.farIp, {
    domains,
    perRequest: 1,
    oneByOne: true,
    warm,
    madeUp: mode === 'exists',
    warmUpDomains: warm ? 1 : 3,
  });
  const options = peer(link.farIp, { mode });
  const bare = warm ? null : await withPeer(link.far, options, () => runClient(link.near, 'bare-client.ts', asked));
  const { result, served, othersPercent } = await withPeer(link.far, options, () =>
    runClient(link.near, 'engine-client.ts', asked),
  );
  const measured = result.wallMs / domains;
  const right = count(result, mode === 'exists' ? 'accepted' : 'no_such_mailbox');
  const floor = (2 + trips) * tripMs;
  const which = `${warm ? 'the next' : 'one'} address, ${mode === 'exists' ? 'accepted' : 'refused'}`;
  return {
    what: `${which} (DNS 2 + ${trips} round trips of ${tripMs.toFixed(1)} ms)`,
    measured: `${ms(measured)}, ${right} of ${domains} right${warm ? `, ${served.connections} session` : ''}`,
    floor: `${ms(floor)}${bare === null ? '' : `; bare client ${ms(bare.result.wallMs / domains)}`}`,
    bound: `within 10 %, all right${warm ? ', one session' : ''}`,
    holds: right === domains && (!warm || served.connections === 1) && Math.abs(measured / floor - 1) <= 0.1,
    othersPercent,
  };
}

/** 500 that exist at a Postfix: 11 sessions and 97 round trips. */
async function oneDomain(link: SlowLink): Promise<Row> {
  const { result, served, othersPercent } = await withPeer(link.far, peer(link.farIp, { mode: 'exists' }), () =>
    runClient(link.near, 'engine-client.ts', load(link.farIp, { addressesPerDomain: 500 })),
  );
  const right = count(result, 'accepted');
  return {
    what: '500 that exist of one domain, Postfix',
    measured: `${seconds(result.wallMs)}, ${right} right, ${served.connections} sessions`,
    floor: '97 round trips',
    bound: `all right, ${seconds(ONE_DOMAIN_MS_MAX)}`,
    holds: right === 500 && result.wallMs < ONE_DOMAIN_MS_MAX,
    othersPercent,
  };
}

async function crowdRow(link: SlowLink, crowd: Crowd): Promise<Row> {
  const { what, client, mode, mxHosts, domains, addresses, perRequest, msMax, sessionsMax } = crowd;
  const asked = load(link.farIp, {
    domains,
    addressesPerDomain: Math.ceil(addresses / domains),
    addressesMax: addresses,
    perRequest,
    concurrency: LANES * Math.ceil(addresses / perRequest),
    limits: 'default',
  });
  // Not one of the kinds that the engine knows for patient.
  const options = peer(link.farIp, { mode, software: 'ready', mxHosts });
  const bare = await withPeer(link.far, options, () =>
    runClient(link.near, 'bare-client.ts', { ...asked, concurrency: AT_ONCE, madeUp: mode === 'exists' }),
  );
  const { result, served, othersPercent } = await withPeer(link.far, options, () =>
    client === 'probe'
      ? runProbe(link.near, asked, mode === 'shared' ? undefined : 'tells')
      : runEngine(link.near, asked, mode),
  );
  const { wallMs, right } = result;
  return {
    what,
    measured: `${seconds(wallMs)}, ${served.connections} sessions, ${right} right`,
    floor: `a session a domain, ${AT_ONCE} at once, no limits: ${seconds(bare.result.wallMs)}`,
    bound: `all right, ${seconds(msMax)}, ${sessionsMax} sessions`,
    holds: right === addresses && wallMs <= msMax && served.connections <= sessionsMax,
    othersPercent,
  };
}

async function runEngine(namespace: string, asked: Load, mode: Crowd['mode']) {
  const figures = await runClient(namespace, 'engine-client.ts', asked);
  const right = mode === 'shared' ? 'as_shared' : mode === 'exists' ? 'accepted' : 'no_such_mailbox';
  return { wallMs: figures.wallMs, right: count(figures, right) };
}
