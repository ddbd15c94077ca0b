// How the mail hosts are named of those providers that more than one table knows. Names that end so are the provider's
// alone: nobody else can register one.

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
