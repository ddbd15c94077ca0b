/** What a host checks to find out whether it can work: `ops/health/canaries.ts`. */
export type Canaries = {
  /** Names that exist; an empty list is skipped. */
  readonly name: readonly string[];
  /** Names that do not exist. One that begins with a dot gets a new random label for each check. */
  readonly missing: readonly string[];
  /** Mail servers that greet any client on port 25. */
  readonly host: readonly string[];
  /** Domains whose mail servers refuse a mailbox that does not exist: each check makes up a new one. */
  readonly refusing: readonly string[];
  /** Mailboxes that must exist, at servers that refuse others. */
  readonly mailbox: readonly string[];
};

/** For a host without canaries of its own. Each list mixes owners, so that one company's outage does not stop us. */
export const BUILT_IN_CANARIES: Omit<Canaries, 'mailbox'> = {
  // Large mail domains of five owners: none of them is ever without MX.
  name: ['gmail.com', 'outlook.com', 'yahoo.com', 'icloud.com', 'gmx.net'],
  // `invalid` never exists (RFC 6761 §6.4). A new label of 18 random letters under a busy zone reveals a resolver that
  // invents names there, as some do to sell ads.
  missing: ['.invalid', '.com', '.org'],
  // MX hosts of five large providers, each with many machines behind one name: they greet any client.
  host: [
    'gmail-smtp-in.l.google.com',
    'outlook-com.olc.protection.outlook.com',
    'mx01.mail.icloud.com',
    'mx.zoho.com',
    'in1-smtp.messagingengine.com',
  ],
  // Four owners that refuse unknown mailboxes at RCPT.
  refusing: ['gmail.com', 'icloud.com', 'gmx.net', 'fastmail.com'],
};

export const NO_CANARIES: Canaries = { name: [], missing: [], host: [], refusing: [], mailbox: [] };
