// Large receiving providers: their names here, and how their mail hosts are named. A host gets the connection limits of
// its provider, the edge compares its hosts by it, and metrics and logs name it so: never by a domain.

/** MX host names that are one of these, or end in a dot and one of these, are the provider's own: it alone registers names in them. */
export const GOOGLE: readonly string[] = ['google.com', 'googlemail.com'];

/** Tenants' mail hosts, each named after its mail domain. Some consumer domains have theirs in `mx.microsoft` too. */
export const MICROSOFT: readonly string[] = ['mail.protection.outlook.com', 'mx.microsoft'];

export const MICROSOFT_CONSUMER: readonly string[] = [
  'olc.protection.outlook.com', // outlook-com., hotmail-com., live-com., msn-com. and country forms
  'hotmail.com', // mx1 to mx4, the older form
  'mail.live.com',
  'msn.com',
];

/** Yahoo and those whose mail it runs: AOL, Verizon and, since 2025, AT&T. Yahoo Japan is another company with hosts of its own. */
export const YAHOO: readonly string[] = ['yahoodns.net'];

// As of November 2026, and no wider than the names of mail hosts where a provider lets its customers have names next to
// them. A suffix that has gone out of use costs nothing but what is known of that provider as a whole.
const SUFFIXES = {
  google: GOOGLE,
  microsoft: [...MICROSOFT, ...MICROSOFT_CONSUMER],
  yahoo: YAHOO,
  icloud: ['mail.icloud.com'],
  orange: ['smtp-in.orange.fr'],
  mailru: ['mxs.mail.ru', 'emx.mail.ru'],
  yandex: ['mx.yandex.ru', 'mx.yandex.net'],
  gmx: ['emig.gmx.net', 'mx00.gmx.net', 'mx01.gmx.net'],
  'web.de': ['mx-ha02.web.de', 'mx-ha03.web.de'],
  qq: ['mail.qq.com', 'mx1.qq.com', 'mx2.qq.com', 'mx3.qq.com', 'mxbiz1.qq.com', 'mxbiz2.qq.com'],
  netease: ['mxmail.netease.com'],
  // "Provided directly by Mimecast", says the source of its limits.
  mimecast: ['mimecast.com', 'mimecast.co.za'],
  barracuda: ['ess.barracudanetworks.com', 'ess.de.barracudanetworks.com'],
  proofpoint: ['pphosted.com', 'ppe-hosted.com'],
} as const satisfies Readonly<Record<string, readonly string[]>>;

type ListedProvider = { readonly provider: string; readonly suffixes: readonly string[] };

export function listed(provider: keyof typeof SUFFIXES): ListedProvider {
  return { provider, suffixes: SUFFIXES[provider] };
}

const ROWS: readonly ListedProvider[] = Object.entries(SUFFIXES).map(([provider, suffixes]) => ({
  provider,
  suffixes,
}));

/**
 * What the listed provider of an MX host is called in logs, metrics and counts: a name without a dot.
 * @param host as DNS published it, lower-case A-labels
 * @returns null for unlisted providers
 */
export function providerNameOf(host: string): string | null {
  const row = ROWS.find(({ suffixes }) => endsInOneOf(host, suffixes));
  return row?.provider.replaceAll('.', '-') ?? null;
}

/** Whether a name is one of these, or ends in one by whole labels. */
export function endsInOneOf(name: string, suffixes: readonly string[]): boolean {
  for (const suffix of suffixes)
    if (name.endsWith(suffix) && (name.length === suffix.length || name.at(-suffix.length - 1) === '.')) return true;
  return false;
}
