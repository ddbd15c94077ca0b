import { isIP } from 'node:net';
import { listOf, parseHostName, splitPort, type Parsed } from '../../base/options.ts';
import { canonicalIp } from '../../engine/targets/routable.ts';
import type { Resolve } from '../../engine/ports/ports.ts';
import { SMTP_PORT, type Gate, type Target } from '../../engine/targets/targets.ts';

/** A mail server to try port 25 with. `port` null: 25, or that of a declared route. */
export type AuditTarget = { readonly host: string; readonly port: number | null };

/** Of one host, by family: one address is enough to see a port open. */
const FAMILIES = [4, 6] as const;

export const parseAuditTargets = listOf(parseAuditTarget, ({ host, port }) => `${host}:${port ?? SMTP_PORT}`);

/** `HOST`, `HOST:PORT`, `IP` or `[IPv6]:PORT`. */
export function parseAuditTarget(text: string): Parsed<AuditTarget> {
  const parts = splitPort(text);
  const host = parts === null ? null : (canonicalIp(parts.host)?.ip ?? named(parts.host));
  if (parts === null || host === null)
    return { ok: false, problem: `expected HOST or HOST:PORT, such as mx.example.com:${SMTP_PORT}` };
  return { ok: true, value: { host, port: parts.port } };
}

function named(text: string): string | null {
  const name = parseHostName(text);
  return name.ok ? name.value : null;
}

/** Where a target may be dialled: one address of each family that it has. */
export async function addressesOf(
  { host, port }: AuditTarget,
  resolve: Resolve,
  gate: Gate,
  signal: AbortSignal,
): Promise<Target[]> {
  const { addresses } =
    isIP(host) === 0 ? await resolve.addresses(host, signal) : { addresses: [{ ip: host, declared: true }] };
  const admitted = addresses.flatMap((resolved) => gate.admit(host, resolved) ?? []);
  return FAMILIES.flatMap((family) => {
    const first = admitted.find((target) => target.family === family);
    return first === undefined ? [] : [{ ...first, port: port ?? first.port }];
  });
}
