import { chmod, lstat, mkdir, readdir, readFile, readlink, rm, stat, symlink, writeFile } from 'node:fs/promises';
import { join } from 'node:path';
import { afterEach, beforeEach, describe, expect, test } from 'vitest';
import { fileJournal } from '../../../schema/client/node/file-journal.ts';
import {
  failureResponse,
  GREYLISTED,
  ScriptedService,
  UNPROBED,
} from '../../../schema/client/testing/scripted-service.ts';
import { Interrupted } from '../failure/failure.ts';
import { type Around, type Ended, newFolder, rcpt } from '../testing/command.ts';

// One file for one command: each test runs all of it in a folder of its own.

let folder: string;
let service: ScriptedService;
beforeEach(async () => {
  folder = await newFolder();
  service = new ScriptedService();
});
afterEach(() => rm(folder, { recursive: true, force: true }));

const LIST = 'id,email\n1,a@x.test\n2,b@y.test\n3,A@x.test\n4,\n5,c@z.test\n';
const ALL_VALID = [
  'id,email,rcpt_status',
  '1,a@x.test,valid',
  '2,b@y.test,valid',
  '3,A@x.test,valid',
  '4,,',
  '5,c@z.test,valid',
];

/** `rcpt verify` in the folder; LIST is there as list.csv, and `out` is out.csv. */
async function verify(args: readonly string[], around: Around = {}): Promise<Ended> {
  const paths = args.map((arg) => (/^\w[\w-]*\.\w+$/.test(arg) ? join(folder, arg) : arg));
  return rcpt(service, folder, ['verify', ...paths], around);
}

const give = (name: string, text: string): Promise<void> => writeFile(join(folder, name), text);
const read = (name: string): Promise<string> => readFile(join(folder, name), 'utf8');
const files = async (): Promise<readonly string[]> =>
  (await readdir(folder)).filter((name) => name !== 'rcpt').toSorted();
const asked = (): readonly string[] => service.requests.flatMap(({ emails }) => emails);
/** The first cells of each row, and our status. */
const statuses = (text: string): readonly string[] =>
  text
    .trimEnd()
    .split('\n')
    .map((line) => line.split(',').slice(0, 3).join(','));

