import { type ChildProcess, spawn } from 'node:child_process';
import { readdir, readFile, rm, writeFile } from 'node:fs/promises';
import { join } from 'node:path';
import { Client } from '@modelcontextprotocol/sdk/client/index.js';
import { StdioClientTransport } from '@modelcontextprotocol/sdk/client/stdio.js';
import { afterAll, afterEach, beforeAll, beforeEach, describe, expect, test } from 'vitest';
import * as z from 'zod';
import { type Caller, callerOf } from '../testing/caller.ts';
import { newStateFolder, startRunningService, type RunningService } from '../testing/running-service.ts';
import { newFolder } from './testing/command.ts';

// The command as a process of its own, against the service as `npm start` runs it: after any kill, every row is
// answered, and the account paid for each address once, and at most for what was in flight besides. One file for one
// running service, which takes seconds to start.

const MAIN = join(import.meta.dirname, 'main.ts');
/** Domains of the sandbox that answer quickly, each in its own way; the last two cost nothing. */
const DOMAINS = [
  'deliverable',
  'catchall',
  'takes-no-mail',
  'relay-denied',
  'nxdomain',
  'null-mx',
  'mx-missing',
  'private-mx',
  'blocks-probe',
  'refused',
  'blocked',
  'mail-rejected',
];
/** Of the command in one list: `KILLS=20` for more. */
const KILLS = Number(process.env['KILLS'] ?? 5);

let state: string;
let service: RunningService;
let caller: Caller;

beforeAll(async () => {
  state = await newStateFolder();
  // Requests are so short that a run ends those of the run before it before it is killed: ten attempts are all that a key has.
  const variables = ['RATE_LIMIT=0', 'MAX_ADDRESSES=50'].flatMap((variable) => ['--var', variable]);
  service = await startRunningService(state, variables);
  caller = await callerOf(service.ready);
}, 200_000);
afterAll(async () => {
  await service.stop();
  await rm(state, { recursive: true, force: true });
});

let folder: string;
let before: number;
const running = new Set<ChildProcess>();
beforeEach(async () => {
  folder = await newFolder();
  before = await settled();
});
afterEach(async () => {
  for (const child of running) child.kill('SIGKILL');
  await rm(folder, { recursive: true, force: true });
});

/** What the account has once every batch has been settled. */
async function settled(): Promise<number> {
  const open = async (): Promise<number> =>
    (await caller.operator.showAccount(service.ready.accountId)).openHolds.batches;
  await expect.poll(open, { timeout: 20_000 }).toBe(0);
  return caller.credits();
}

const spent = async (): Promise<number> => before - (await settled());

function environment(): Record<string, string> {
  const { apiKey } = service.ready;
  return {
    PATH: `${folder}:${process.env['PATH'] ?? ''}`,
    XDG_CONFIG_HOME: folder,
    RCPT_URL: service.ready.url,
    RCPT_API_KEY: apiKey,
  };
}

type Run = {
  readonly child: ChildProcess;
  readonly said: () => string;
  readonly ended: Promise<{ readonly code: number | null; readonly out: string; readonly err: string }>;
};

/** Runs a program with the command's surroundings. */
function start(command: string, args: readonly string[]): Run {
  const child = spawn(command, args, { cwd: folder, env: environment(), stdio: ['pipe', 'pipe', 'pipe'] });
  running.add(child);
  let out = '';
  let err = '';
  child.stdout.setEncoding('utf8').on('data', (text: string) => (out += text));
  child.stderr.setEncoding('utf8').on('data', (text: string) => (err += text));
  child.stdin.on('error', () => {});
  const ended = new Promise<Awaited<Run['ended']>>((done) =>
    child.once('close', (code) => {
      running.delete(child);
      done({ code, out, err });
    }),
  );
  return { child, ended, said: () => out + err };
}

const rcpt = (...args: readonly string[]): Run =>
  start(process.execPath, [MAIN, ...args, ...(args[0] === 'verify' ? ['--yes'] : [])]);

async function giveList(count: number, from = 0): Promise<readonly string[]> {
  const emails = Array.from({ length: count }, (_, n) => `user${from + n}@${DOMAINS[n % DOMAINS.length]}.test`);
  await writeFile(join(folder, 'list.csv'), `n,email\n${emails.map((email, n) => `${n},${email}\n`).join('')}`);
  return emails;
}

const read = (name: string): Promise<string> => readFile(join(folder, name), 'utf8');

/** Waits until the journal has this many results. */
async function known(count: number): Promise<void> {
  await expect.poll(resultsInJournal, { timeout: 60_000, interval: 20 }).toBeGreaterThanOrEqual(count);
}

