import { expect, test } from 'vitest';
import { isRefunded } from '../../../schema/outcomes.ts';
import { judge } from '../../../schema/verdict.ts';
import { REASON_ROWS, REASONS } from '../../../schema/words/reasons.ts';
import { MailWorld } from '../../testing/mail-world.ts';
import { close, reset, type Script, silence } from '../../testing/script.ts';

// Every row of the verdict table, from what happens on the network to the verdict that the caller gets.

const IP = '11.1.1.1';

type Row = {
  readonly what: string;
  readonly address?: string;
  readonly deadlineMs?: number;
  readonly world: (world: MailWorld) => unknown;
  /** result, status, reason, score, smtp_code, smtp_check, credit back, mx_found */
  readonly verdict: readonly [string, string, string | null, number, number | null, boolean, boolean, boolean];
};

function scripted(script: Script): Row['world'] {
  return (world) => world.domain('d.test', script, IP);
}

function rcpt(reply: string): Row['world'] {
  return scripted({ rcpt: () => reply });
}

/** No MX: the domain's own address. */
function implicit(script: Script): Row['world'] {
  return (world) => world.mx('d.test', { kind: 'none' }).host('d.test', [IP]).serve(IP, script);
}

/** A domain whose only MX host has this name. */
function hostedAt(host: string, script: Script): Row['world'] {
  return (world) => world.mx('d.test', [host]).host(host, [IP]).serve(IP, script);
}

/** The requested mailbox is accepted, the made-up one gets `reply`. */
function madeUp(reply: string): Row['world'] {
  return scripted({ rcpt: (mailbox) => (mailbox === 'a@d.test' ? '250 ok\r\n' : reply) });
}

const NO_MX = ['undeliverable', 'invalid', 'no_mx', 0, null, false, false, false] as const;

const DEAD = ['undeliverable', 'invalid', null, 0, 550, true, false, true] as const;
const LIVES = ['deliverable', 'valid', null, 95, 250, true, false, true] as const;
const CATCH_ALL = ['catch-all', 'risky', 'accept_all', 55, 250, true, false, true] as const;
const NOT_ASKED = ['unknown', 'risky', 'provider_blocks_probe', 65, null, false, false, true] as const;

function unknown(reason: string, code: number | null, isGreeted: boolean, isFree: boolean): Row['verdict'] {
  return ['unknown', 'unknown', reason, 30, code, isGreeted, isFree, true];
}

