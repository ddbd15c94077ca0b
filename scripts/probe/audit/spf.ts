import type { Resolved } from '../../../prober/engine/ports/ports.ts';
import { canonicalIp, inCidr, parseCidr, type CheckedIp } from '../../../prober/engine/targets/routable.ts';
import type { Names } from './names.ts';
import { isSpfRecord, parseSpf, type Mechanism, type Qualifier, type SpfRecord } from './spf-record.ts';

/** RFC 7208 §4.6.4: more terms that look something up, names that lead nowhere or MX hosts, and receivers give up. */
const LOOKUPS_MAX = 10;
const VOIDS_MAX = 2;
const MX_HOSTS_MAX = 10;

export type SpfResult =
  /** `term` decided; null: none did. */
  | { readonly kind: Qualifier; readonly term: string | null }
  | { readonly kind: 'none' }
  /** The record cannot be used: receivers treat it as an error of the domain's. */
  | { readonly kind: 'permerror'; readonly why: string }
  | { readonly kind: 'temperror' }
  /** It hangs on a term that is not followed here: macros and `ptr`. */
  | { readonly kind: 'uncertain'; readonly term: string };

type Matched = boolean | Exclude<SpfResult, { readonly kind: Qualifier }>;

/** Whether a domain lets an address send for it, as receivers find out: check_host of RFC 7208 §4. */
export function checkSpf(names: Names, domain: string, ip: string, signal: AbortSignal): Promise<SpfResult> {
  const checked = canonicalIp(ip);
  if (checked === null) throw new Error('SPF is checked for an IP address');
  return new SpfCheck(names, checked, signal).check(domain);
}

class SpfCheck {
  readonly #names: Names;
  readonly #ip: CheckedIp;
  readonly #signal: AbortSignal;
  #lookups = 0;
  #voids = 0;

  constructor(names: Names, ip: CheckedIp, signal: AbortSignal) {
    this.#names = names;
    this.#ip = ip;
    this.#signal = signal;
  }

  async check(domain: string): Promise<SpfResult> {
    const answer = await this.#names.txt(domain, this.#signal);
    if (answer.kind === 'failed') return { kind: 'temperror' };
    const [text, second] = answer.kind === 'none' ? [] : answer.records.filter(isSpfRecord);
    if (text === undefined) return { kind: 'none' };
    if (second !== undefined) return { kind: 'permerror', why: `${domain} has two SPF records` };
    const record = parseSpf(text);
    if ('wrong' in record) return { kind: 'permerror', why: `${domain} has the term ${record.wrong}` };
    return this.#evaluate(domain, record);
  }

  async #evaluate(domain: string, { directives, redirect }: SpfRecord): Promise<SpfResult> {
    let unsure: string | null = null;
    for (const { term, qualifier, mechanism } of directives) {
      const matched = await this.#matches(domain, term, mechanism);
      if (matched === true) {
        return qualifier === 'pass' || unsure === null
          ? { kind: qualifier, term }
          : { kind: 'uncertain', term: unsure };
      }
      if (matched === false) continue;
      if (matched.kind !== 'uncertain') return matched;
      unsure ??= matched.term;
    }
    if (unsure !== null) return { kind: 'uncertain', term: unsure };
    return redirect === null ? { kind: 'neutral', term: null } : this.#redirect(redirect);
  }

  async #redirect(domain: string): Promise<SpfResult> {
    if (domain.includes('%')) return { kind: 'uncertain', term: `redirect=${domain}` };
    const over = this.#countLookup();
    if (over !== null) return over;
    const result = await this.check(domain);
    return result.kind === 'none' ? { kind: 'permerror', why: `redirect=${domain} leads to no SPF record` } : result;
  }

  async #matches(own: string, term: string, mechanism: Mechanism): Promise<Matched> {
    if (mechanism.name === 'all') return true;
    if (mechanism.name === 'ip') return inCidr(mechanism.range, this.#ip.ip);
    const over = this.#countLookup();
    if (over !== null) return over;
    if (mechanism.name === 'ptr') return { kind: 'uncertain', term };
    const domain = mechanism.domain ?? own;
    if (domain.includes('%')) return { kind: 'uncertain', term };
    switch (mechanism.name) {
      case 'include':
        return this.#includes(domain);
      case 'exists':
        return this.#resolves(domain, ({ ip }) => !ip.includes(':'));
      case 'a':
        return this.#resolves(domain, this.#within(mechanism.bits));
      case 'mx':
        return this.#isMx(domain, this.#within(mechanism.bits));
    }
  }

  async #includes(domain: string): Promise<Matched> {
    const result = await this.check(domain);
    switch (result.kind) {
      case 'pass':
        return true;
      case 'fail':
      case 'softfail':
      case 'neutral':
        return false;
      case 'none':
        return { kind: 'permerror', why: `include:${domain} leads to no SPF record` };
      case 'permerror':
      case 'temperror':
      case 'uncertain':
        return result;
    }
  }

  async #resolves(host: string, fits: (resolved: Resolved) => boolean): Promise<Matched> {
    const { addresses, certain } = await this.#names.addresses(host, this.#signal);
    if (addresses.some(fits)) return true;
    if (!certain) return { kind: 'temperror' };
    return (addresses.length === 0 ? this.#countVoid() : null) ?? false;
  }

  async #isMx(domain: string, fits: (resolved: Resolved) => boolean): Promise<Matched> {
    const answer = await this.#names.mx(domain, this.#signal);
    if (answer.kind === 'failed') return { kind: 'temperror' };
    if (answer.kind !== 'found') return this.#countVoid() ?? false;
    if (answer.records.length > MX_HOSTS_MAX) return { kind: 'permerror', why: `mx:${domain} has over 10 MX hosts` };
    for (const { exchange } of answer.records) {
      const matched = exchange === '' ? false : await this.#resolves(exchange, fits);
      if (matched !== false) return matched;
    }
    return false;
  }

  #within(bits: { readonly 4: number; readonly 6: number }): (resolved: Resolved) => boolean {
    return ({ ip }) => {
      const host = canonicalIp(ip);
      return host?.family === this.#ip.family && inCidr(parseCidr(`${host.ip}/${bits[host.family]}`), this.#ip.ip);
    };
  }

  #countLookup(): Extract<SpfResult, { readonly kind: 'permerror' }> | null {
    this.#lookups += 1;
    return this.#lookups > LOOKUPS_MAX ? { kind: 'permerror', why: 'it takes more than 10 lookups' } : null;
  }

  #countVoid(): Matched | null {
    this.#voids += 1;
    return this.#voids > VOIDS_MAX ? { kind: 'permerror', why: 'more than 2 of its names lead nowhere' } : null;
  }
}