describe('a list', () => {
  beforeEach(() => give('list.csv', LIST));

  test('with --verbose names each request on standard error, and no address', async () => {
    service.answers = (_, nth) => (nth === 0 ? failureResponse(503, null, { 'rcpt-request-id': 'r-1' }) : null);
    const { code, out, err } = await verify(['list.csv', '-o', 'out.csv', '--verbose', '--quiet']);
    expect({ code, out }).toEqual({ code: 0, out: '' });
    expect(err.replaceAll(/\d+ ms/g, 'N ms').split('\n')).toEqual([
      '/api/v1/credits: 200 in N ms',
      '/api/v1/verify: 503 in N ms, request r-1',
      '/api/v1/verify: 200 in N ms, attempt 2',
      '',
    ]);
    expect((await verify(['list.csv', '-o', 'out.csv', '--force', '--quiet'])).err).toBe('');
  });

  test('comes back whole and in its order, a duplicate is asked once, and nothing is left behind', async () => {
    const { code, out, err } = await verify(['list.csv', '-o', 'out.csv']);
    expect({ code, out }).toEqual({ code: 0, out: '' });
    expect(statuses(await read('out.csv'))).toEqual(ALL_VALID);
    expect(asked().toSorted()).toEqual(['a@x.test', 'b@y.test', 'c@z.test']);
    expect(await files()).toEqual(['list.csv', 'out.csv']);
    expect(err.split('\n')).toEqual([
      `${folder}/list.csv: 5 rows; 4 addresses in the column "email", 3 of them different.`,
      'It costs at most 3 credits. The account has 1,000.',
      expect.stringMatching(/^4 rows answered in .+ s: valid 4, risky 0, invalid 0, unknown 0\.$/),
      '3 credits charged, 0 returned.',
      '1 row without an address.',
      `Wrote ${folder}/out.csv.`,
      '',
    ]);
  });

  test.each<[string, string, string, readonly string[]]>([
    ['the same file', 'list.csv', LIST, []],
    ['a copy under another name', 'copy.csv', LIST, []],
    [
      'the same addresses in another format',
      'list.jsonl',
      '{"mail":"A@X.test"}\n{"mail":"b@y.test"}\n{"mail":"c@z.test"}\n',
      [],
    ],
    ['the same with another delimiter and more columns', 'wide.csv', 'e;x\na@x.test;1\nb@y.test;2\nc@z.test;3\n', []],
    ['the price alone', 'list.csv', LIST, ['--dry-run']],
  ])('that was verified is named with its result before it is paid again: %s', async (_how, name, text, more) => {
    await verify(['list.csv', '-o', 'out.csv']);
    await give(name, text);
    const { err } = await verify([name, '-o', 'again.csv', ...more]);
    const [hint = '', plan = ''] = err.split('\n');
    expect(hint).toMatch(
      /^These very addresses were verified on \d{4}-\d\d-\d\d: the result was written to .*\/out\.csv\. /,
    );
    expect(plan).toContain(name);
    expect(await readFile(join(folder, 'rcpt/verified.json'), 'utf8')).not.toMatch(/[abc]@|[xyz]\.test|svc_live/);
  });

  test.each<[string, readonly string[], Around]>([
    ['another list', ['other.csv', '-o', 'again.csv'], {}],
    ['a part of it', ['list.csv', '-o', 'again.csv', '--not-in', 'other.csv'], {}],
    ['another service', ['list.csv', '-o', 'again.csv'], { env: { RCPT_URL: 'https://other.example' } }],
  ])('that was verified is no reason to warn of %s', async (_other, args, around) => {
    await verify(['list.csv', '-o', 'out.csv']);
    await give('other.csv', 'email\nA@x.test\n');
    const { code, err } = await verify(args, around);
    expect({ code, hints: err.includes('were verified') }).toEqual({ code: 0, hints: false });
  });

  test('that was verified is not said to be in a file that has another since', async () => {
    await give('other.csv', 'email\nq@q.test\n');
    await verify(['list.csv', '-o', 'out.csv']);
    await verify(['other.csv', '-o', 'out.csv', '--force']);
    expect((await verify(['list.csv', '-o', 'again.csv', '--dry-run'])).err).not.toContain('out.csv. ');
    expect((await verify(['other.csv', '-o', 'again.csv', '--dry-run'])).err).toContain('out.csv. ');
  });

  test('without an address to ask is no list that was verified', async () => {
    await give('none.csv', 'id,email\n1,\n');
    for (const name of ['none.csv', 'list.csv'])
      for (const out of ['out.csv', 'again.csv'])
        expect((await verify([name, '-o', `${name[0]}${out}`, '--not-in', 'list.csv'])).err).not.toContain(
          'verified on',
        );
  });

  test.each(['', '{', 'null', '[null,{"fingerprint":1}]'])(
    'is verified though what is kept of earlier lists is %j',
    async (text) => {
      await mkdir(join(folder, 'rcpt'));
      await writeFile(join(folder, 'rcpt/verified.json'), text);
      expect((await verify(['list.csv', '-o', 'out.csv'])).code).toBe(0);
      expect((await verify(['list.csv', '-o', 'again.csv'])).err).toContain('were verified on');
    },
  );

  test('of objects in objects gets its results beside the outermost fields', async () => {
    const rows = ['a@x.test', 'b@x.test'].map((email) => ({ id: 1, properties: { email } }));
    await give('crm.json', JSON.stringify({ results: rows, paging: { next: { after: '2' } } }));
    await verify(['crm.json', '-o', 'out.jsonl']);
    const lines = (await read('out.jsonl'))
      .trimEnd()
      .split('\n')
      .map((line): unknown => JSON.parse(line));
    expect(lines).toEqual(rows.map((row) => expect.objectContaining({ ...row, rcpt_status: 'valid' })));
  });

  test('is priced by --dry-run, which asks nothing and leaves nothing', async () => {
    const { code, err } = await verify(['list.csv', '-o', 'out.csv', '--dry-run']);
    expect(code).toBe(0);
    expect(err).toContain('It costs at most 3 credits. The account has 1,000.');
    expect(asked()).toEqual([]);
    expect(await files()).toEqual(['list.csv']);
  });

  test('is priced without a key too', async () => {
    const { code, err } = await verify(['list.csv', '--dry-run'], { env: { RCPT_API_KEY: '' } });
    expect(code).toBe(0);
    expect(err).toMatch(/costs at most 3 credits\.\n$/);
    expect(await verify(['list.csv', '--dry-run'], { env: { RCPT_URL: '' } })).toMatchObject({ code: 0, err });
    expect(await verify(['list.csv'], { env: { RCPT_URL: '' } })).toMatchObject({ code: 2 });
  });

  test('that is not UTF-8 is read in the encoding that fits, and a blank last line is no row', async () => {
    await writeFile(join(folder, 'old.csv'), Buffer.from('name,email\nM\u00fcller,a@x.test\n\n', 'latin1'));
    const { code, err } = await verify(['old.csv', '-o', 'out.csv']);
    expect({ code, err }).toMatchObject({
      code: 0,
      err: expect.stringContaining('(Windows-1252), with words such as M\u00fcller'),
    });
    expect(err).toContain(': 1 row; 1 address');
    expect(await read('out.csv')).toContain('\nM\u00fcller,a@x.test,valid,');
  });

  test('of standard input goes to standard output, in the form that it came in', async () => {
    const { code, out } = await verify(['-'], { stdin: '{"email":"a@x.test","n":1}\n' });
    expect(code).toBe(0);
    expect(out).toMatch(/^\{"email":"a@x\.test","n":1,"rcpt_status":"valid",.*\}\n$/);
    const text = await verify(['-', '--format', 'text', '-q'], { stdin: 'a@x.test\n' });
    expect(text).toMatchObject({
      code: 0,
      err: '',
      out: expect.stringMatching(/^email,rcpt_status.*\na@x\.test,valid,/),
    });
  });

  test('is reported as events with --json, the last one being end', async () => {
    const { code, out, err } = await verify(['list.csv', '-o', 'out.csv', '--json']);
    expect({ code, err }).toEqual({ code: 0, err: '' });
    const events = out
      .trim()
      .split('\n')
      .map((line): unknown => JSON.parse(line));
    expect(events).toEqual([
      expect.objectContaining({ event: 'plan', rows: 5, addresses: 4, distinct: 3, creditsAtMost: 3, credits: 1_000 }),
      expect.objectContaining({
        event: 'summary',
        done: 4,
        charged: 3,
        verdicts: { valid: 4, risky: 0, invalid: 0, unknown: 0 },
      }),
      { event: 'note', message: `Wrote ${folder}/out.csv.` },
      { event: 'end', exitCode: 0, message: null, output: join(folder, 'out.csv'), journal: null },
    ]);
  });

  test('may be addresses on the command line, whose results go to standard output', async () => {
    service.says = (email) => (email === 'b@y.test' ? GREYLISTED : {});
    const { code, out } = await verify(['a@x.test', 'b@y.test']);
    expect({ code, lines: out.split('\n') }).toEqual({
      code: 0,
      lines: [
        'email,rcpt_status,rcpt_score,rcpt_reason,rcpt_meaning',
        'a@x.test,valid,95,,The mailbox exists',
        expect.stringMatching(/^b@y\.test,unknown,50,greylisting,/),
        '',
      ],
    });
  });

  test('with nothing but a header comes back with ours, and costs nothing', async () => {
    const { code, out, err } = await verify(['-'], { stdin: 'id,email\n' });
    expect({ code, out }).toEqual({ code: 0, out: expect.stringMatching(/^id,email,rcpt_status,[\w,]*\n$/) });
    expect(err).toContain('It costs at most 0 credits.');
    expect(await verify(['-'])).toMatchObject({ code: 3, err: expect.stringContaining('The list is empty.') });
  });

  test('without a header gets one', async () => {
    const { out } = await verify(['-'], { stdin: '1,a@x.test\n' });
    expect(statuses(out)).toEqual(['column_1,email,rcpt_status', '1,a@x.test,valid']);
  });

  test('can be written as a workbook, and read again', async () => {
    const ended = await verify(['list.csv', '-o', 'out.xlsx']);
    expect(ended).toMatchObject({ code: 0, err: expect.stringContaining('out.xlsx.') });
    const again = await verify(['out.xlsx', '--only', 'none']);
    expect(statuses(again.out.slice(1))).toEqual(ALL_VALID);
  });

  test('that an output cannot hold is refused before it costs anything', async () => {
    await give('long.csv', `email,note\na@x.test,${'x'.repeat(32_768)}\n`);
    const ended = await verify(['long.csv', '-o', 'out.xlsx']);
    expect(ended).toMatchObject({ code: 3, err: expect.stringContaining('Line 2 has a cell with more than 32,767') });
    expect({ asked: asked(), files: await files() }).toEqual({ asked: [], files: ['list.csv', 'long.csv'] });
  });

  test('with several addresses in a cell says what the row needs, and asks none of them', async () => {
    const { out, err } = await verify(['-'], {
      stdin: 'email\n"a@x.test; b@y.test"\nc@z.test\n"Lee, Ann <d@x.test>"\n',
    });
    expect(out.split('\n').slice(1)).toEqual([
      expect.stringMatching(/^a@x\.test; b@y\.test,.*several_addresses,Several addresses in one cell: put each/),
      expect.stringMatching(/^c@z\.test,valid,/),
      expect.stringMatching(/^"Lee, Ann <d@x\.test>",valid,/),
      '',
    ]);
    expect(err).toContain('1 row with several addresses in one cell: put each in a row of its own to verify them.');
    expect(asked().toSorted()).toEqual(['c@z.test', 'd@x.test']);
  });

  test('can be written in part; addresses of another list are neither asked nor written', async () => {
    service.says = (email) => (email === 'b@y.test' ? { status: 'invalid', score: 0 } : {});
    await give('left.csv', 'Email;Reason\nC@z.test;unsubscribed\n"x@x.test, y@x.test";\n');
    const { code, err } = await verify(['list.csv', '-o', 'out.csv', '--keep', 'valid', '--not-in', 'left.csv']);
    expect({ code, asked: asked().toSorted() }).toEqual({ code: 0, asked: ['a@x.test', 'b@y.test'] });
    expect(statuses(await read('out.csv'))).toEqual(['id,email,rcpt_status', '1,a@x.test,valid', '3,A@x.test,valid']);
    expect(err).toContain('left.csv: 3 addresses to leave out.');
    expect(err).toContain('1 row left out by --not-in.');
    expect(err).toContain('It costs at most 2 credits.');
    expect(err).toContain('out.csv with 2 of 5 rows.');
    const rest = await verify(['list.csv', '--keep', 'no_address', '-q']);
    expect(statuses(rest.out)).toEqual(['id,email,rcpt_status', '4,,']);
    service.requests.length = 0;
    await verify(['list.csv', '-o', 'all.csv', '--force']);
    const kept = await verify(['all.csv', '--only', 'none', '--min-score', '1', '--no-role', '-q']);
    expect(statuses(kept.out).slice(1)).toEqual(['1,a@x.test,valid', '3,A@x.test,valid', '5,c@z.test,valid']);
    expect(service.requests).toHaveLength(1);
  });

  test.each<[string, string, readonly string[]]>([
    ['A-labels', 'email\na@xn--mnchen-3ya.de\n', ['kept@x.test', 'b@xn--bcher-kva.test', 'c@straße.test']],
    ['Unicode', 'email\nB@bücher.test\nc@STRASSE.test\n', ['kept@x.test', 'a@münchen.de', 'c@straße.test']],
    ['several in a cell', 'email\n"b@bücher.test; C@xn--strae-oqa.test"\nz@z.test\n', ['kept@x.test', 'a@münchen.de']],
    [
      'several in each',
      'email\n"b@bücher.test, q@q.test"\n"q@q.test / c@straße.test"\n',
      ['kept@x.test', 'a@münchen.de'],
    ],
  ])('is never asked for an address that another list has in %s', async (_form, left, kept) => {
    await give(
      'list.csv',
      'email\nkept@x.test\na@münchen.de\nb@xn--bcher-kva.test\nc@straße.test\n"m@x.test; b@bücher.test"\n',
    );
    await give('left.csv', left);
    expect(await verify(['list.csv', '-o', 'out.csv', '--not-in', 'left.csv'])).toMatchObject({ code: 0 });
    expect(asked().toSorted()).toEqual(kept.toSorted());
  });

  test('can be sampled first: the shares, what all would cost, and no address paid twice', async () => {
    await give('long.txt', Array.from({ length: 900 }, (_, n) => `u${n}@d${n % 9}.test\n`).join(''));
    service.says = (email) => (Number(/\d+/.exec(email)?.[0]) % 2 === 0 ? { status: 'invalid', score: 0 } : {});
    const sample = await verify(['long.txt', '-o', 'out.csv', '--sample', '100']);
    expect(sample).toMatchObject({ code: 0, out: '' });
    expect(sample.err).toContain('It costs at most 100 credits for 100 addresses at random, and 900 for all. The acc');
    expect(sample.err).toMatch(
      /100 addresses of the sample answered in .* s: valid \d+ %, risky 0 %, invalid \d+ %, unknown 0 %, each within 10 points\./,
    );
    expect(sample.err).toContain('The other 800 addresses would cost about 800 credits, and 800 at most.');
    expect(sample.err).toContain('run the same command with --resume and without --sample.');
    expect([service.charged, asked().length]).toEqual([100, 100]);
    expect(await files()).toEqual(['list.csv', 'long.txt', 'out.csv.rcpt-journal']);
    const places = asked().map((email) => Number(/\d+/.exec(email)?.[0]));
    expect(Math.max(...places)).toBeGreaterThan(450);
    const second = await verify(['long.txt', '-o', 'out.csv', '--sample', '50', '--resume', '--json']);
    expect(second.out).toContain('"creditsForRest":750');
    const rest = await verify(['long.txt', '-o', 'out.csv', '--resume']);
    expect(rest).toMatchObject({ code: 0, err: expect.stringContaining('150 rows already in the journal') });
    expect([service.charged, asked().length, new Set(asked()).size]).toEqual([900, 900, 900]);
    expect(statuses(await read('out.csv')).filter((line) => /,(?:in)?valid/.test(line))).toHaveLength(900);
    expect(await files()).toEqual(['list.csv', 'long.txt', 'out.csv']);
  });

  test('that is shorter than its sample is verified whole', async () => {
    expect((await verify(['list.csv', '-o', 'out.csv', '--sample', '3'])).code).toBe(0);
    expect(statuses(await read('out.csv')).filter((line) => line.endsWith(',valid'))).toHaveLength(4);
  });

  test('cannot make the terminal do anything', async () => {
    const { err } = await verify(['-', '--column', '1'], { stdin: '\u009b2J\u001b[2Jx\na@x.test\n' });
    expect(err.replaceAll('\n', '')).not.toMatch(/\p{Cc}/u);
    expect(err).toContain('in the column');
  });

  test('is asked again up to --attempts times, and what is still deferred is reported', async () => {
    service.says = (email, nth) =>
      email === 'b@y.test' && nth === 0 ? GREYLISTED : email === 'c@z.test' ? UNPROBED : {};
    const { code, err } = await verify(['list.csv', '-o', 'out.csv', '--attempts', '3']);
    expect(code).toBe(0);
    expect(asked().filter((email) => email === 'b@y.test')).toHaveLength(2);
    expect(asked().filter((email) => email === 'c@z.test')).toHaveLength(3);
    expect(err).toContain('2 rows asked more than once.');
    expect(err).toContain(
      `1 row may get an answer later, the first in 1 min 0 s: rcpt verify ${folder}/out.csv --only unknown -o NEW`,
    );
    expect((await read('out.csv')).split('\n')[2]).toMatch(/,b@y\.test,2$/);
  });
});

