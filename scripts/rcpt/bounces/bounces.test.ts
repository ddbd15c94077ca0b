import { readFile, rm, writeFile } from 'node:fs/promises';
import { join } from 'node:path';
import { afterEach, beforeEach, expect, test } from 'vitest';
import { GREYLISTED, ScriptedService } from '../../../schema/client/testing/scripted-service.ts';
import { type Around, type Ended, newFolder, rcpt } from '../testing/command.ts';

// Two files of the customer: nobody is asked.

const NOBODY = { fetch: () => Promise.reject(new Error('the network was used')) };
let folder: string;
beforeEach(async () => {
  folder = await newFolder();
});
afterEach(() => rm(folder, { recursive: true, force: true }));

async function file(name: string, text: string): Promise<string> {
  await writeFile(join(folder, name), text);
  return join(folder, name);
}

/** Without a key, an address of a service or a network. */
function bounces(args: readonly string[], around: Around = {}): Promise<Ended> {
  return rcpt(NOBODY, folder, ['bounces', ...args], { ...around, env: { RCPT_URL: '', RCPT_API_KEY: '' } });
}

/** As `rcpt verify` writes it: 40 valid addresses, 10 deferred ones. */
async function verified(format: string): Promise<string> {
  const service = new ScriptedService();
  service.says = (email) => (email.startsWith('later') ? GREYLISTED : {});
  const rows = Array.from({ length: 50 }, (_, n) => `Name ${n},${n < 40 ? 'user' : 'later'}${n}@Ünï${n % 3}.test\n`);
  const list = await file('list.csv', `Name,Mail\n${rows.join('')}`);
  const output = join(folder, `verified.${format}`);
  expect(await rcpt(service, folder, ['verify', list, '-o', output])).toMatchObject({ code: 0 });
  return output;
}

const EXPORT =
  'Recipient;Status\nUSER0@xn--n0-tja4c.test;5.1.1\nuser1@ünï1.test;4.2.2\nlater41@ünï2.test;\nnew@x.test;5.1.1\n';

test.each(['csv', 'tsv', 'jsonl', 'xlsx'])(
  'an output in %s is compared with an export, and nothing is asked',
  async (format) => {
    const list = await verified(format);
    const before = await readFile(list);
    const { code, out, err } = await bounces([list, '-'], { stdin: EXPORT });
    expect({ code, err }).toEqual({ code: 0, err: '' });
    const [about, said, _, header, ...rows] = out.split('\n');
    expect(about).toBe(`${list}: 50 addresses with a verdict.`);
    expect(said).toBe('standard input: 3 of them bounced; 1 other address bounced that is not in the list.');
    expect(header?.trim().split(/ {3,}/)).toEqual(['addresses', 'bounced', 'hard', 'soft', 'unspecified']);
    const cells = rows.map((row) => row.trim().split(/ {3,}/));
    expect(cells[0]).toEqual([
      'valid',
      '40',
      '2  5.00 % (1.38–16.50)',
      '1  2.50 % (0.44–12.88)',
      '1  2.50 % (0.44–12.88)',
      '0  0.00 % (0.00–8.76)',
    ]);
    expect(cells.map(([name]) => name).slice(0, 4)).toEqual(['valid', 'unknown', 'greylisting', 'all']);
    expect(out).toContain('95 % Wilson');
    expect(await readFile(list)).toEqual(before);
  },
);

test('programs get the same as CSV or JSON', async () => {
  const paths = [await verified('csv'), await file('bounces.csv', EXPORT)];
  const { out: csv } = await bounces([...paths, '--format', 'csv']);
  expect(csv.split('\n')[0]).toMatch(/^status,reason,addresses,bounced,bounced_share,bounced_low,bounced_high,hard,/);
  expect(csv).toContain('\nunknown,greylisting,10,1,0.100000,0.017876,0.404150,0,0.000000,');
  const { out: json } = await bounces([...paths, '--format', 'json']);
  expect(JSON.parse(json)).toMatchObject({
    confidence: 0.95,
    bounces: { addresses: 3, notInList: { hard: 1, soft: 0, unspecified: 0 } },
    all: { addresses: 50, bounced: { count: 3, share: 0.06 } },
  });
});

