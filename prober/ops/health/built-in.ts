import type { Canaries } from './canaries.ts';

// Canaries of a host that was given none. Each list mixes owners, so that no one company's bad day is ours.

export const BUILT_IN: Canaries = {
  // Large mail domains of five owners: none of them goes without MX.
  name: ['gmail.com', 'outlook.com', 'yahoo.com', 'icloud.com', 'gmx.net'],
  // `invalid` never exists (RFC 6761 §6.4). A new label of 20 random letters under a busy zone shows a resolver that
  // invents names there, as some do to sell them.
  missing: ['.invalid', '.com', '.org'],
  // MX hosts of five large providers, each with many machines behind one name: they greet whoever connects.
  host: [
    'gmail-smtp-in.l.google.com',
    'outlook-com.olc.protection.outlook.com',
    'mx01.mail.icloud.com',
    'mx.zoho.com',
    'in1-smtp.messagingengine.com',
  ],
};

export const NO_CANARIES: Canaries = { name: [], missing: [], host: [] };
