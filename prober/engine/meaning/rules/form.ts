import { ABOUT_US } from './client.ts';
import type { Rule } from './rule.ts';

/** Codes of a refused address. With 500, 502, 503 and 504 the same words are about the command. */
const ADDRESS_CODES = [501, 550, 551, 552, 553, 554, 555, 556, 571] as const;

/** Statements about the form of the recipient's address, for all reply classes. */
export const FORM_RULE = {
  id: 'form/address',
  says: 'no_such_mailbox',
  codes: ADDRESS_CODES,
  when: [
    'FORM failed? … BOX|addr|RDOMAIN',
    'BOX|addr|RDOMAIN … FORM',
    'BOX … start|begin|end|dot|qualified',
    'hack|quoted … BOX',
    'BOX|addr|RDOMAIN name? too? long',
    'BOX|addr|RDOMAIN name? length|octets … exceeded|over|limit|bad|long',
    'BOX|addr|RDOMAIN … exceeded|over … length|octets|FORM',
    'not MSG directly … THING',
    'MSG THING not allowed|accept',
  ],
  unless: [`${ABOUT_US}|RELAY|you|elsewhere|from`, 'BOX FORM gone|THING', 'FORM … COMMAND', 'FORM failed? BOX COMMAND'],
  from: '553 5.1.3 Syntax error in recipient address',
} as const satisfies Rule;