describe('an earlier output', () => {
  test('is asked again only where --only says, and every other row stays as it is', async () => {
    await give('list.csv', LIST);
    service.says = (email) => (email === 'b@y.test' ? GREYLISTED : {});
    await verify(['list.csv', '-o', 'out.csv']);
    service.says = () => ({});
    service.requests.length = 0;
    const { code, err } = await verify(['out.csv', '--only', 'risky,unknown', '-o', 'new.csv']);
    expect(code).toBe(0);
    expect(asked()).toEqual(['b@y.test']);
    expect(err).toContain('It costs at most 1 credit.');
    const [before, after] = [await read('out.csv'), await read('new.csv')].map((text) => text.split('\n'));
    expect(after?.filter((_, index) => index !== 2)).toEqual(before?.filter((_, index) => index !== 2));
    expect(after?.[2]).toMatch(/^2,b@y\.test,valid,95/);
  });

  test.each<[string, readonly string[]]>([
    ['unknown', ['busy@', 'late@', 'rest@', 'reset@', 'slow@', 'strange@']],
    ['unknown,no_banner', ['busy@', 'late@', 'mute@', 'rest@', 'reset@', 'slow@', 'strange@']],
    ['risky', ['any@']],
    ['provider_blocks_probe,greylisting', ['big@', 'late@']],
  ])('with --only %s is asked where another try may change the answer, or the reason is named', async (only, again) => {
    const rows = [
      'late@,unknown,greylisting,300',
      'slow@,unknown,timeout,',
      'rest@,unknown,not_asked_yet,60',
      'reset@,unknown,connection_error,',
      'strange@,unknown,reason_of_2030,',
      'busy@,unknown,policy_rejected,900',
      'rude@,unknown,policy_rejected,',
      'mute@,unknown,no_banner,',
      'shut@,unknown, ehlo_rejected ,',
      'picky@,unknown,mail_from_rejected,',
      'any@,risky,accept_all,',
      'big@,risky,provider_blocks_probe,',
      'doubt@,risky,policy_rejected,',
      'good@,valid,,',
    ].map((row) => row.replace('@', '@x.test'));
    await give('old.csv', ['email,rcpt_status,rcpt_reason,rcpt_retry_after', ...rows, ''].join('\n'));
    const { err } = await verify(['old.csv', '--only', only, '-o', 'new.csv']);
    expect(asked().toSorted()).toEqual(again.map((name) => `${name}x.test`).toSorted());
    if (only === 'unknown')
      expect(err).toContain(
        'old.csv: 4 rows not asked again, because servers that turn us away rarely change that: policy_rejected 1, no_banner 1, ehlo_rejected 1, mail_from_rejected 1. To ask them too, name the reason, as in --only policy_rejected.',
      );
  });

  test('of a second run is asked by what that run said, whose columns get the answers', async () => {
    await give('list.csv', LIST);
    service.says = (email) => (email === 'b@y.test' ? GREYLISTED : {});
    await verify(['list.csv', '-o', 'first.csv']);
    service.says = (email) => (email === 'c@z.test' ? GREYLISTED : {});
    await verify(['first.csv', '-o', 'second.csv']);
    service.requests.length = 0;
    const { err } = await verify(['second.csv', '--only', 'unknown', '-o', 'third.csv']);
    expect(asked()).toEqual(['c@z.test']);
    expect(err).toContain('4 rows left as they were by --only.');
    const header = (await read('third.csv')).split('\n')[0]?.split(',') ?? [];
    const rows = (await read('third.csv')).trimEnd().split('\n').slice(1);
    const [first, second] = ['rcpt_status', 'rcpt_2_status'].map((name) =>
      rows.map((row) => row.split(',')[header.indexOf(name)]),
    );
    expect(first).toEqual(['valid', 'unknown', 'valid', '', 'valid']);
    expect(second).toEqual(['valid', 'valid', 'valid', '', expect.stringMatching(/valid|unknown/)]);
  });

  test('can be asked where it has no answer, and verified anew with columns of another name', async () => {
    await give('list.csv', LIST);
    await verify(['list.csv', '-o', 'out.csv', '--max-credits', '2']);
    service.requests.length = 0;
    expect((await verify(['out.csv', '--only', 'none', '-o', 'new.csv'])).code).toBe(0);
    expect(asked()).toHaveLength(1);
    const anew = await verify(['out.csv', '-o', 'anew.csv']);
    expect(anew.err).toContain('the new ones are named rcpt_2_status');
    expect(await read('anew.csv')).toMatch(/^id,email,rcpt_status,.*,rcpt_2_status,/);
  });

  test('that is none is refused', async () => {
    await give('list.csv', LIST);
    expect(await verify(['list.csv', '--only', 'unknown'])).toMatchObject({
      code: 2,
      err: expect.stringContaining('--only needs'),
    });
  });
});

