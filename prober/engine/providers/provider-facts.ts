import { endsInOneOf, MICROSOFT_CONSUMER, YAHOO } from '../../../schema/providers.ts';
import { MICROSOFT_CONSUMER_DOMAINS } from '../../../schema/microsoft-consumer-domains.ts';

// What is known about large providers besides their replies, so that a verdict claims no more than can be known there.
// A row needs a public source or an observation of our own, with its date. What depends on a customer's settings, such
// as a gateway that checks no recipients, is no fact about its provider and has no row.

/**
 * The worth of an acceptance at RCPT. `accepts_all`: nothing, since a missing mailbox is refused after DATA, which a
 * probe never sends. `blocks_probes`: asking costs this host its reputation, and the answers mislead.
 */
export type AtRcpt = 'tells' | 'accepts_all' | 'blocks_probes';

export type Source = { readonly from: string; readonly date: string };

export type ProviderFacts = {
  /** The names of its mail hosts end in these, by whole labels. */
  readonly suffixes: readonly string[];
  /** If it names each host after a mail domain (`outlook-cz.d-v1.mx.microsoft`): only hosts of these domains. */
  readonly domains: readonly string[] | null;
  readonly atRcpt: AtRcpt;
  readonly source: Source;
};

const OUTLOOK_COM = {
  atRcpt: 'blocks_probes',
  source: {
    from: 'https://postmaster.live.com/pm/policies.aspx forbids "namespace mining"; probes are turned away: https://github.com/mfbx9da4/deep-email-validator/issues/77',
    date: '2026-04-21',
  },
} as const;

/** The first row that matches a host counts. */
export const PROVIDER_FACTS: readonly ProviderFacts[] = [
  { ...OUTLOOK_COM, suffixes: MICROSOFT_CONSUMER, domains: null },
  // The form of these names: https://c7solutions.com/2024/02/what-is-mx-microsoft (February 2024).
  { ...OUTLOOK_COM, suffixes: ['mx.microsoft'], domains: MICROSOFT_CONSUMER_DOMAINS },
  {
    suffixes: YAHOO,
    domains: null,
    atRcpt: 'accepts_all',
    source: {
      from: 'https://github.com/truemail-rb/truemail-go/issues/91 (a dialogue up to the refusal after DATA); AT&T: https://www.suped.com/learn/email-deliverability/how-are-email-delivery-issues-between-att-and-yahoo-related (2026-05-28)',
      date: '2024-04-30',
    },
  },
];

/**
 * The worth of an acceptance at a mail host, by the very name that DNS published: a name of one's own changes the
 * verdicts on one's own domain and nothing else. @param host lower-case A-labels
 */
export function atRcptOf(host: string, rows: readonly ProviderFacts[]): AtRcpt {
  return rows.find((row) => runs(row, host))?.atRcpt ?? 'tells';
}

function runs({ suffixes, domains }: ProviderFacts, host: string): boolean {
  if (!endsInOneOf(host, suffixes)) return false;
  if (domains === null) return true;
  const first = host.slice(0, Math.max(0, host.indexOf('.')));
  return domains.some((domain) => domain.replaceAll('.', '-') === first);
}
