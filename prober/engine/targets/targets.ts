import type { AddressAnswer, DialTarget, Random, Resolved } from '../ports/ports.ts';
import { type Cidr, type Family, inCidr, judgeIp, parseCidr } from './routable.ts';
import type { Route } from '../ports/settings.ts';

/** An address that may be dialled: the very text that was checked. */
export type Target = {
  readonly host: string;
  readonly ip: string;
  readonly family: Family;
  readonly port: number;
  /** Where its server really listens, if a declared route leads elsewhere. */
  readonly listensAt?: string;
  /** A declared route leads there: to a mail world of the operator's own. */
  readonly isOwn?: true;
};

export type HostTargets = {
  readonly targets: readonly Target[];
  /** It has addresses, and none may be dialled. */
  readonly onlyPrivate: boolean;
  /** No address can have been missed. */
  readonly certain: boolean;
};

export const SMTP_PORT = 25;

type ParsedRoute = Pick<Route, 'port' | 'ip'> & { readonly range: Cidr };

/** Decides what may be dialled: globally routable addresses on port 25, and declared ones with a declared route. */
export class Gate {
  readonly #routes: readonly ParsedRoute[];

  constructor(routes: readonly Route[]) {
    this.#routes = routes.map(({ cidr, ...leads }) => ({ range: parseCidr(cidr), ...leads }));
  }

  admit(host: string, resolved: Resolved): Target | null {
    const judged = judgeIp(resolved.ip);
    if (judged === null) return null;
    const { ip, family, isRoutable } = judged;
    const route = resolved.declared ? this.#routes.find(({ range }) => inCidr(range, ip)) : undefined;
    if (route !== undefined) {
      const listensAt = route.ip === undefined ? {} : { listensAt: route.ip };
      return { host, ip, family, port: route.port, ...listensAt, isOwn: true };
    }
    return isRoutable ? { host, ip, family, port: SMTP_PORT } : null;
  }
}

/** What to dial for it. @param from local address; null lets the system choose */
export function dialTarget({ ip, port, listensAt }: Target, from: string | null): DialTarget {
  return { ip: listensAt ?? ip, port, from };
}

/** Those that may be dialled, IPv4 first: receivers demand more of IPv6 clients. Equal ones are shuffled. */
export function targetsOf(
  host: string,
  { addresses, certain }: AddressAnswer,
  gate: Gate,
  random: Random,
): HostTargets {
  const targets: Target[] = [];
  for (const resolved of addresses) {
    const target = gate.admit(host, resolved);
    if (target !== null) targets.push(target);
  }
  const ordered = targets.length > 1 ? shuffled(targets, random).toSorted((a, b) => a.family - b.family) : targets;
  return { targets: ordered, onlyPrivate: addresses.length > 0 && targets.length === 0, certain };
}

/** A copy in random order (Fisher and Yates). */
export function shuffled<T>(items: readonly T[], random: Random): T[] {
  const copy = [...items];
  for (let i = copy.length - 1; i > 0; i -= 1) {
    const j = Math.floor(random() * (i + 1));
    const [a, b] = [copy[i], copy[j]];
    if (a === undefined || b === undefined) break;
    copy[i] = b;
    copy[j] = a;
  }
  return copy;
}
