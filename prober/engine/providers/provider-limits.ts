import type { Source } from './provider-facts.ts';
import { endsInOneOf, listed } from '../../../schema/providers.ts';

// Large receiving providers: the MX host names that identify them, and how fast each is asked from one egress address.
// Only these have cool-downs as a whole. A name alone makes no one a provider: see `providerOf`.

export type ProviderLimits = {
  readonly provider: string;
  /** Its MX host names equal one of these or end in a dot and one of these: only it can register names there. */
  readonly suffixes: readonly string[];
  readonly connections: number;
  /** Recipients per session, if it tolerates fewer than the budget; null if the budget applies. */
  readonly recipients: number | null;
};

/** The origin of the figures: `KUMO` is what senders shape their traffic by, not a receiver's promise. */
type Sourced = { readonly source: Source };

/** The traffic shaping that comes with a large open-source sender: its `default` is 10 connections and 100 a minute. */
const KUMO: Source = {
  from: 'https://github.com/KumoCorp/kumomta/blob/main/assets/policy-extras/shaping.toml',
  date: '2026-08',
};

const ANY = {
  connections: 10,
  recipients: null,
  source: KUMO,
} as const;

const UNITED_INTERNET: Source = {
  from: 'https://postmaster.gmx.com/en/email-policy reserves the right to refuse; no figure is published',
  date: '2026-11',
};

/** Their documentation only says that there are limits, and that unknown recipients count. */
const FEW = { ...ANY, connections: 4 } as const;

// A session serves several domains, so a hundred a minute are some hundreds of domains.
export const PROVIDER_LIMITS: ReadonlyArray<ProviderLimits & Sourced> = [
  { ...ANY, ...listed('google'), connections: 5, recipients: 50 },
  { ...ANY, ...listed('microsoft'), connections: 5, recipients: 50 },
  { ...ANY, ...listed('yahoo'), recipients: 20 },
  { ...ANY, ...listed('icloud'), recipients: 5 },
  { ...ANY, ...listed('orange'), connections: 2 },
  { ...ANY, ...listed('mailru') },
  { ...ANY, ...listed('yandex') },
  { ...FEW, ...listed('gmx'), source: UNITED_INTERNET },
  { ...FEW, ...listed('web.de'), source: UNITED_INTERNET },
  {
    ...FEW,
    ...listed('qq'),
    source: {
      from: 'exmail.qq.com, quoted in http://ydadm.com/news_in/335: limits a minute, an hour and a day for each address, whose figures are secret',
      date: '2016-07-26',
    },
  },
  {
    ...FEW,
    ...listed('netease'),
    source: {
      from: 'its reply codes: HL:ICC is too many connections at once, HL:REP many recipients that do not exist (https://biecuoliao.com/pa/MBRrwEM.html)',
      date: '2026-11',
    },
  },
  { ...ANY, ...listed('mimecast') },
  {
    ...ANY,
    ...listed('barracuda'),
    source: {
      from: 'https://campus.barracuda.com/product/emailgatewaydefense/doc/167976820/inbound-rate-control: each customer sets how many messages an address may send in half an hour',
      date: '2026-11',
    },
  },
  { ...ANY, ...listed('proofpoint') },
];

/**
 * The listed provider that runs a mail host, by the very name whose addresses were looked up: one that ends in
 * `google.com` was given by Google. So no one can get an address of their own counted as a provider's.
 * @param host lower-case A-labels
 */
export function providerOf(host: string, rows: readonly ProviderLimits[]): ProviderLimits | null {
  return rows.find(({ suffixes }) => endsInOneOf(host, suffixes)) ?? null;
}
