import type { Rule } from './rule.ts';

/** Codes of a refused address. The same words at 500, 502, 503 and 504 are about the command. */
const ADDRESS_CODES = [501, 550, 551, 552, 553, 554, 555, 556, 571] as const;

const ABOUT_US = ['SENDER|HELO|CLIENT|IP|LIST|SPF|RDNS|TLS|AUTH|POLICY|SPAM|you'] as const;

/** Statements about the form of the recipient's address, under any reply class. */
export const FORM_RULES = [
  {
    id: 'form/address',
    says: 'no_such_mailbox',
    codes: ADDRESS_CODES,
    when: [
      'FORM|bad … BOX|addr|RDOMAIN … FORM',
      'FORM failed? … BOX|addr|RDOMAIN',
      'not FORM … BOX|addr|RDOMAIN',
      'bad FORM … BOX|addr',
      'BOX|addr|RDOMAIN … FORM',
      'BOX name? not allowed .',
      'BOX … long .',
      'BOX … start|begin|end|dot|qualified',
      'hack|quoted … BOX',
      'hack not allowed',
    ],
    unless: [...ABOUT_US, 'from', 'MSG FORM', 'FORM … MSG', 'HOST|FQDN *** FORM COMMAND'],
    from: '553 5.1.3 Syntax error in recipient address',
  },
  {
    id: 'form/not-a-mailbox',
    says: 'no_such_mailbox',
    codes: ADDRESS_CODES,
    when: ['not MSG directly … THING', 'MSG THING not|refused'],
    unless: ABOUT_US,
    from: '550 5.7.1 |prog... Cannot mail directly to programs',
  },
  {
    id: 'form/address-code',
    says: 'no_such_mailbox',
    codes: [501, 553],
    when: ['bad|FORM … addr', 'bad BOX .', 'bad RDOMAIN'],
    unless: ABOUT_US,
    from: '501 5.1.2 Malformed destination domain (IDNA conversion failed)',
  },
] as const satisfies readonly Rule[];
