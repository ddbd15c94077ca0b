import { GOOGLE, MICROSOFT, MICROSOFT_CONSUMER, YAHOO } from './suffixes.ts';

// Large receiving providers: by which MX host names they are known, and how fast each is asked from one egress address.
// Only these rest as a whole. Nobody becomes one by naming: see `providerOf`.

export type ProviderPace = {
  /** What it is called here. */
  readonly provider: string;
  /** MX host names that are one of these, or end in a dot and one of these, are its own: domains that it alone registers names in. */
  readonly suffixes: readonly string[];
  /** Connections at once. */
  readonly connections: number;
  /** Connections begun in any minute. */
  readonly connectionsPerMinute: number;
  /** Recipients a session, if fewer than the budget are borne; null if the budget holds. */
  readonly recipients: number | null;
};

const ANY = { connections: 20, connectionsPerMinute: 600, recipients: null } as const;

// Suffixes as of November 2026, and no wider than the names of mail hosts where a provider lets its customers have names
// next to them. A suffix that has gone out of use costs nothing but the rest of that provider as a whole. Figures other
// than `ANY`: what large senders shape their traffic by (KumoMTA's published shaping data, August 2026).
export const PROVIDER_PACES: readonly ProviderPace[] = [
  {
    provider: 'google',
    suffixes: GOOGLE,
    connections: 5,
    connectionsPerMinute: 600,
    recipients: 50,
  },
  {
    provider: 'microsoft',
    suffixes: [...MICROSOFT, ...MICROSOFT_CONSUMER],
    connections: 5,
    connectionsPerMinute: 600,
    recipients: 50,
  },
  { provider: 'yahoo', suffixes: YAHOO, connections: 20, connectionsPerMinute: 600, recipients: 20 },
  { provider: 'icloud', suffixes: ['mail.icloud.com'], connections: 10, connectionsPerMinute: 600, recipients: 5 },
  { provider: 'orange', suffixes: ['smtp-in.orange.fr'], connections: 2, connectionsPerMinute: 600, recipients: null },
  { provider: 'mailru', suffixes: ['mxs.mail.ru', 'emx.mail.ru'], ...ANY },
  { provider: 'yandex', suffixes: ['mx.yandex.ru', 'mx.yandex.net'], ...ANY },
  { provider: 'gmx', suffixes: ['emig.gmx.net', 'mx00.gmx.net', 'mx01.gmx.net'], ...ANY },
  { provider: 'web.de', suffixes: ['mx-ha02.web.de', 'mx-ha03.web.de'], ...ANY },
  {
    provider: 'qq',
    suffixes: ['mail.qq.com', 'mx1.qq.com', 'mx2.qq.com', 'mx3.qq.com', 'mxbiz1.qq.com', 'mxbiz2.qq.com'],
    ...ANY,
  },
  { provider: 'netease', suffixes: ['mxmail.netease.com'], ...ANY },
  { provider: 'mimecast', suffixes: ['mimecast.com', 'mimecast.co.za'], ...ANY },
  { provider: 'barracuda', suffixes: ['ess.barracudanetworks.com', 'ess.de.barracudanetworks.com'], ...ANY },
  { provider: 'proofpoint', suffixes: ['pphosted.com', 'ppe-hosted.com'], ...ANY },
];
