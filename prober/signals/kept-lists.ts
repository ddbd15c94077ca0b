import { disposableEmailBlocklist } from 'disposable-email-domains-js';
import roles from 'role-based-email-addresses';
import { MORE_ROLES, NOT_A_ROLE, SEPARATORS } from './role-words.ts';
import { sortedText } from './sorted-names.ts';

// What other packages list, made ready to be searched. A bundle has these texts in it and nothing that they are made of:
// `scripts/bundle/settings.ts`.

/** Domains that hand out mailboxes for minutes. */
export const DISPOSABLE: string = sortedText(disposableEmailBlocklist());

/** Local parts that name a role, without what parts their words. */
export const ROLES: string = sortedText(
  [...roles.filter((role) => !NOT_A_ROLE.has(role)), ...MORE_ROLES].map((role) => role.replaceAll(SEPARATORS, '')),
);
