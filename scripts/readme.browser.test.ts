import { execFile } from 'node:child_process';
import { mkdtemp, readdir, readFile, rm, writeFile } from 'node:fs/promises';
import { tmpdir } from 'node:os';
import { join } from 'node:path';
import { promisify } from 'node:util';
import { type Browser, chromium } from 'playwright-core';
import { afterAll, beforeAll, describe, expect, test } from 'vitest';
import { CHROMIUM, IN_BROWSER, type Visit, visitor } from '../edge/dashboard/testing/browser.ts';
import { filesBelow, makeClone } from './testing/clone.ts';
import { type OwnNetwork, ownNetwork } from './testing/own-network.ts';
import { type InTerminal, typeInTerminal } from './testing/terminal.ts';

// What README says, typed as README says it: in a clone, with no option, on the port that README names.

const HOME = 'http://127.0.0.1:8787';
const PAGES = 'http://localhost:8787';
const OWNER = 'demo@rcpt.test';
const CREDITS = 100_000;
const LIST = 'name,email\nAnn,ok@deliverable.test\nBob,nobody@deliverable.test\nCy,anyone@catchall.test\n';

describe('README', { ...IN_BROWSER, timeout: 240_000 }, () => {
  let clone: string;
  let temporary: string;
  let tracked: ReadonlySet<string>;
  let network: OwnNetwork;
  let service: InTerminal;
  let key: string;
  let browser: Browser;
  let owner: Visit;
  const failed: string[] = [];

  beforeAll(async () => {
    [clone, temporary, network] = await Promise.all([makeClone(), mkdtemp(join(tmpdir(), 'rcpt-tmp-')), ownNetwork()]);
    tracked = await filesBelow(clone);
    // Playwright starts a program by one path; this one starts Chromium where the service is.
    const wrapper = join(temporary, 'chromium');
    await writeFile(wrapper, `#!/bin/sh\nexec ${network.words.join(' ')} ${CHROMIUM} "$@"\n`, { mode: 0o755 });
    browser = await chromium.launch({ executablePath: wrapper, args: ['--no-sandbox', '--disable-gpu'] });
    await rm(wrapper);
  }, 60_000);

  afterAll(async () => {
    await browser?.close();
    service?.kill();
    network.close();
    for (const folder of [clone, temporary]) await rm(folder, { recursive: true, force: true });
  });

  /** @returns what it shows once it is ready. @throws Error with its own words if it ends before */
  async function start(line: string): Promise<string> {
    // The clone's npm and Node see nothing of the npm that runs this test.
    const kept = Object.entries(process.env).filter(([name]) => !/^(npm_|NODE_|RCPT_|VITEST)/.test(name));
    const env = { ...Object.fromEntries(kept), TMPDIR: temporary };
    service = typeInTerminal(line, { cwd: clone, env, words: network.words });
    const ended = service.ended.then((code) => {
      throw new Error(`${line} ended with ${code}:\n${service.shown()}`);
    });
    const isReady = expect.poll(service.shown, { timeout: 120_000 }).toContain('Ctrl-C stops it.');
    await Promise.race([isReady, ended]);
    ended.catch(() => undefined);
    return service.shown();
  }

  async function run(program: string): Promise<string> {
    const [command, ...args] = [...network.words, 'bash', '-c', program];
    return (await promisify(execFile)(command, args)).stdout;
  }

  /** Files that are new since the clone was made, and not where they may be. */
  async function strays(state: string): Promise<readonly string[]> {
    const found = [...(await filesBelow(clone)), ...(await readdir(temporary)).map((name) => `$TMPDIR/${name}`)];
    // The last is npm's own, beside its logs.
    const allowed = [`${state}/`, 'node_modules/.cache/', '$TMPDIR/node-compile-cache'];
    const isAllowed = (file: string) => allowed.some((place) => file.startsWith(place));
    return found.filter((file) => !tracked.has(file) && !isAllowed(file));
  }

  test('`npm start` prints a key, and every file of its dashboard loads', async () => {
    const shown = await start('npm start');
    [, key = ''] = / API key +(\S+)/.exec(shown) ?? [];
    expect(shown).toContain(`rcpt is running at ${HOME}\n`);
    expect(shown).toContain(`with ${CREDITS.toLocaleString('en-US')} credits`);
    expect(shown).toContain(` dashboard ${PAGES}:`);
    owner = await visitor(browser, PAGES, { acceptDownloads: true });
    owner.page.on('response', (answer) => {
      if (answer.status() >= 400 && answer.url().includes('/assets/')) failed.push(answer.url());
    });
    // The address in README is not the one on which passkeys work.
    const page = await owner.page.goto(HOME);
    const { 'content-security-policy': policy = '' } = page?.headers() ?? {};
    expect(policy).toContain("default-src 'none'; script-src 'self'; style-src 'self'; connect-src 'self'");
    expect(policy).not.toContain('unsafe');
    await owner.page.getByRole('button', { name: 'Send me a link' }).waitFor();
    expect(owner.page.url()).toBe(`${PAGES}/`);
    expect(failed).toEqual([]);
  });

  test('the link in the terminal signs in to the demo account', async () => {
    await owner.page.getByLabel('Your email address').fill(OWNER);
    await owner.page.getByRole('button', { name: 'Send me a link' }).click();
    await expect.poll(service.shown).toContain(`Mail to ${OWNER}`);
    const [link = ''] = /http:\/\/localhost:8787\/sign-in\S+/.exec(service.shown()) ?? [];
    await owner.page.goto(link);
    await owner.page.getByRole('button', { name: 'Sign in' }).click();
    await owner.page.getByRole('heading', { name: 'Verify' }).waitFor();
  });

  test('two addresses are verified', async () => {
    await owner.page.getByRole('textbox').fill('ok@deliverable.test\nnobody@deliverable.test');
    await owner.page.getByRole('button', { name: /^Verify/ }).click();
    await owner.page.getByText('Every address has a result.').waitFor();
  });

  test('a list is verified and downloaded', async () => {
    await owner.page.getByRole('link', { name: 'Lists' }).click();
    const file = { name: 'customers.csv', mimeType: 'text/csv', buffer: Buffer.from(LIST) };
    await owner.page.locator('input[type=file]').setInputFiles(file);
    await owner.page.getByRole('button', { name: 'Verify 3 addresses' }).click();
    await owner.page.getByText('Every address has a result.').waitFor();
    const saved = owner.page.waitForEvent('download');
    await owner.page.getByRole('button', { name: 'Download CSV' }).click();
    const lines = (await readFile(await (await saved).path(), 'utf8')).replace('\uFEFF', '').split(/\r?\n/);
    expect(lines.map((line) => line.split(',').slice(0, 3))).toEqual([
      ['name', 'email', 'rcpt_status'],
      ['Ann', 'ok@deliverable.test', 'valid'],
      ['Bob', 'nobody@deliverable.test', 'invalid'],
      ['Cy', 'anyone@catchall.test', 'risky'],
      [''],
    ]);
    expect([...owner.complaints, ...failed]).toEqual([]);
  });

  test('the first call gets the answer that README shows', async () => {
    const readme = await readFile(join(clone, 'README.md'), 'utf8');
    // README wraps the answer, which is one line.
    const [, ...found] = /^ {4}\$ (KEY=.+?)^ {4}\$ (curl .+?)^ {4}(\[.+?}\])$/ms.exec(readme) ?? [];
    const [named = '', call = '', answer = ''] = found;
    const said: unknown = JSON.parse(answer.replaceAll(/\n */g, ''));
    expect(JSON.parse(await run(named.replace('svc_live_…', key) + call))).toEqual(said);
  });

  test('Ctrl-C ends the service; the next start has the same key and balance, and no file is left elsewhere', async () => {
    service.ctrlC();
    expect(await service.ended).toBe(0);
    const shown = await start('npm start');
    expect(shown).toContain(` API key   ${key}\n`);
    // Two addresses, three rows, two addresses again.
    expect(shown).toContain(`with ${(CREDITS - 7).toLocaleString('en-US')} credits`);
    service.ctrlC();
    expect(await service.ended).toBe(0);
    expect(await strays('.local')).toEqual([]);
  });
});
