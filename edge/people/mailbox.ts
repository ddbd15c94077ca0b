import { MICROSOFT_CONSUMER_DOMAINS } from '../../schema/microsoft-consumer-domains.ts';
import { PROVIDER_DOMAINS } from '../../schema/consumer-domains.ts';

// The mailbox that an address leads to: one mailbox has any number of addresses, through tags, dots and subdomains.
// This decides how much is sent to one mailbox, and never identifies a person.

/** How a provider reads the local part, beyond case and `+tag`, which all read alike. */
type Rule = {
  readonly domains: readonly string[];
  /** The domain that represents all of them, if the same name is the same mailbox in each. */
  readonly sameAs?: string;
  /** The separator of a tag, besides `+`. */
  readonly tag?: '-';
  /** Characters that are ignored. */
  readonly ignored?: RegExp;
  /** With `true`, `any@name.DOMAIN` is the mailbox `name@DOMAIN`. */
  readonly hasSubdomains?: boolean;
  readonly source: string;
};

const named = (...names: readonly string[]): readonly string[] =>
  [...PROVIDER_DOMAINS].filter((domain) => names.some((name) => domain.startsWith(`${name}.`)));

/** As of November 2026. */
const RULES: readonly Rule[] = [
  {
    domains: ['gmail.com', 'googlemail.com'],
    sameAs: 'gmail.com',
    ignored: /\./g,
    source: 'https://support.google.com/mail/answer/7436150',
  },
  {
    // Tags with `+` only; aliases that a person adds to an account cannot be told from other people's addresses.
    domains: MICROSOFT_CONSUMER_DOMAINS,
    source:
      'https://learn.microsoft.com/en-us/exchange/recipients-in-exchange-online/plus-addressing-in-exchange-online',
  },
  {
    // `base-keyword`; a Yahoo name itself has no hyphen. Yahoo Japan is another company.
    domains: named('yahoo', 'ymail', 'rocketmail', 'aol').filter((domain) => domain !== 'yahoo.co.jp'),
    tag: '-',
    source: 'http://help.yahoo.com/help/uk/bt/tutorials/mail/addressguard2.html',
  },
  {
    domains: ['proton.me', 'protonmail.com', 'protonmail.ch', 'pm.me'],
    sameAs: 'proton.me',
    ignored: /[._-]/g,
    source: 'https://proton.me/support/change-username',
  },
  {
    domains: ['icloud.com', 'me.com', 'mac.com'],
    sameAs: 'icloud.com',
    source: 'https://support.apple.com/en-vn/118230',
  },
  {
    domains: [...named('yandex'), 'ya.ru', 'narod.ru'],
    sameAs: 'yandex.ru',
    // Yandex treats a dot and a hyphen alike.
    ignored: /[.-]/g,
    source: 'https://yandex.com/support/passport/authorization/registration.html',
  },
  {
    domains: ['fastmail.com', 'fastmail.fm'],
    hasSubdomains: true,
    source: 'https://www.fastmail.help/hc/en-us/articles/360060591053',
  },
];

const BY_DOMAIN: ReadonlyMap<string, Rule> = new Map(
  RULES.flatMap((rule) => rule.domains.map((domain) => [domain, rule] as const)),
);

/**
 * The mailbox that an address leads to, as far as its provider documents it.
 * @param email the identity of an address: lower case, A-labels (`schema/address.ts`)
 * @returns an address that represents all that lead there
 */
export function mailboxOf(email: string): string {
  const at = email.lastIndexOf('@');
  const [local, domain] = [email.slice(0, at), email.slice(at + 1)];
  const dot = domain.indexOf('.');
  const [label, parent] = [domain.slice(0, dot), domain.slice(dot + 1)];
  if (BY_DOMAIN.get(parent)?.hasSubdomains === true) return `${label}@${parent}`;
  const { tag = '+', ignored, sameAs = domain } = BY_DOMAIN.get(domain) ?? {};
  const name = withoutTag(withoutTag(local, '+'), tag);
  const bare = ignored === undefined ? name : name.replaceAll(ignored, '');
  return `${bare === '' ? name : bare}@${sameAs}`;
}

/** A local part that begins with the separator has no tag. */
function withoutTag(local: string, separator: string): string {
  const at = local.indexOf(separator);
  return at > 0 ? local.slice(0, at) : local;
}
