import { canonicalIp, parseCidr, type Cidr } from '../../../prober/engine/targets/routable.ts';

// An SPF record as data (RFC 7208 §4.6.1, §5, §6).

export type Qualifier = 'pass' | 'fail' | 'softfail' | 'neutral';

export type Mechanism =
  | { readonly name: 'all' }
  | { readonly name: 'include' | 'exists'; readonly domain: string }
  /** `domain` null: the one whose record it is. `bits` by family. */
  | {
      readonly name: 'a' | 'mx';
      readonly domain: string | null;
      readonly bits: { readonly 4: number; readonly 6: number };
    }
  | { readonly name: 'ip'; readonly range: Cidr }
  | { readonly name: 'ptr' };

export type Directive = { readonly term: string; readonly qualifier: Qualifier; readonly mechanism: Mechanism };
export type SpfRecord = { readonly directives: readonly Directive[]; readonly redirect: string | null };

const QUALIFIERS: Readonly<Record<string, Qualifier>> = { '+': 'pass', '-': 'fail', '~': 'softfail', '?': 'neutral' };
const MODIFIER = /^([a-z][a-z0-9_.-]*)=(.*)$/i;
const DIRECTIVE = /^([+?~-]?)([a-z0-9]+)(?::([^/]+(?=\/|$)|.*?))?((?:\/\d{1,3})?(?:\/\/\d{1,3})?)$/i;

export function isSpfRecord(text: string): boolean {
  return /^v=spf1( |$)/i.test(text);
}

/** @returns the record, or the first term that is none: a record with an error anywhere counts for nothing (§4.6) */
export function parseSpf(text: string): SpfRecord | { readonly wrong: string } {
  const directives: Directive[] = [];
  let redirect: string | null = null;
  for (const term of text.trim().split(/ +/).slice(1)) {
    const [, modifier, value] = MODIFIER.exec(term) ?? [];
    if (modifier !== undefined) {
      if (modifier.toLowerCase() !== 'redirect') continue;
      if (redirect !== null || !value) return { wrong: term };
      redirect = domainOf(value);
      continue;
    }
    const directive = parseDirective(term);
    if (directive === null) return { wrong: term };
    directives.push(directive);
  }
  return { directives, redirect };
}

function parseDirective(term: string): Directive | null {
  const ip = /^([+?~-]?)ip[46]:(.+)$/i.exec(term);
  if (ip !== null) {
    const range = parseRange(ip[2] ?? '', /ip4:/i.test(term) ? 4 : 6);
    return range === null ? null : { term, qualifier: qualifierOf(ip[1]), mechanism: { name: 'ip', range } };
  }
  const [, sign, name = '', value, prefixes = ''] = DIRECTIVE.exec(term) ?? [];
  const mechanism = mechanismOf(name.toLowerCase(), value ? domainOf(value) : null, prefixes);
  return mechanism === null ? null : { term, qualifier: qualifierOf(sign), mechanism };
}

function mechanismOf(name: string, domain: string | null, prefixes: string): Mechanism | null {
  switch (name) {
    case 'all':
      return domain === null && prefixes === '' ? { name } : null;
    case 'include':
    case 'exists':
      return domain === null || prefixes !== '' ? null : { name, domain };
    case 'ptr':
      return { name };
    case 'a':
    case 'mx': {
      const [, four = '32', six = '128'] = /^(?:\/(\d+))?(?:\/\/(\d+))?$/.exec(prefixes) ?? [];
      const bits = { 4: Number(four), 6: Number(six) };
      return bits[4] > 32 || bits[6] > 128 ? null : { name, domain, bits };
    }
    default:
      return null;
  }
}

function parseRange(text: string, family: 4 | 6): Cidr | null {
  const [ip = '', bits = family === 4 ? '32' : '128', ...rest] = text.split('/');
  const checked = canonicalIp(ip);
  if (checked?.family !== family || rest.length > 0) return null;
  if (!/^\d{1,3}$/.test(bits) || Number(bits) > (family === 4 ? 32 : 128)) return null;
  return parseCidr(`${checked.ip}/${bits}`);
}

function qualifierOf(sign: string | undefined): Qualifier {
  return QUALIFIERS[sign ?? ''] ?? 'pass';
}

function domainOf(text: string): string {
  return text.toLowerCase().replace(/\.$/, '');
}