test.each<[string, (list: string) => string]>([
  ['the verified list itself', (list) => list],
  ['the list before it was verified', (list) => list.replaceAll(/,(?:valid|risky).*/g, '')],
  ['the addresses alone', (list) => list.replaceAll(/^.*,(.*@[^,]*),.*/gm, '$1')],
  ['what was mailed of it', (list) => list.replaceAll(/^.*risky.*\n/gm, '')],
  [
    'an export of all contacts',
    (list) => list.replaceAll(/,(?:valid|risky).*/g, ',2026-01-01,Berlin').replace(/rcpt.*/, 'Joined,City'),
  ],
])('%s in place of the bounces ends with a sentence, not with what would have bounced', async (_what, from) => {
  const rows = Array.from(
    { length: 20 },
    (_, n) => `N${n},u${n}@x.test,${n < 14 ? 'valid,' : 'risky,accept_all'}\n`,
  ).join('');
  const text = `Name,Mail,rcpt_status,rcpt_reason\n${rows}`;
  const ended = await bounces([await file('verified.csv', text), await file('other.csv', from(text))]);
  expect([ended.code, ended.out]).toEqual([2, '']);
  expect(ended.err).toMatch(/other\.csv: It says nothing of bounces, and has \d+ of the 20 verified addresses/);
});

test.each([
  ['few of them', 'Email\nu1@x.test\nu2@x.test\n', 2],
  ['all, and says so', `Email,Bounce\n${Array.from({ length: 20 }, (_, n) => `u${n}@x.test,yes\n`).join('')}`, 20],
  ['most, by their codes', Array.from({ length: 15 }, (_, n) => `u${n}@x.test;5.1.1\n`).join(''), 15],
])('an export with %s is counted', async (_what, text, count) => {
  const rows = Array.from({ length: 20 }, (_, n) => `u${n}@x.test,valid\n`).join('');
  const paths = [await file('verified.csv', `Mail,rcpt_status\n${rows}`), await file('bounces.csv', text)];
  expect((await bounces(paths)).out).toContain(`bounces.csv: ${count} of them bounced.`);
});

test.each([
  [['list', 'list'], 3, 'list: This is not a verified list: it has no column rcpt_status'],
  [
    ['verified', 'pairs'],
    2,
    'Several columns contain addresses: "from" (column 1), "to" (column 2). Name one with --bounces-column.',
  ],
  [['verified', 'pairs', '--bounces-column', 'too'], 2, '--bounces-column too: there is no such column.'],
  [['verified', 'empty'], 3, 'empty: The list is empty.'],
  [['verified', 'nothing'], 3, 'nothing: there is no such file.'],
  [['verified', 'torn'], 3, 'torn: A quotation mark that opens in line 2 is never closed.'],
  [['-', '-'], 2, 'Only one of the two can be standard input.'],
  [['verified'], 2, "missing required argument 'bounces'"],
  [['verified', 'pairs', '--format', 'xml'], 2, 'table, csv, json'],
])('%j end with %i and a sentence', async ([first = '', ...others], code, message) => {
  await file('list', 'email\nann@a.test\n');
  await file('verified', 'email,rcpt_status\nann@a.test,valid\n');
  await file('pairs', 'from,to\na@x.test,b@x.test\n');
  await file('empty', '');
  await file('torn', 'email,reason\n"a@x.test,1\n');
  const names = ['list', 'verified', 'pairs', 'nothing', 'empty', 'torn'];
  const args = [first, ...others].map((arg) => (names.includes(arg) ? join(folder, arg) : arg));
  const ended = await bounces(args);
  expect([ended.code, ended.out]).toEqual([code, '']);
  expect(ended.err).toContain(message);
});