async function resultsInJournal(): Promise<number> {
  const lines = (await read('out.csv.rcpt-journal').catch(() => '')).split('\n').slice(1, -1);
  return lines.filter((line) => line.startsWith('{"index":')).length;
}

/** All rows are there in their order, and each has a verdict. */
async function expectWhole(emails: readonly string[]): Promise<void> {
  const [head, ...rows] = (await read('out.csv'))
    .trimEnd()
    .split('\n')
    .map((line) => line.split(','));
  expect(head?.slice(0, 3)).toEqual(['n', 'email', 'rcpt_status']);
  expect(rows.map(([n, email]) => [n, email])).toEqual(emails.map((email, n) => [String(n), email]));
  for (const [, , status] of rows) expect(['valid', 'risky', 'invalid', 'unknown']).toContain(status);
  expect((await readdir(folder)).toSorted()).toEqual(['list.csv', 'out.csv', 'rcpt']);
}

const eventSchema = z.looseObject({ event: z.string() });

/** What `--json` said, by the event's name; the last of each. */
function eventsOf(out: string): Readonly<Record<string, z.infer<typeof eventSchema>>> {
  const events = out
    .trim()
    .split('\n')
    .map((line) => eventSchema.parse(JSON.parse(line)));
  return Object.fromEntries(events.map((event) => [event.event, event]));
}

describe('a list', { timeout: 120_000 }, () => {
  test('costs what the command says, and --dry-run costs nothing', async () => {
    const emails = await giveList(600);
    const dry = await rcpt('verify', 'list.csv', '--dry-run').ended;
    expect(dry).toMatchObject({ code: 0, out: '', err: expect.stringContaining('at most 600 credits') });
    expect(await spent()).toBe(0);
    const { code, out } = await rcpt('verify', 'list.csv', '-o', 'out.csv', '--json').ended;
    const { summary } = eventsOf(out);
    expect({ code, summary }).toMatchObject({
      code: 0,
      summary: { done: 600, charged: 500, returned: 100, unconfirmed: 0 },
    });
    expect(await spent()).toBe(500);
    await expectWhole(emails);
  });

  test('is left in order by Ctrl-C on a terminal, after it was asked whether to begin', async () => {
    const emails = await giveList(6_000, 30_000);
    const terminal = start('script', [
      '-qec',
      `'${process.execPath}' '${MAIN}' verify list.csv -o out.csv`,
      '/dev/null',
    ]);
    await expect.poll(terminal.said, { timeout: 20_000 }).toContain('Continue? [y/N]');
    terminal.child.stdin?.write('y\r');
    await known(500);
    await expect.poll(terminal.said, { timeout: 20_000 }).toMatch(/of 6,000 \(\d+ %\) · [\d,.]+\/s · /);
    // Twice at once, as under npm, which passes on what the terminal has sent already.
    terminal.child.stdin?.write('\u0003\u0003');
    const { code, out } = await terminal.ended;
    expect(code).toBe(130);
    expect(out).toContain('Stopping: waiting for requests in progress');
    expect(out).toContain('Wrote out.csv, which is incomplete.');
    expect(out).toContain('run the same command with --resume');
    // What was under way was heard to its end: every credit that is gone has its answer, and the rest is still to pay.
    const rows = (await read('out.csv'))
      .trimEnd()
      .split('\n')
      .slice(1)
      .map((line) => line.split(','));
    expect(rows.map(([, email]) => email)).toEqual(emails);
    const answered = rows.filter(([, , status]) => status !== '');
    expect(answered.length).toBeLessThan(6_000);
    expect(await spent()).toBe(
      answered.filter(([, email]) => !/@(blocked|mail-rejected)\.test$/.test(email ?? '')).length,
    );
    const dry = await rcpt('verify', 'list.csv', '-o', 'out.csv', '--resume', '--dry-run').ended;
    expect(dry.err).toContain(`at most ${(6_000 - answered.length).toLocaleString('en-US')} credits`);
  });

  test('is left at once by a second signal, with its journal', async () => {
    // Five seconds for each request.
    await writeFile(join(folder, 'list.csv'), 'email\nx@dns-silent.test\nx@nxdomain.test\n');
    const run = rcpt('verify', 'list.csv', '-o', 'out.csv');
    await known(1);
    run.child.kill('SIGTERM');
    await expect.poll(run.said).toContain('Stopping');
    // Half a second counts as one.
    const again = setInterval(() => run.child.kill('SIGTERM'), 100);
    expect((await run.ended).code).toBe(143);
    clearInterval(again);
    // The answer that was under way was not waited for.
    expect(await resultsInJournal()).toBe(1);
  });

  test('keeps its results when the journal fills the disk', async () => {
    const emails = await giveList(1_000, 50_000);
    const script = 'ulimit -f 200; exec "$@"';
    const full = await start('bash', [
      '-c',
      script,
      'bash',
      process.execPath,
      MAIN,
      'verify',
      '--yes',
      'list.csv',
      '-o',
      'out.csv',
    ]).ended;
    expect(full).toMatchObject({
      code: 7,
      err: expect.stringMatching(/Free disk space.* continue with --resume/),
    });
    expect(full.err).not.toMatch(/^ {4}at /m);
    const { code, out } = await rcpt('verify', 'list.csv', '-o', 'out.csv', '--resume', '--json').ended;
    expect(code).toBe(0);
    expect(eventsOf(out)['plan']?.['known']).toBeGreaterThan(0);
    // What was answered and not kept is asked for again, under the same keys.
    const due = emails.filter((email) => !/@(blocked|mail-rejected)\.test$/.test(email)).length;
    expect(await spent()).toBe(due);
    await expectWhole(emails);
  });
});

