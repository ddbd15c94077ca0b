import { isIP } from 'node:net';
import type { Parsed } from '../../../prober/options.ts';
import type { Resolve } from '../../../prober/engine/ports/ports.ts';
import { SMTP_PORT, type Gate, type Target } from '../../../prober/engine/targets/targets.ts';
import { hostNameSchema } from '../../../schema/evidence.ts';

/** A mail server to try port 25 with. `port` null: 25, or that of a declared route. */
export type AuditTarget = { readonly host: string; readonly port: number | null };

const PORT_MAX = 65_535;
/** Of one host, by family: one address is enough to see a port open. */
const FAMILIES = [4, 6] as const;

/** `HOST`, `HOST:PORT`, `IP` or `[IPv6]:PORT`. */
export function parseAuditTarget(text: string): Parsed<AuditTarget> {
  const bracketed = /^\[([^\]]+)\](?::(\d{1,5}))?$/.exec(text);
  const plain = isIP(text) === 6 ? [text, text, undefined] : /^([^:]+)(?::(\d{1,5}))?$/.exec(text);
  const [, name = '', port] = bracketed ?? plain ?? [];
  const host = name.toLowerCase().replace(/\.$/, '');
  const number = port === undefined ? null : Number(port);
  const known = bracketed === null ? isIP(host) !== 0 || hostNameSchema.safeParse(host).success : isIP(host) === 6;
  if (!known || (number !== null && (number < 1 || number > PORT_MAX)))
    return { ok: false, problem: `expected HOST or HOST:PORT, such as mx.example.com:${SMTP_PORT}` };
  return { ok: true, value: { host, port: number } };
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
