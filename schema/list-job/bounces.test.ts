import * as fc from 'fast-check';
import { describe, expect, test } from 'vitest';
import { sourceOf } from '../lists/testing/source.ts';
import { type Report, shareOf } from './bounce-report.ts';
import { rowsOf } from './bounce-words.ts';
import { compareBounces } from './bounces.ts';

const VERIFIED = 'Name,E-Mail,rcpt_status,rcpt_reason,rcpt_email\n';

async function compare(verified: string, bounces: string): Promise<Report> {
  return compareBounces(sourceOf(verified), sourceOf(bounces, 'bounces'), (_side, _table, _sample, found) => {
    if (found === null) throw new Error('unclear');
    return found;
  });
}

/** `hard/soft/unspecified of addresses` of each status that has some, and of its reasons. */
function countsOf({ statuses }: Report): Readonly<Record<string, string>> {
  const some = statuses
    .flatMap(({ status, reasons, ...all }) => [
      { name: status, ...all },
      ...reasons.map(({ reason, ...parts }) => ({ name: `${status} ${reason ?? '-'}`, ...parts })),
    ])
    .filter(({ addresses }) => addresses > 0);
  return Object.fromEntries(
    some.map(({ name, addresses, hard, soft, unspecified }) => [
      name,
      `${hard.count}/${soft.count}/${unspecified.count} of ${addresses}`,
    ]),
  );
}

test('what bounced is counted by verdict and kind, each address once, and what does not belong apart', async () => {
  const report = await compare(
    `${VERIFIED}Ann,ann@a.test,valid,,ann@a.test
Ann,ANN@a.test,valid,,ann@a.test
Bob,bob@b.test,risky,accept_all,bob@b.test
Cy,cy@bücher.test,risky,provider_blocks_probe,cy@bücher.test
Di,di@d.test,unknown,greylisting,di@d.test
El,el@e.test,invalid,,el@e.test
Fy,n/a,,no_address,
Gil,gil@g.test,,not_asked_yet,
`,
    `Email,Bounce Type,Reason
Ann@A.TEST,soft,
ann@a.test,hard,
ANN@a.test,,
cy@xn--bcher-kva.test,hard,
"Bob <bob@b.test>",,451 later
new@n.test,hard,
NEW@n.test,soft,
gil@g.test,soft,
,hard,
a@a.test; b@b.test,hard,
di@d.test,delivered,
`,
  );
  expect(countsOf(report)).toEqual({
    valid: '1/0/0 of 1',
    'valid -': '1/0/0 of 1',
    risky: '1/1/0 of 2',
    'risky accept_all': '0/1/0 of 1',
    'risky provider_blocks_probe': '1/0/0 of 1',
    unknown: '0/0/0 of 1',
    'unknown greylisting': '0/0/0 of 1',
    invalid: '0/0/0 of 1',
    'invalid -': '0/0/0 of 1',
  });
  expect(report.verified).toEqual({ rows: 8, addresses: 5, duplicates: 1, withoutVerdict: 2 });
  expect(report.bounces).toEqual({
    entries: 11,
    addresses: 3,
    duplicates: 3,
    withoutAddress: 2,
    noBounces: 1,
    notInList: { hard: 1, soft: 1, unspecified: 0 },
  });
  expect(report.all.bounced.count).toBe(3);
});

const SES = {
  bounceType: 'Permanent',
  bouncedRecipients: [{ emailAddress: 'ann@a.test' }, { emailAddress: 'b@b.test' }],
};
const LATER = { bounceType: 'Undetermined', bouncedRecipients: [{ emailAddress: 'b@b.test', status: '4.4.7' }] };
const mail = { source: 'me@x.test', destination: ['ann@a.test'] };

test.each([
  [
    'lines',
    [
      { notificationType: 'Bounce', bounce: SES, mail },
      { notificationType: 'Delivery', mail },
    ],
  ],
  [
    'lines of an event destination',
    [
      { eventType: 'Bounce', mail, bounce: SES },
      { eventType: 'DeliveryDelay', mail },
    ],
  ],
  ['messages of SNS', [{ Type: 'Notification', Message: JSON.stringify({ bounce: SES, mail }) }, { Type: 'Delivery' }]],
  ['events of EventBridge', [{ 'detail-type': 'Bounced', detail: { mail, bounce: SES } }, { type: 'sent' }]],
])('notifications of Amazon SES are read for each recipient: %s', async (_how, events) => {
  const lines = [...events, { notificationType: 'Bounce', bounce: LATER }].map((event) => JSON.stringify(event));
  const report = await compare(`${VERIFIED}Ann,ann@a.test,valid,,ann@a.test\n`, lines.join('\n'));
  expect(countsOf(report)['valid']).toBe('1/0/0 of 1');
  expect(report.bounces).toMatchObject({ entries: 4, duplicates: 1, noBounces: 1, withoutAddress: 0 });
  expect(report.bounces.notInList).toEqual({ hard: 1, soft: 0, unspecified: 0 });
});

