import type { Family } from '../../engine/targets/routable.ts';
import type { Target } from '../../engine/targets/targets.ts';
import { sayEhlo, type Greeted } from './ehlo.ts';
import { mend, ok, unknown, type Finding } from './findings.ts';
import type { WayOut } from '../health/ways-out.ts';

const NAME_ONE = 'name one that reports the address: CANARY_HOST';
const HIDDEN = `no server reported the public address, so its names and SPF cannot be checked; ${NAME_ONE}`;

export type Seen = {
  readonly findings: readonly Finding[];
  /** The address that receivers see, canonical; null: there is no way out, or it is unknown. */
  readonly publicIp: string | null;
};

/** Route, port 25, and the address that receivers see. */
export async function checkWayOut(
  way: WayOut,
  family: Family,
  targets: readonly Target[],
  signal: AbortSignal,
): Promise<Seen> {
  const from = way.from.ip;
  const subject = `${from ?? 'default'} (IPv${family})`;
  const near = targets.filter((target) => target.family === family);
  const tried = await Promise.all(
    near.map(async (target) => ({ target, greeted: await sayEhlo(way, target, signal) })),
  );
  if (tried.every(({ greeted }) => greeted.kind === 'no_route')) {
    if (from === null && family === 6)
      return ends(ok('route', subject, 'no way to test it; only the few mail hosts without IPv4 need it'));
    if (tried.length > 0)
      return ends(
        mend(
          'route',
          subject,
          `no route; check that this machine has the address (EGRESS) and IPv${family} configured`,
        ),
      );
  }
  const port = describePort(subject, family, tried);
  const seen = tried.flatMap(({ greeted }) =>
    greeted.kind === 'greeted' && greeted.seen !== null ? [greeted.seen] : [],
  );
  const publicIp = [...seen, from].find((ip) => ip !== null && isPublic(way, ip)) ?? null;
  const address = publicIp === null ? unknown('address', subject, HIDDEN) : seenAs(subject, publicIp, from);
  return { findings: [port, address], publicIp };
}

type Tried = { readonly target: Target; readonly greeted: Greeted };

function describePort(subject: string, family: Family, tried: readonly Tried[]): Finding {
  if (tried.length === 0)
    return unknown('port_25', subject, `no mail server with IPv${family} to test with; ${NAME_ONE}`);
  const where = ({ target }: Tried): string => `${target.host} [${target.ip}]:${target.port}`;
  const greeted = tried.find((one) => one.greeted.kind === 'greeted');
  if (greeted !== undefined) return ok('port_25', subject, `outbound connections work: ${where(greeted)} greets`);
  for (const one of tried)
    if (one.greeted.kind === 'refused')
      return mend('port_25', subject, `${where(one)} refuses it: "${one.greeted.words}"; follow what the reply says`);
  const silent = tried.find((one) => one.greeted.kind === 'silent');
  if (silent !== undefined)
    return mend(
      'port_25',
      subject,
      `${where(silent)} accepts the connection but sends no greeting; a firewall may answer in its place`,
    );
  const all = tried.map(where).join(', ');
  return mend(
    'port_25',
    subject,
    `${all} cannot be reached; ask your hosting provider to open outbound port 25, and check the firewall`,
  );
}

function seenAs(subject: string, publicIp: string, from: string | null): Finding {
  return ok('address', subject, publicIp === from ? `is ${publicIp}` : `receivers see ${publicIp}`);
}

function isPublic({ gate }: WayOut, ip: string): boolean {
  return gate.admit('', { ip, declared: true }) !== null;
}

function ends(finding: Finding): Seen {
  return { findings: [finding], publicIp: null };
}
