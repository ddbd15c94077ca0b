import distance from 'damerau-levenshtein';
import { parse } from 'tldts';
import { PROVIDER_DOMAINS } from '../consumer-domains.ts';
import { DISTINCT, LIKELIER, NEARLY_COM, OWN_RIGHT, SHORT } from './typo-targets.ts';

/** Names of at least this length may be two letters off. */
const TWO_SLIPS_FROM = 10;

type Target = { readonly domain: string; readonly name: string; readonly suffix: string; readonly distinct: boolean };

const TARGETS: readonly Target[] = [
  ...DISTINCT.map((domain) => target(domain, true)),
  ...SHORT.map((d) => target(d, false)),
];
const BY_NAME = Map.groupBy(TARGETS, ({ name }) => name);

/** The domain probably meant; null if this one looks intentional, or in doubt. @param domain lower-case A-labels */
export function typoOf(domain: string): string | null {
  if (domain.includes('xn--') || PROVIDER_DOMAINS.has(domain) || OWN_RIGHT.has(domain)) return null;
  if (!domain.includes('.')) return missingDot(domain);
  if (!isNearAny(domain)) return null;
  const { publicSuffix, domainWithoutSuffix, isIcann } = parse(domain, { extractHostname: false });
  const exists = isIcann === true;
  if (exists && (domainWithoutSuffix === null || domain !== `${domainWithoutSuffix}.${publicSuffix}`)) return null;
  return (exists ? inName(domain, domainWithoutSuffix ?? '', publicSuffix ?? '') : inEnding(domain)) ?? null;
}

/** Whether anything below could lead to a target: for most domains nothing can, and no endings are loaded. */
function isNearAny(domain: string): boolean {
  return (
    BY_NAME.has(domain.slice(0, domain.indexOf('.'))) ||
    NEARLY_COM.has(domain.slice(domain.lastIndexOf('.') + 1)) ||
    nearest(domain, () => true, slipsIn) !== undefined
  );
}

function slipsIn({ name }: Target): number {
  return name.length >= TWO_SLIPS_FROM ? 2 : 1;
}

/** The ending exists: the typo is in the name, or the ending is rarely meant after this name. */
function inName(domain: string, name: string, suffix: string): string | undefined {
  const likelier = LIKELIER[suffix];
  const swapped =
    likelier === undefined ? undefined : BY_NAME.get(name)?.find((to) => to.distinct && to.suffix === likelier);
  if (swapped !== undefined) return swapped.domain;
  return nearest(domain, (to) => to.distinct && to.suffix === suffix, slipsIn);
}

/** The ending does not exist: the typo is there, or the dot moved. */
function inEnding(domain: string): string | undefined {
  const provider = nearest(
    domain,
    (to) => to.distinct || domain.startsWith(`${to.name}.`),
    () => 1,
  );
  if (provider !== undefined) return provider;
  const first = domain.indexOf('.');
  const cut = BY_NAME.get(domain.slice(0, first))?.find((to) => to.suffix.startsWith(domain.slice(first + 1)));
  if (cut !== undefined) return cut.domain;
  const last = domain.lastIndexOf('.');
  return NEARLY_COM.has(domain.slice(last + 1)) ? `${domain.slice(0, last)}.com` : undefined;
}

/** `gmailcom`, or `gmail` alone. */
function missingDot(label: string): string | null {
  const meant = TARGETS.find((to) => to.distinct && (label === to.name || label === to.domain.replaceAll('.', '')));
  return meant?.domain ?? null;
}

function nearest(domain: string, eligible: (to: Target) => boolean, slips: (to: Target) => number): string | undefined {
  let best: string | undefined;
  let least = Infinity;
  for (const to of TARGETS) {
    const allowed = Math.min(slips(to), least - 1);
    if (Math.abs(to.domain.length - domain.length) > allowed || !startsAlike(domain, to.domain) || !eligible(to))
      continue;
    const { steps } = distance(domain, to.domain);
    if (steps === 0 || steps > allowed) continue;
    best = to.domain;
    least = steps;
  }
  return best;
}

/** People rarely miss the first letter; a difference there is mostly another name: email, mail, cloud. */
function startsAlike(one: string, other: string): boolean {
  return one[0] === other[0] || (one[0] === other[1] && one[1] === other[0]);
}

function target(domain: string, distinct: boolean): Target {
  const dot = domain.indexOf('.');
  return { domain, name: domain.slice(0, dot), suffix: domain.slice(dot + 1), distinct };
}