test('of several columns of addresses in an export it is the one that shares most with the list', async () => {
  const list = `${VERIFIED}Ann,ann@a.test,valid,,ann@a.test\nBob,bob@b.test,valid,,bob@b.test\n`;
  const entries =
    'from,event,recipient\nann@a.test,bounce,z@z.test\nme@x.test,bounce,ann@a.test\nme@x.test,bounce,bob@b.test\n';
  expect(countsOf(await compare(list, entries))['valid']).toBe('0/0/2 of 2');
  await expect(compare(list, 'from,to\nme@x.test,you@x.test\n')).rejects.toThrow('unclear');
});

describe('a verified list', () => {
  test.each([
    [
      'of the API, as JSON',
      '[{"email":"ann@a.test","result":"catch-all","status":"risky","reason":"accept_all","score":55}]',
      'risky accept_all',
    ],
    [
      'of several runs: the last',
      'email,rcpt_status,rcpt_email,rcpt_2_status,rcpt_2_email\nann@a.test,invalid,x,valid,ann@a.test',
      'valid -',
    ],
    ['of which most columns were deleted', 'Mail,rcpt_status\n"Lee <ANN@a.test>",valid', 'valid -'],
    ['without reasons', 'rcpt_status;rcpt_email\nvalid;ann@a.test\n', 'valid -'],
    ['of a newer service', `${VERIFIED},,dormant,moved_away,ann@a.test`, 'dormant moved_away'],
  ])('may be one %s', async (_what, text, group) => {
    expect(countsOf(await compare(text, 'ann@a.test'))[group]).toBe('0/0/1 of 1');
  });

  test.each(['email,status\nann@a.test,valid\n', 'email,rcpt_email\nann@a.test,valid\n', 'ann@a.test\n'])(
    'is none without our columns: %j',
    async (text) => {
      await expect(compare(text, 'ann@a.test')).rejects.toThrow('list: This is not a verified list');
    },
  );
});

test.each([
  // Newcombe 1998, table I, method 3.
  [81, 263, 0.2553, 0.3662],
  [15, 148, 0.0624, 0.1605],
  [0, 20, 0, 0.1611],
  [1, 29, 0.0061, 0.1718],
  [29, 29, 0.883, 1],
])('%i of %i lie between %d and %d', (count, all, low, high) => {
  const interval = shareOf(count, all);
  expect(interval.low).toBeCloseTo(low, 4);
  expect(interval.high).toBeCloseTo(high, 4);
});

test('of two files of any kind everything is counted once, in the table too', async () => {
  const emails = fc.constantFrom('a@a.test', 'A@a.test', 'b@b.test', 'c@ü.test', 'c@xn--tda.test', 'n/a', '');
  const rows = fc.array(fc.tuple(emails, fc.constantFrom('valid', 'risky', 'x y', '')), { maxLength: 9 });
  const entries = fc.array(fc.tuple(emails, fc.constantFrom('hard', 'soft', '', 'open')), { maxLength: 9 });
  await fc.assert(
    fc.asyncProperty(rows, entries, async (verified, bounced) => {
      const report = await compareBounces(
        sourceOf(
          `rcpt_email,rcpt_status,id\nq@q.test,valid,1\n${verified.map((cells) => `${cells.join()},1\n`).join('')}`,
        ),
        sourceOf(`email,event,id\nq@q.test,hard,1\n${bounced.map((cells) => `${cells.join()},1\n`).join('')}`),
        () => 0,
      );
      const { rows: all, ...of } = report.verified;
      expect(of.addresses + of.duplicates + of.withoutVerdict).toBe(all);
      const { entries: each, notInList, ...counts } = report.bounces;
      const strangers = Object.values(notInList).reduce((sum, count) => sum + count, 0);
      expect(counts.addresses + counts.duplicates + counts.withoutAddress + counts.noBounces + strangers).toBe(each);
      expect(report.all.bounced.count).toBe(counts.addresses);
      const [header = [], ...lines] = rowsOf(report);
      expect(lines.at(-1)?.slice(0, 4)).toEqual(['not_in_list', '', '', String(strangers)]);
      expect(lines.map(({ length }) => length)).toEqual(lines.map(() => header.length));
      expect(lines.at(-2)?.slice(2, 4)).toEqual([String(of.addresses), String(counts.addresses)]);
    }),
  );
});
