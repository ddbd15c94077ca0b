import { disposableEmailBlocklist } from 'disposable-email-domains-js';
import roles from 'role-based-email-addresses';
import { MORE_ROLES, NOT_A_ROLE, SEPARATORS } from './role-words.ts';
import { sortedText } from '../engine/meaning/words/sorted-text.ts';

// Lists from other packages, prepared for searching. A bundle contains these texts and not their sources:
// `scripts/bundle/settings.ts`.

/** Domains that hand out mailboxes for minutes. */
export const DISPOSABLE: string = sortedText(disposableEmailBlocklist());

/** Local parts that name a role, without the separators of their words. */
export const ROLES: string = sortedText(
  [...roles.filter((role) => !NOT_A_ROLE.has(role)), ...MORE_ROLES].map((role) => role.replaceAll(SEPARATORS, '')),
);
