import type { Rule } from './rule.ts';

/** `not` starts a statement of its own where a mailbox follows it: `192.0.2.1 no such user`. */
const BLAMED =
  'refused|blocked|bad|gone|away|not(?!\\s(?:such\\s)?BOX)|failed|CHECK|limit|listed|exceeded|required|restricted|insufficient|overquota';

/** Statements about our envelope sender, our host, our address, or about "you": they beat words about the recipient. */
export const SENDER_RULES = [
  {
    id: 'sender/authentication',
    says: 'policy_rejected',
    when: ['AUTH'],
    from: '550 5.5.0 Authentification requise. Authentication Required. LPN105_402',
  },
  {
    id: 'sender/blamed',
    says: 'policy_rejected',
    when: [
      `SENDER … ${BLAMED}`,
      `SENDER DOMAIN|BOX|HOST|IP|MSG|SERVICE … ${BLAMED}`,
      'refused|blocked|bad|gone SENDER',
      'not exist|allowed|accept? SENDER',
      'DOMAIN SENDER … not|gone|bad',
      'not CHECK SENDER|IP|CLIENT',
      'SENDER not in|on? BOX',
    ],
    from: '550-Verification failed for <sender@example.org>\n550-Unrouteable address\n550 Sender verify failed',
  },
  {
    id: 'sender/host',
    says: 'policy_rejected',
    when: [
      `CLIENT … ${BLAMED}`,
      `CLIENT IP … ${BLAMED}`,
      'refused|blocked|bad|gone CLIENT',
      'not exist|allowed|accept? … CLIENT',
      'refused|blocked|bad|gone|not HOST IP',
      'from gone|bad HOST',
      'you not exist',
      'you exceeded',
      'you not on|in|one|BOX|listed',
      'you not … send|write|mail|post',
      'you gone|bad',
      'HOST IP … refused|blocked|not(?!\\s(?:such\\s)?BOX)|bad|listed',
      'HOST you … not|gone',
      `your HOST|DOMAIN|SERVICE … ${BLAMED}`,
      'your quota|limit … exceeded',
      'not smtp|MSG|SERVICE for you',
      'not accept MSG|EMAIL? for? CLIENT',
    ],
    from: '554 5.7.1 <unknown[192.0.2.1]>: Client host rejected: Access denied',
  },
  {
    id: 'sender/ip',
    says: 'policy_rejected',
    when: [
      `IP … ${BLAMED}`,
      'refused|blocked|bad|gone|black|listed IP',
      'refused|blocked|access|gone … from|for|by IP',
      'failed … CLIENT? IP',
    ],
    from: '550 black ip.',
  },
  {
    id: 'sender/refused-by-recipient',
    says: 'policy_rejected',
    when: [
      'refused|blocked by|from BOX',
      'BOX … refused|blocked|not … your|you',
      'BOX … refused|not accept? … MSG from',
      'BOX … accept MSG? only|from|SENDER',
      'BOX … accept not MSG? SENDER|from',
      'BOX … not want',
      'not on *** list … BOX',
      'not on … BOX *** list',
      'only … SENDER … BOX',
      'only … BOX *** send|write|post',
      'only … SENDER *** to BOX',
      'BOX only *** SENDER|from|members|lists',
      'only … members|subscribers',
      'BOX … not allowed',
      'BOX … restricted',
      'restricted BOX',
      'you|SENDER … not allowed *** BOX',
      'not allowed … MSG? … BOX',
    ],
    unless: ['BOX not exist', 'BOX gone', 'BOX not allowed accept'],
    from: '550 Your message was rejected by this user and was not delivered',
  },
  {
    id: 'sender/use-your-own-relay',
    says: 'policy_rejected',
    when: [
      'use your provider|HOST|RELAY',
      'use … HOST|RELAY|smarthost *** CLIENT|IP|SERVICE',
      'refused CLIENT? *** SERVICE provider *** RELAY',
    ],
    from: '550 5.7.0 <sender@example.org>... Please use the smtp server of your ISP.',
  },
] as const satisfies readonly Rule[];