describe('an existing output', () => {
  beforeEach(() => give('list.csv', LIST));

  test('is not overwritten without --force', async () => {
    await give('out.csv', 'mine');
    expect(await verify(['list.csv', '-o', 'out.csv'])).toMatchObject({
      code: 2,
      err: expect.stringContaining('--force'),
    });
    expect(await verify(['list.csv', '-o', 'out.csv', '--resume'])).toMatchObject({
      code: 2,
      err: expect.stringContaining('is complete'),
    });
    expect(await read('out.csv')).toBe('mine');
    expect(asked()).toEqual([]);
    expect((await verify(['list.csv', '-o', 'out.csv', '--force'])).code).toBe(0);
    expect(await read('out.csv')).toContain('rcpt_status');
  });

  test.each([[[]], [['--resume']]])('is not paid for again if another run makes it meanwhile: %j', async (more) => {
    const { fetch: answered } = service;
    // The other run ends while this one asks for the credits.
    const fetch: typeof answered = async (input, init) => {
      await give('out.csv', 'theirs');
      return answered(input, init);
    };
    Object.assign(service, { fetch });
    const ended = await verify(['list.csv', '-o', 'out.csv', ...more]);
    expect(ended).toMatchObject({ code: 2, err: expect.stringContaining('completed by another run') });
    expect({ asked: asked(), out: await read('out.csv') }).toEqual({ asked: [], out: 'theirs' });
    expect(await files()).toEqual(['list.csv', 'out.csv']);
  });

  test.each(['mine', null])('is one place under all its names, be it there or not: %j', async (text) => {
    if (text !== null) await give('real.csv', text);
    await symlink('real.csv', join(folder, 'link.csv'));
    const second = Promise.withResolvers<Ended>();
    service.answers = async (which) => {
      second.resolve(verify(['list.csv', '-o', 'link.csv', '--resume']));
      await second.promise;
      return service.answer(which);
    };
    const first = await verify(['list.csv', '-o', 'real.csv', '--force']);
    expect(await second.promise).toMatchObject({ code: 7, err: expect.stringContaining('in use by another run') });
    expect(first.code).toBe(0);
    expect(statuses(await read('real.csv'))).toContain('1,a@x.test,valid');
    expect([service.charged, await files()]).toEqual([3, ['link.csv', 'list.csv', 'real.csv']]);
  });

  test('is never the input', async () => {
    await mkdir(join(folder, 'deep'));
    const args = ['list.csv', '--force', '-o', join(folder, 'deep/../list.csv')];
    expect(await verify(args)).toMatchObject({ code: 2, err: expect.stringContaining('the input itself') });
    expect(await read('list.csv')).toBe(LIST);
  });

  test('is written behind a link, and nothing but a file is overwritten', async () => {
    await give('real.csv', 'mine');
    await symlink(join(folder, 'real.csv'), join(folder, 'out.csv'));
    expect((await verify(['list.csv', '-o', 'out.csv', '--force'])).code).toBe(0);
    expect(await read('real.csv')).toContain('rcpt_status');
    expect((await lstat(join(folder, 'out.csv'))).isSymbolicLink()).toBe(true);
    const fds = await readdir('/proc/self/fd');
    const links = await Promise.all(fds.map((fd) => readlink(`/proc/self/fd/${fd}`).catch(() => '')));
    // As /dev/stdout is before a pipe.
    const pipe = `/proc/self/fd/${fds[links.findIndex((link) => link.startsWith('pipe:'))] ?? ''}`;
    for (const other of ['/dev/null', folder, pipe])
      expect(await verify(['list.csv', '-o', other, '--force'])).toMatchObject({
        code: 2,
        err: expect.stringContaining('is not a file'),
      });
  });

  test('keeps its permissions, and a missing folder is refused before anything is asked', async () => {
    await writeFile(join(folder, 'out.csv'), 'mine');
    await chmod(join(folder, 'out.csv'), 0o662);
    await verify(['list.csv', '-o', 'out.csv', '--force']);
    expect((await stat(join(folder, 'out.csv'))).mode & 0o777).toBe(0o662);
    service.requests.length = 0;
    const args = ['list.csv', '-o', join(folder, 'none/out.csv')];
    expect(await verify(args)).toMatchObject({ code: 2, err: expect.stringContaining('there is no folder') });
    expect(asked()).toEqual([]);
  });
});

