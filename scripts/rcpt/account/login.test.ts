import { mkdir, readdir, rm, stat, writeFile } from 'node:fs/promises';
import { isAbsolute, join } from 'node:path';
import { afterEach, beforeEach, describe, expect, test } from 'vitest';
import { ScriptedService } from '../../../schema/client/testing/scripted-service.ts';
import { loginPath } from './login.ts';
import { type Around, newFolder, rcpt, URL_OF_SERVICE } from '../testing/command.ts';

let folder: string;
let service: ScriptedService;
let keys: (string | null)[];
beforeEach(async () => {
  folder = await newFolder();
  keys = [];
  service = new ScriptedService();
  const { fetch: answered } = service;
  Object.assign(service, {
    fetch: (...[input, init]: Parameters<typeof fetch>) => {
      const key = new Headers(init?.headers).get('authorization');
      keys.push(key);
      if (key?.includes('wrong') === true)
        return Promise.resolve(Response.json({ error: 'no such key', code: 'UNAUTHORIZED' }, { status: 401 }));
      return answered(input, init);
    },
  });
});
afterEach(() => rm(folder, { recursive: true, force: true }));

const KEY = 'svc_live_SecretSecret';
const run = (args: readonly string[], around: Around = {}) =>
  rcpt(service, folder, args, { ...around, env: { RCPT_API_KEY: '', ...around.env } });
const loginFile = (): string => join(folder, 'rcpt/login.json');

describe('rcpt login', () => {
  test('keeps nothing in the folder that one happens to be in', () => {
    expect(isAbsolute(loginPath({ HOME: '', XDG_CONFIG_HOME: '' }))).toBe(true);
  });

  test('checks the key and keeps it for its owner alone', async () => {
    const ended = await run(['login'], { stdin: `${KEY}\n` });
    expect(ended).toMatchObject({
      code: 0,
      out: '',
      err: expect.stringContaining(`1,000 credits. The key is kept in ${loginFile()}`),
    });
    expect((await stat(loginFile())).mode & 0o777).toBe(0o600);
    expect((await stat(join(folder, 'rcpt'))).mode & 0o777).toBe(0o700);
    expect(await readdir(join(folder, 'rcpt'))).toEqual(['login.json']);
    expect(ended.err).not.toContain(KEY);
    expect(await run(['credits'], { env: { RCPT_URL: '' } })).toEqual({ code: 0, out: '1,000 credits\n', err: '' });
    expect(keys).toEqual([`Bearer ${KEY}`, `Bearer ${KEY}`]);
    expect((await run(['logout'])).err).toBe(`The key for ${URL_OF_SERVICE} was removed.\n`);
    expect((await run(['credits'])).code).toBe(5);
  });

  test.each([
    ['refuses', 'svc_live_wrong', 5, /run rcpt login/],
    ['cannot be asked about because it is none', 'my key', 5, /has no spaces/],
    ['is not given', '', 5, /has no spaces/],
  ])('keeps no key that the service %s', async (_name, stdin, code, words) => {
    const ended = await run(['login'], { stdin });
    expect(ended).toMatchObject({ code, err: expect.stringMatching(words) });
    expect(ended.err).not.toContain('my key');
    expect((await readdir(folder)).includes('rcpt')).toBe(false);
  });

  test('makes its file anew where another was open to all', async () => {
    await mkdir(join(folder, 'rcpt'));
    await writeFile(loginFile(), '{}', { mode: 0o666 });
    await run(['login'], { stdin: KEY });
    expect((await stat(loginFile())).mode & 0o777).toBe(0o600);
  });
});

describe('the key', () => {
  test('of a file comes before that of the environment, and that before the login', async () => {
    await run(['login'], { stdin: KEY });
    await writeFile(join(folder, 'key'), 'svc_live_OfTheFile\n');
    const env = { RCPT_API_KEY: 'svc_live_OfTheEnvironment' };
    await run(['credits', '--key-file', join(folder, 'key')], { env });
    await run(['credits'], { env });
    await run(['credits']);
    expect(keys.slice(1)).toEqual(['Bearer svc_live_OfTheFile', 'Bearer svc_live_OfTheEnvironment', `Bearer ${KEY}`]);
  });

  test('of a login goes to no other service', async () => {
    await run(['login'], { stdin: KEY });
    const ended = await run(['credits', '--url', 'https://other.example']);
    expect(ended).toMatchObject({ code: 5, err: expect.stringContaining('no API key for this service') });
    expect(keys).toHaveLength(1);
  });

  test.each([
    [
      'plain http to another machine',
      ['--url', 'http://verify.example.test'],
      /plain http is allowed on this machine only/,
    ],
    ['no address', ['--url', 'verify'], /must be like https/],
    ['an address with a key in it', ['--url', 'https://k@verify.example.test'], /must be like https/],
    ['no key file', ['--key-file', '/none'], /\/none cannot be read \(ENOENT\)/],
  ])('is not sent to %s', async (_name, args, words) => {
    const ended = await run(['credits', ...args], { env: { RCPT_API_KEY: KEY } });
    expect([2, 5]).toContain(ended.code);
    expect(ended.err).toMatch(words);
    expect(ended.err).not.toContain('k@');
    expect(keys).toEqual([]);
  });

  test('is asked for where there is none, and so is the service', async () => {
    expect(await run(['credits'])).toMatchObject({ code: 5, err: expect.stringContaining('run rcpt login') });
    expect(await run(['credits'], { env: { RCPT_URL: '' } })).toMatchObject({
      code: 2,
      err: expect.stringContaining('--url'),
    });
    await mkdir(join(folder, 'rcpt'));
    await writeFile(loginFile(), '{"url":');
    expect(await run(['credits'])).toMatchObject({ code: 5, err: expect.stringContaining('is damaged') });
  });
});

test('in a clone of the repository the local service and its demo key are found and named', async () => {
  await writeFile(join(folder, 'demo.json'), JSON.stringify({ accountId: 'demo', keyId: 'key_1', apiKey: KEY }));
  const clone = { localState: folder, env: { RCPT_URL: '' } };
  expect(await run(['credits'], clone)).toEqual({
    code: 0,
    out: '1,000 credits\n',
    err: 'Using the local service at http://127.0.0.1:8787 with its demo key.\n',
  });
  expect(keys).toEqual([`Bearer ${KEY}`]);
  expect(await run(['credits'], { localState: join(folder, 'none'), env: { RCPT_URL: '' } })).toMatchObject({
    code: 2,
  });
});

test('credits are one JSON object for programs', async () => {
  expect(await run(['credits', '--json'], { env: { RCPT_API_KEY: KEY } })).toEqual({
    code: 0,
    out: '{"credits":1000}\n',
    err: '',
  });
});

describe('--help', () => {
  test.each([[[]], [['verify']], [['credits']], [['login']], [['logout']], [['mcp']]])(
    'of %j is on standard output',
    async (args) => {
      const ended = await run([...args, '--help']);
      expect(ended).toMatchObject({ code: 0, err: '', out: expect.stringMatching(/^Usage: rcpt/) });
    },
  );

  test('is what a missing or unknown command points to', async () => {
    expect(await run([])).toMatchObject({ code: 2, err: 'rcpt: no command was given. rcpt --help says more.\n' });
    expect(await run(['verfy'])).toMatchObject({ code: 2, err: expect.stringContaining("unknown command 'verfy'") });
  });
});
