import { canonicalIp, isGloballyRoutable, type Family } from '../../engine/targets/routable.ts';
import type { Egress } from '../../engine/ports/settings.ts';
import type { Clock, Dial } from '../../engine/ports/ports.ts';
import type { Gate, Target } from '../../engine/targets/targets.ts';
import { sayEhlo, type Greeted } from './ehlo.ts';
import { mend, ok, unknown, type Finding } from './findings.ts';
import type { Names } from '../../node/resolve.ts';
import type { SourceAddress } from './source-address.ts';

const NAME_ONE = 'name one that reports the address: CANARY_HOST';

/** Documentation ranges: nothing is sent there, the system is only asked for the route. */
const FAR_AWAY = { 4: '192.0.2.1', 6: '2001:db8::1' } as const;

/** Everything that an audit needs from its surroundings. */
export type AuditWorld = {
  readonly names: Names;
  readonly dial: Dial;
  readonly clock: Clock;
  readonly sourceAddress: SourceAddress;
  readonly gate: Gate;
};

/** How one egress address reaches the outside in one family. */
export type WayOut = {
  readonly findings: readonly Finding[];
  /** The address that receivers see, canonical; null: there is no way out, or it is unknown. */
  readonly publicIp: string | null;
};

/** Route, port 25, and the address that receivers see. */
export async function checkWayOut(
  world: AuditWorld,
  { ip: from, heloName }: Egress,
  family: Family,
  targets: readonly Target[],
  signal: AbortSignal,
): Promise<WayOut> {
  const subject = `${from ?? 'default'} (IPv${family})`;
  const near = targets.filter((target) => target.family === family);
  const source = await world.sourceAddress(from, near[0]?.ip ?? FAR_AWAY[family]);
  if (source.kind === 'absent')
    return ends(mend('route', subject, 'this machine does not have the address; use one of its own: EGRESS'));
  if (source.kind === 'no_route') {
    if (from === null && family === 6)
      return ends(ok('route', subject, 'no route; the few mail hosts with only IPv6 addresses are unreachable'));
    return ends(mend('route', subject, `no route; configure IPv${family} for it on this machine`));
  }
  const local = canonicalIp(source.ip)?.ip ?? source.ip;
  // A server on this machine proves nothing about the way out; in a world of one's own there is no other.
  const others = near.filter(({ ip }) => ip !== local || !isGloballyRoutable(ip));
  const route = ok('route', subject, from === null ? `exists, from ${local}` : 'exists');
  const tried = await Promise.all(
    others.map(async (target) => ({ target, greeted: await sayEhlo(world, target, from, heloName, signal) })),
  );
  const port = describePort(subject, family, tried);
  const seen = tried.flatMap(({ greeted }) =>
    greeted.kind === 'greeted' && greeted.seen !== null ? [greeted.seen] : [],
  );
  const publicIp = [...seen, local].find((ip) => isPublic(world, ip)) ?? null;
  const address =
    publicIp === null ? unknown('address', subject, hiddenBehind(local)) : seenAs(subject, publicIp, local);
  return { findings: [route, port, address], publicIp };
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

function seenAs(subject: string, publicIp: string, local: string): Finding {
  return ok('address', subject, publicIp === local ? `is ${publicIp}` : `receivers see ${publicIp} for ${local}`);
}

function hiddenBehind(local: string): string {
  return `${local} is private and no server reported the public address, so its names and SPF cannot be checked; to see it, ${NAME_ONE}`;
}

function isPublic({ gate }: AuditWorld, ip: string): boolean {
  return gate.admit('', { ip, declared: true }) !== null;
}

function ends(finding: Finding): WayOut {
  return { findings: [finding], publicIp: null };
}