describe('money', () => {
  beforeEach(() => give('list.csv', LIST));

  test('that the account does not have is refused before the start, with a remedy', async () => {
    service.charged = 998;
    const { code, err } = await verify(['list.csv', '-o', 'out.csv']);
    expect({ code, asked: asked() }).toEqual({ code: 4, asked: [] });
    expect(err).toContain(
      'The account has 2 credits, and this may cost 3. Buy credits, or verify a part with --max-credits 2.',
    );
    expect(await files()).toEqual(['list.csv']);
  });

  test('stays below --max-credits: what is known is written, and --resume goes on', async () => {
    const first = await verify(['list.csv', '-o', 'out.csv', '--max-credits', '2']);
    expect(first).toMatchObject({
      code: 4,
      err: expect.stringContaining('run the same command with --resume and a higher --max-credits.'),
    });
    expect(first.err).toContain('out.csv, which is incomplete.');
    expect(first.err.match(/--resume/g)).toHaveLength(1);
    expect(service.charged).toBe(2);
    expect(statuses(await read('out.csv')).filter((line) => line.endsWith(',valid'))).toHaveLength(3);
    expect((await stat(join(folder, 'out.csv.rcpt-journal'))).mode & 0o777).toBe(0o600);
    const again = await verify(['list.csv', '-o', 'out.csv']);
    expect(again).toMatchObject({ code: 2, err: expect.stringContaining('continue with --resume') });
    const dry = await verify(['list.csv', '-o', 'out.csv', '--resume', '--dry-run']);
    expect(dry.err).toContain('It costs at most 1 credit.');
    const second = await verify(['list.csv', '-o', 'out.csv', '--resume']);
    expect(second).toMatchObject({
      code: 0,
      err: expect.stringContaining('3 rows already in the journal, at no cost.'),
    });
    expect(service.charged).toBe(3);
    expect(new Set(asked()).size).toBe(asked().length);
    expect(statuses(await read('out.csv')).filter((line) => line.endsWith(',valid'))).toHaveLength(4);
    expect(await files()).toEqual(['list.csv', 'out.csv']);
  });
});

