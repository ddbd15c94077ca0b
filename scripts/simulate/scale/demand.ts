import { PROVIDER_PACES } from '../../../prober/engine/providers/provider-paces.ts';
import type { Seeded } from '../seeded.ts';

// What a list asks of whom. Half of the addresses are of companies, half of consumers.
//
// Companies: Google receives for 28.3 % of mail domains, Microsoft 365 for 22.6 % (50,000 domains, 2 July 2026,
// https://deliverability.mailtester.ninja/insights/who-runs-the-worlds-email-2026-07). Consumers: of 2.3 million
// addresses 39 % were Google's, 35 % Microsoft's and 18 % Yahoo's (http://daniel-lange.com/plugin/tag/email, an American
// list). Microsoft's consumer hosts are not dialled. Besides, assumed: one and a half addresses for each company domain.

export const ADDRESSES_PER_BATCH = 500;
const PER_DOMAIN = 1.5;
/** Domains that a session serves while others wait for its place: see `TURNS_WHILE_AWAITED` in the engine. */
const DOMAINS_PER_SESSION = 4;
/** A tenth of the mailboxes do not exist, and a session bears four refusals, one of them of the made-up mailbox. */
const PER_SESSION_BY_REFUSALS = 30;
/** Where the long tail is hosted, and how many addresses the large ones have. */
const TAIL_IPS = 20_000;
const LARGE_IPS = 40;

/** Sessions that follow each other: the part of a batch that is one lane's. */
export type Errand = {
  /** Whose servers: a provider with a pace of its own, or `others`. */
  readonly provider: Asked;
  readonly host: string;
  readonly ip: string;
  /** Addresses of each session. */
  readonly sessions: readonly number[];
};

export const ASKED = ['google', 'microsoft', 'yahoo', 'others'] as const;
export type Asked = (typeof ASKED)[number];

/** Of 500 addresses, how many are where. */
export const SHARES = {
  gmail: 97,
  yahoo: 45,
  googleTenants: 71,
  microsoftTenants: 56,
  others: 143,
  notDialled: 88,
} as const;

/** The errands of one batch, in the order of a mixed list. */
export function errandsOf(random: Seeded): readonly Errand[] {
  const errands = [
    large('google', 'gmail-smtp-in.l.google.com', split(SHARES.gmail, PER_SESSION_BY_REFUSALS), random),
    large('yahoo', 'mta5.am0.yahoodns.net', split(SHARES.yahoo, recipientsOf('yahoo') - 1), random),
    // All tenants of Google have one host, and share sessions.
    ...split(SHARES.googleTenants, DOMAINS_PER_SESSION * PER_DOMAIN).map((count) =>
      large('google', 'aspmx.l.google.com', [count], random),
    ),
    // Each tenant of Microsoft has a host name of its own, and so a session.
    ...split(SHARES.microsoftTenants, PER_DOMAIN).map((count) =>
      large('microsoft', `t${random.whole(0, 1e9)}.mail.protection.outlook.com`, [count], random),
    ),
    ...split(SHARES.others, PER_DOMAIN).map((count) => tail(count, random)),
  ];
  return shuffled(errands, random);
}

function large(provider: Asked, host: string, sessions: readonly number[], random: Seeded): Errand {
  const net = ASKED.indexOf(provider) + 1;
  return { provider, host, ip: `20.${net}.${random.whole(0, 3)}.${random.whole(1, LARGE_IPS / 4)}`, sessions };
}

function tail(count: number, random: Seeded): Errand {
  const at = random.whole(0, TAIL_IPS - 1);
  return { provider: 'others', host: `mx${at}.example`, ip: `30.0.${at >> 8}.${at & 255}`, sessions: [count] };
}

/** So many addresses in parts of so many; of the parts that are no whole number, some are larger. */
function split(addresses: number, each: number): readonly number[] {
  const parts = Math.ceil(addresses / each);
  return Array.from(
    { length: parts },
    (_, n) => Math.floor(((n + 1) * addresses) / parts) - Math.floor((n * addresses) / parts),
  );
}

function recipientsOf(provider: string): number {
  return PROVIDER_PACES.find((row) => row.provider === provider)?.recipients ?? ADDRESSES_PER_BATCH;
}

function shuffled<T>(items: readonly T[], random: Seeded): readonly T[] {
  return items
    .map((item) => ({ item, at: random.next() }))
    .toSorted((a, b) => a.at - b.at)
    .map(({ item }) => item);
}