const ROWS: readonly Row[] = [
  { what: 'NXDOMAIN', world: (w) => w.mx('d.test', { kind: 'nxdomain' }), verdict: NO_MX },
  { what: 'a null MX', world: (w) => w.mx('d.test', ['']), verdict: NO_MX },
  { what: 'an address literal', address: 'a@[192.0.2.1]', world: () => 0, verdict: NO_MX },
  { what: 'a name that reads as an IP address', address: 'a@1.2.3.4', world: () => 0, verdict: NO_MX },
  { what: 'neither MX nor address', world: (w) => w.mx('d.test', { kind: 'none' }), verdict: NO_MX },
  {
    what: 'an implicit MX that does not greet within 30 s',
    world: implicit({ greeting: silence }),
    verdict: ['unknown', 'unknown', 'no_banner', 30, null, false, true, false],
  },
  {
    what: 'an implicit MX that greets with 554, and says that it takes no mail',
    world: implicit({ greeting: '554 no mail\r\n' }),
    verdict: NO_MX,
  },
  {
    what: 'an implicit MX that refuses the connection',
    world: (w) => w.mx('d.test', { kind: 'none' }).host('d.test', [IP]),
    verdict: NO_MX,
  },
  {
    what: 'an implicit MX that serves',
    world: implicit({ mailboxes: ['a@d.test'] }),
    verdict: ['deliverable', 'valid', null, 95, 250, true, false, false],
  },
  {
    what: 'an MX look-up without an answer',
    world: (w) => w.mx('d.test', { kind: 'failed' }),
    verdict: ['unknown', 'unknown', 'mx_unresolved', 30, null, false, false, false],
  },
  {
    what: 'no host dialled and one whose addresses could not be looked up',
    world: (w) => w.mx('d.test', ['x.test', 'y.test']).host('x.test', ['10.0.0.1']).host('y.test', [], false),
    verdict: ['unknown', 'unknown', 'mx_unresolved', 30, null, false, false, false],
  },
  {
    what: 'MX hosts that do not exist',
    world: (w) => w.mx('d.test', ['x.test', 'y.test']),
    verdict: ['undeliverable', 'invalid', 'mx_unresolved', 0, null, false, false, false],
  },
  {
    what: 'MX hosts with private addresses only',
    world: (w) => w.mx('d.test', ['x.test', 'y.test']).host('x.test', ['10.0.0.1', 'fd00::1']),
    verdict: ['undeliverable', 'invalid', 'mx_private_ip', 0, null, false, false, false],
  },
  {
    what: 'an MX host of a provider that blocks probing',
    world: (w) => w.mx('d.test', ['d-test.olc.protection.outlook.com']).host('d-test.olc.protection.outlook.com', [IP]),
    verdict: NOT_ASKED,
  },
  {
    what: 'a consumer host of such a provider under its newer name',
    world: hostedAt('outlook-cz.d-v1.mx.microsoft', { mailboxes: ['a@d.test'] }),
    verdict: NOT_ASKED,
  },
  {
    what: 'a tenant of such a provider',
    world: hostedAt('outlook-consulting-com.a-v1.mx.microsoft', { mailboxes: ['a@d.test'] }),
    verdict: LIVES,
  },
  {
    what: 'a refused connection',
    world: (w) => w.mx('d.test', ['x.test']).host('x.test', [IP]),
    verdict: unknown('connection_error', null, false, false),
  },
  {
    what: 'a session lost after the greeting, also the second',
    world: scripted({ on: (line) => (line.startsWith('RCPT') ? [reset] : undefined) }),
    verdict: unknown('connection_error', null, true, false),
  },
  {
    what: 'no TCP connection in 10 s',
    world: (w) => w.mx('d.test', ['x.test']).host('x.test', [IP]).unserved(IP, 'hang'),
    verdict: unknown('timeout', null, false, false),
  },
  {
    what: 'no reply to a command in 30 s',
    world: scripted({ on: (line) => (line.startsWith('RCPT') ? silence : undefined) }),
    verdict: unknown('timeout', null, true, false),
  },
  {
    what: 'a connection closed before the greeting',
    world: scripted({ greeting: [close] }),
    verdict: unknown('no_banner', null, false, true),
  },
  {
    what: 'silence for the 30 s of the greeting',
    world: scripted({ greeting: silence }),
    verdict: unknown('no_banner', null, false, true),
  },
  {
    what: 'a 521 greeting',
    world: scripted({ greeting: '521 no mail here\r\n' }),
    verdict: unknown('no_banner', null, true, true),
  },
  {
    what: 'EHLO and HELO refused',
    world: scripted({ on: (line) => (/^(EHLO|HELO)/.test(line) ? '550 go away\r\n' : undefined) }),
    verdict: unknown('ehlo_rejected', null, true, true),
  },
  {
    what: 'MAIL refused',
    world: scripted({ on: (line) => (line.startsWith('MAIL') ? '550 bad sender\r\n' : undefined) }),
    verdict: unknown('mail_from_rejected', null, true, true),
  },
  ...['220', 'EHLO', 'MAIL'].map((stage): Row => ({
    what: `4xx at ${stage === '220' ? 'the greeting' : stage}`,
    world: scripted(
      stage === '220'
        ? { greeting: '450 later\r\n' }
        : { on: (line) => (line.replace('HELO', 'EHLO').startsWith(stage) ? '450 4.3.2 later\r\n' : undefined) },
    ),
    verdict: unknown('greylisting', null, true, false),
  })),
  {
    what: '4xx at RCPT',
    world: rcpt('451 4.7.1 greylisted\r\n'),
    verdict: ['unknown', 'unknown', 'greylisting', 50, 451, true, false, true],
  },
  { what: '421 at RCPT', world: rcpt('421 4.3.2 later\r\n'), verdict: unknown('greylisting', 421, true, false) },
  {
    what: 'RCPT refused because of the prober',
    world: rcpt('550 5.7.1 your address is listed\r\n'),
    verdict: unknown('policy_rejected', 550, true, true),
  },
  {
    what: 'over quota by 4.2.2',
    world: rcpt('452 4.2.2 over quota\r\n'),
    verdict: ['deliverable', 'risky', 'mailbox_full', 40, 452, true, false, true],
  },
  {
    what: 'over quota by 5.2.2',
    world: rcpt('552 5.2.2 over quota\r\n'),
    verdict: ['deliverable', 'risky', 'mailbox_full', 40, 552, true, false, true],
  },
  { what: 'no such mailbox', world: rcpt('550 5.1.1 no such user\r\n'), verdict: DEAD },
  { what: 'relaying denied by the only MX', world: rcpt('550 5.7.1 relay denied\r\n'), verdict: DEAD },
  {
    what: 'a non-ASCII local part and no SMTPUTF8',
    address: 'ä@d.test',
    world: scripted({}),
    verdict: ['undeliverable', 'invalid', null, 0, null, true, false, true],
  },
  { what: 'accepted, and the made-up mailbox too', world: rcpt('250 ok\r\n'), verdict: CATCH_ALL },
  {
    what: 'accepted by a provider that accepts everyone, even if it refuses others',
    world: hostedAt('mta5.am0.yahoodns.net', { mailboxes: ['a@d.test'] }),
    verdict: CATCH_ALL,
  },
  { what: 'refused by a provider that accepts everyone', world: hostedAt('mta5.am0.yahoodns.net', {}), verdict: DEAD },
  {
    what: 'accepted by 251',
    world: scripted({ rcpt: (mailbox) => (mailbox === 'a@d.test' ? '251 will forward\r\n' : '550 no such\r\n') }),
    verdict: ['deliverable', 'valid', null, 95, 251, true, false, true],
  },
  { what: 'accepted, and the made-up mailbox refused', world: madeUp('550 5.1.1 no such user\r\n'), verdict: LIVES },
  ...(
    [
      ['deferred', '450 4.2.0 greylisted\r\n', 'greylisting'],
      ['refused by policy', '550 5.7.1 blocked\r\n', 'policy_rejected'],
      ['refused without a meaning', '550 hmm\r\n', 'unexpected_code'],
      ['never answered', silence, 'timeout'],
      ['dropped', [reset], 'connection_error'],
      ['answered with garbage', 'what?\r\n', 'protocol_error'],
    ] as const
  ).map(([fate, reply, reason]): Row => ({
    what: `accepted, and the made-up mailbox ${fate}`,
    world: scripted({ rcpt: (mailbox) => (mailbox === 'a@d.test' ? '250 ok\r\n' : reply) }),
    verdict: ['deliverable', 'risky', reason, 70, 250, true, false, true],
  })),
  {
    what: 'a greeting that is no SMTP',
    world: scripted({ greeting: 'SSH-2.0-OpenSSH_9.2\r\n' }),
    verdict: unknown('protocol_error', null, false, false),
  },
  {
    what: 'a reply to RCPT that is no SMTP',
    world: rcpt('no\r\n'),
    verdict: unknown('protocol_error', null, true, false),
  },
  { what: 'a 354 to RCPT', world: rcpt('354 go on\r\n'), verdict: unknown('unexpected_code', 354, true, false) },
  {
    what: 'a 5xx to RCPT that names nobody',
    world: rcpt('550 hmm\r\n'),
    verdict: unknown('unexpected_code', 550, true, false),
  },
  {
    what: 'a server that rests past the deadline',
    deadlineMs: 29_000,
    world: async (w) => {
      w.domain('d.test', { greeting: '421 later\r\n' }, IP);
      await w.probe(['b@d.test']);
    },
    verdict: unknown('timeout', null, false, true),
  },
];

test('every reason that asking can lead to has a row', () => {
  const seen = new Set(ROWS.map(({ verdict: [, , reason] }) => reason));
  expect(REASONS.filter((reason) => REASON_ROWS[reason].credit !== 'free' && !seen.has(reason))).toEqual([]);
});

test.each(ROWS)('$what', async ({ address = 'a@d.test', deadlineMs = 90_000, world: build, verdict }) => {
  const world = new MailWorld();
  await build(world);
  const [evidence] = await world.probe([address], deadlineMs);
  if (evidence === undefined) throw new Error('no evidence');
  const judged = judge({ email: address, local: 'a' }, evidence);
  const { result, status, reason, score, smtp_code, smtp_check, mx_found } = judged;
  const back = isRefunded(evidence.outcome);
  expect([result, status, reason, score, smtp_code, smtp_check, back, mx_found]).toEqual(verdict);
  expect(world.bugs).toEqual([]);
  expect(world.clock.pending).toBe(0);
});
