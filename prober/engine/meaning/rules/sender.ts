import type { Rule } from './rule.ts';

/** `not` begins a new statement if a mailbox follows it: `192.0.2.1 no such user`. */
const BLAMED =
  'refused|blocked|bad|gone|away|not(?!\\s(?:such\\s)?BOX)|failed|CHECK|limit|listed|exceeded|required|restricted|insufficient|overquota';

/**
 * Statements about our envelope sender, our host, our address, or about "you": they overrule words about the recipient.
 */
export const SENDER_RULES = [
  {
    id: 'sender/blamed',
    says: 'policy_rejected',
    when: [
      // A login is needed.
      'AUTH(?!\\ssee)',
      // One of us and the recipient.
      'IP|CLIENT|SENDER|HELO or? BOX|addr|DOMAIN … blocked|refused|listed|restricted',
      // Our envelope sender.
      `SENDER|CLIENT|IP … ${BLAMED}`,
      `SENDER DOMAIN|BOX|HOST|IP|MSG|SERVICE … ${BLAMED}`,
      `your HOST|DOMAIN|SERVICE … ${BLAMED}`,
      'refused|blocked|bad|gone|limit SENDER|CLIENT',
      'not exist|allowed|accept? … SENDER|CLIENT',
      'not accept|allowed MSG|EMAIL? … from|SENDER|CLIENT|IP',
      'accept not MSG|EMAIL? … SENDER|CLIENT|IP',
      'not CHECK SENDER|IP|CLIENT',
      'SENDER not on? BOX',
      // Our host, or "you".
      'refused|blocked|bad|gone|not HOST IP',
      'from gone|bad HOST',
      'not believe|like you|CLIENT',
      'CHECK SENDER first',
      'CLIENT|IP … sending|sent|sends|mailing|attempts|attempted|probing … MSG? BOX|addr',
      'you exceeded|gone|bad',
      'you not exist|on|one|BOX|listed',
      'HOST you … not|gone',
      'sending for|from BOX … gone|blocked',
      'sending|outgoing|outbound MSG|EMAIL? gone|blocked',
      'not smtp|MSG|SERVICE for you',
      // Our address.
      'refused|blocked|bad|gone|black|listed IP',
      'refused|blocked|access|gone … from|for|by IP',
      'failed … CLIENT? IP',
      // Ask another server.
      'use … HOST|RELAY|smarthost *** CLIENT|IP|SERVICE',
    ],
    from: '550-Verification failed for <sender@example.org>\n550-Unrouteable address\n550 Sender verify failed',
  },
  {
    id: 'sender/refused-by-recipient',
    says: 'policy_rejected',
    when: [
      'refused|blocked by|from BOX',
      'BOX … refused|blocked|not … your|you',
      'BOX … accept MSG? only|from|SENDER',
      'not on *** list … BOX',
      'only … BOX *** send|write|post',
      'only … SENDER *** BOX',
      'only … members',
      'only … send|write|post … BOX|addr',
      '^ addr? exist|internal|our|inside BOX … only .',
      'only exist|internal|our|inside BOX',
      'only … for|from|by exist|internal|our|inside BOX|SENDER',
      'exist|internal delivery|EMAIL|MSG|use only',
      'BOX … internal use|only',
      'BOX … not allowed|want',
      'BOX … restricted',
      'not allowed … MSG? … BOX',
    ],
    unless: ['BOX not exist', 'BOX gone', 'BOX not allowed accept', 'accept MSG|EMAIL not allowed for BOX'],
    from: '550 Your message was rejected by this user and was not delivered',
  },
] as const satisfies readonly Rule[];
