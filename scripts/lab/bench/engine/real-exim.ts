import { startEximAt } from '../../mta/exim.ts';
import { startKeeper } from '../../mta/keeper.ts';
import { findPrograms } from '../../mta/packages.ts';
import { runClient, startSlowLink, type SlowLink } from './processes.ts';
import { count, type LeftOut, load, ms, peer, type Row, withPeer } from './rows.ts';

// Debian's Exim offers everyone PIPECONNECT. Met once, it is talked to right after the TCP handshake: round trips of its own
// replies, over a link that delays every packet.

const ROUND_TRIP_MS = 50;
const ONE_WAY_MS = 24.5;
const DOMAINS = 10;
const SMTP_PORT = 2527;
/** MX and A. */
const DNS_TRIPS = 2;

const CASES = [
  { what: 'refused', mailboxes: 'nobody-at-all', outcome: 'no_such_mailbox', trips: 2 },
  { what: 'accepted, with its made-up mailbox', mailboxes: 'u0', outcome: 'accepted', trips: 3 },
] as const;

/** One address after the other in domains that the same Exim serves, which has been met before. */
export async function realExim(): Promise<Row[] | LeftOut> {
  const installed = findPrograms();
  if (installed.kind === 'missing') return { leftOut: "one address at Debian's Exim", why: installed.why };
  const link = await startSlowLink(ONE_WAY_MS);
  try {
    const rows: Row[] = [];
    for (const one of CASES) rows.push(await measure(one, link, installed.programs.exim));
    return rows;
  } finally {
    await link.stop();
  }
}

async function measure(
  { what, mailboxes, outcome, trips }: (typeof CASES)[number],
  link: SlowLink,
  command: string,
): Promise<Row> {
  const keeper = await startKeeper();
  const ours = String.raw`\N^d[0-9]+\.test$\N`;
  const place = { smtpPort: SMTP_PORT, ip: link.farIp, slowIp: null, namespace: link.far };
  const exim = await startEximAt({ command, domains: ours, mailboxes, ...place }, keeper);
  try {
    const asked = load(link.farIp, { domains: DOMAINS, oneByOne: true, warmUpDomains: 1, smtpPort: SMTP_PORT });
    // The peer answers for DNS alone.
    const { result, othersPercent } = await withPeer(link.far, peer(link.farIp, {}), () =>
      runClient(link.near, 'engine-client.ts', asked),
    );
    const measured = result.wallMs / DOMAINS;
    const right = count(result, outcome);
    const floor = (DNS_TRIPS + trips) * ROUND_TRIP_MS;
    return {
      what: `one address at Debian's Exim, ${what} (DNS ${DNS_TRIPS} + ${trips} round trips of ${ROUND_TRIP_MS} ms)`,
      measured: `${ms(measured)}, ${right} of ${DOMAINS} right`,
      floor: ms(floor),
      bound: 'not less, and less than one round trip more, all right',
      holds: right === DOMAINS && measured > 0.97 * floor && measured < floor + ROUND_TRIP_MS,
      othersPercent,
    };
  } finally {
    await exim.stop();
    await keeper.release();
  }
}