test('an assistant gets results in the order that it asked, and pays for a duplicate once', async () => {
  // The way an assistant does: the server is its child.
  const assistant = new Client({ name: 'test', version: '1' });
  const command = { command: process.execPath, args: [MAIN, 'mcp', '--max-credits', '10'] };
  await assistant.connect(new StdioClientTransport({ ...command, env: environment(), cwd: folder, stderr: 'inherit' }));
  const emails = ['ok@deliverable.test', 'x@nxdomain.test', 'OK@deliverable.test', 'no address'];
  const { isError = false, structuredContent } = await assistant.callTool({ name: 'verify', arguments: { emails } });
  await assistant.close();
  const results = emails.map((email) => ({ email: email.toLowerCase() }));
  expect(isError).toBe(false);
  expect(structuredContent).toMatchObject({ results, charged: 2, sessionCreditsLeft: 8 });
  expect(await spent()).toBe(2);
}, 60_000);

test('a server that an assistant leaves ends by itself, and one without a key does not begin', async () => {
  const left = rcpt('mcp');
  left.child.stdin?.end();
  expect(await left.ended).toEqual({ code: 0, out: '', err: '' });
  const keyless = start('env', ['-u', 'RCPT_API_KEY', process.execPath, MAIN, 'mcp']);
  expect(await keyless.ended).toMatchObject({ code: 5, out: '', err: expect.stringContaining('run rcpt login') });
});

test('a key that is typed on a terminal is not shown, and serves from then on', async () => {
  const { apiKey } = service.ready;
  const command = `env -u RCPT_API_KEY -u RCPT_URL '${process.execPath}' '${MAIN}'`;
  const login = start('script', ['-qec', `${command} login --url ${service.ready.url}`, '/dev/null']);
  await expect.poll(login.said, { timeout: 20_000 }).toContain('(not shown)');
  login.child.stdin?.write(`${apiKey}\r`);
  expect(await login.ended).toMatchObject({ code: 0, out: expect.stringContaining('Logged in') });
  expect(login.said()).not.toContain(apiKey);
  const { code, out } = await start('bash', ['-c', `${command} credits`]).ended;
  expect({ code, out }).toEqual({ code: 0, out: `${before.toLocaleString('en-US')} credits\n` });
});

test(
  `a list costs what it costs in one go when the command is killed ${KILLS} times`,
  async () => {
    const count = KILLS * 600;
    const emails = await giveList(count, 20_000);
    let answered = 0;
    for (let kills = 1; kills <= KILLS; kills += 1) {
      const run = rcpt('verify', 'list.csv', '-o', 'out.csv', ...(kills === 1 ? [] : ['--resume']));
      const early = run.ended.then(({ err }) => Promise.reject(new Error(err)));
      await Promise.race([known(answered + 300), early]);
      run.child.kill('SIGKILL');
      await early.catch(() => {});
      answered = await resultsInJournal();
      // That it is dead is known here: a command that finds the lock looks for nine seconds.
      await rm(join(folder, 'out.csv.rcpt-journal.lock'));
    }
    expect(answered).toBeLessThan(count);
    const { code, out } = await rcpt('verify', 'list.csv', '-o', 'out.csv', '--resume', '--json').ended;
    const { plan, summary } = eventsOf(out);
    expect({ code, plan }).toMatchObject({ code: 0, plan: { known: answered, creditsAtMost: count - answered } });
    // 2 of 12 domains are free; what was in flight at a kill is repeated, and charged once.
    const due = (count * 10) / 12;
    expect({ spent: await spent(), summary }).toMatchObject({ spent: due, summary: { charged: due, unconfirmed: 0 } });
    await expectWhole(emails);
  },
  KILLS * 60_000,
);