describe('a run that fails', () => {
  beforeEach(() => give('list.csv', LIST));

  test.each<[string, number, number, string, RegExp]>([
    ['a key that is refused', 5, 401, 'UNAUTHORIZED', /run rcpt login/],
    ['another address', 6, 404, '', /Check --url/],
    ['a service that is broken', 6, 500, 'INTERNAL_ERROR', /Try again later/],
  ])('%s has its exit code and says what to do', async (_name, exitCode, status, code, words) => {
    service.answers = () => failureResponse(status, code);
    const ended = await verify(['list.csv', '-o', 'out.csv']);
    expect(ended).toMatchObject({ code: exitCode, err: expect.stringMatching(words) });
    expect(ended.err).not.toContain('--resume');
    expect(await files()).toEqual(['list.csv']);
  });

  test('a resumed run that ends early leaves all that earlier ones have learnt in the output, and says so', async () => {
    await give('long.txt', Array.from({ length: 1_500 }, (_, n) => `u${n}@d${n % 100}.test\n`).join(''));
    service.charged = -9_000;
    const first = await verify(['long.txt', '-o', 'out.csv', '--max-credits', '1000']);
    expect(first.code).toBe(4);
    const before = statuses(await read('out.csv')).filter((line) => line.includes(',valid'));
    expect(before).toHaveLength(1_000);
    for (const [answers, code] of [
      [() => failureResponse(401, 'UNAUTHORIZED'), 5],
      [() => failureResponse(402, 'NO_CREDITS', { 'rcpt-remaining': '0' }), 4],
    ] as const) {
      service.answers = answers;
      const { err, ...ended } = await verify(['long.txt', '-o', 'out.csv', '--resume']);
      expect(ended.code).toBe(code);
      expect(err).toContain('1,000 of 1,500 rows answered');
      expect(err).toContain('1,000 credits charged');
      expect(statuses(await read('out.csv')).filter((line) => line.includes(',valid'))).toEqual(before);
    }
    // Stopped before the first answer of this run.
    const stop = new AbortController();
    service.answers = () => {
      stop.abort(new Interrupted(130));
      return failureResponse(500, 'INTERNAL_ERROR');
    };
    expect((await verify(['long.txt', '-o', 'out.csv', '--resume'], { stop: stop.signal })).code).toBe(130);
    expect(statuses(await read('out.csv')).filter((line) => line.includes(',valid'))).toEqual(before);
    service.answers = () => null;
    const last = await verify(['long.txt', '-o', 'out.csv', '--resume']);
    expect(last).toMatchObject({ code: 0, err: expect.stringContaining('1,500 rows answered') });
    expect(last.err).toContain('1,500 credits charged, 0 returned.');
  });

  test('a cell that is no address is never asked, and its row says so', async () => {
    const cells = ['n/a', 'John Smith +49 170 1234567', '-', '@ann', `${'x'.repeat(60_000)}@x.test`];
    await give('cells.csv', `email\n${cells.join('\n')}\nan\u00ADn@x.test.\nann@x.test\n`);
    const { code, err } = await verify(['cells.csv', '-o', 'out.csv']);
    expect({ code, asked: asked() }).toEqual({ code: 0, asked: ['ann@x.test'] });
    expect(err).toContain('It costs at most 1 credit.');
    expect(err).toContain('5 rows with something other than an address, never asked.');
    const rows = (await read('out.csv')).trimEnd().split('\n').slice(1);
    expect(rows.map((line) => /,(no_address|valid),/.exec(line)?.[1])).toEqual([
      ...cells.map(() => 'no_address'),
      'valid',
      'valid',
    ]);
  });

  test('titles above the header stay there', async () => {
    await give('titled.csv', 'Customers;;\n;;\nid;name;mail\n1;Ann;ann@x.test\n');
    await verify(['titled.csv', '-o', 'out.csv']);
    expect(statuses((await read('out.csv')).replaceAll(';', ','))).toEqual([
      'Customers,,',
      'id,name,mail',
      '1,Ann,ann@x.test',
    ]);
    expect(asked()).toEqual(['ann@x.test']);
  });

  test('Ctrl-C in the last request of a list ends a run that is complete', async () => {
    const stop = new AbortController();
    service.answers = () => {
      stop.abort(new Interrupted(130));
      return null;
    };
    const { code, err } = await verify(['list.csv', '-o', 'out.csv'], { stop: stop.signal });
    expect([code, await files()]).toEqual([0, ['list.csv', 'out.csv']]);
    expect(err).not.toMatch(/incomplete|--resume/);
  });

  test('Ctrl-C ends a run to standard output with every row, answered or not', async () => {
    const stop = new AbortController();
    service.charged = -9_000;
    service.answers = (_asked, nth) => {
      if (nth === 3) stop.abort(new Interrupted(143));
      return null;
    };
    const stdin = Array.from({ length: 5_000 }, (_, n) => `u${n}@d${n % 100}.test\n`).join('');
    const { code, out } = await verify(['-'], { stdin, stop: stop.signal });
    const lines = out.trimEnd().split('\n');
    expect({ code, rows: lines.length }).toEqual({ code: 143, rows: 5_001 });
    expect(lines.filter((line) => line.includes(',valid,'))).toHaveLength(asked().length);
    expect(asked().length).toBeLessThan(5_000);
  });

  test('a list that changed is refused, and so is one that another process verifies', async () => {
    await verify(['list.csv', '-o', 'out.csv', '--max-credits', '1']);
    await give('list.csv', LIST.replace('b@y', 'bb@y'));
    const changed = await verify(['list.csv', '-o', 'out.csv', '--resume']);
    expect(changed).toMatchObject({ code: 2, err: expect.stringContaining('Use the list and the options') });
    const other = fileJournal(join(folder, 'out.csv.rcpt-journal'));
    await other.open();
    await give('list.csv', LIST);
    const second = await verify(['list.csv', '-o', 'out.csv', '--resume']);
    expect(second.code).toBe(7);
    expect(second.err).toMatch(
      /in use by another run, process \d+ on \S+\. If that run has ended, try again in 30 seconds\.\n$/,
    );
    await other.close();
  });

  test.each([
    ['changed', LIST.replace('b@y', 'bb@y')],
    ['cut off', LIST.slice(0, LIST.indexOf('5,'))],
    ['gone on with', `${LIST}6,d@z.test\n`],
  ])('a list that is %s while it is verified makes no output, and nothing is lost', async (_name, text) => {
    service.answers = async (which) => {
      await give('list.csv', text);
      return service.answer(which);
    };
    const { code, err } = await verify(['list.csv', '-o', 'out.csv']);
    expect({ code, err }).toMatchObject({
      code: 3,
      err: expect.stringContaining('changed while it was being verified'),
    });
    expect(await files()).toEqual(['list.csv', 'out.csv.rcpt-journal']);
    await give('list.csv', LIST);
    service.answers = () => null;
    expect((await verify(['list.csv', '-o', 'out.csv', '--resume'])).code).toBe(0);
    expect(service.charged).toBe(3);
  });

  test.each<[string, readonly string[], number, RegExp]>([
    ['no list', ['none.csv'], 3, /there is no such file/],
    ['a list with an address in its name', ['ann@x.csv'], 3, /there is no such file/],
    ['two lists', ['list.csv', 'ann@x.test'], 2, /One list at a time/],
    ['a folder for a list', ['.'], 3, /is a folder: name a file/],
    ['an unknown option', ['list.csv', '--colour'], 2, /unknown option '--colour'/],
    ['half a credit', ['list.csv', '--max-credits', '0.5'], 2, /whole number/],
    ['nothing to go on from', ['list.csv', '--resume'], 2, /--resume needs an output file/],
    ['force where nothing is', ['list.csv', '--force'], 2, /--force is for an output file/],
    ['a sample that nothing keeps', ['list.csv', '--sample', '9'], 2, /--sample needs an output file/],
    ['rows that there are none of', ['list.csv', '--keep', 'valid,good'], 2, /Expected one or more of valid, risky/],
    ['nothing to leave out', ['list.csv', '--not-in', 'none.csv'], 3, /none.csv: there is no such file/],
    ['two things on standard output', ['list.csv', '--json'], 2, /send the rows to a file/],
  ])('%s ends with one line and asks nothing', async (_name, args, code, words) => {
    const ended = await verify(args);
    expect(ended).toMatchObject({ code, out: '' });
    expect(ended.err.trim().split('\n').at(-1)).toMatch(words);
    expect(ended.err).not.toMatch(/^ {4}at /m);
    expect(asked()).toEqual([]);
  });
});
