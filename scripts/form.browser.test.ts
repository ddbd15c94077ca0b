import { createServer, type Server } from 'node:http';
import { rm } from 'node:fs/promises';
import { gzipSync } from 'node:zlib';
import { AxeBuilder } from '@axe-core/playwright';
import { build } from 'esbuild';
import type { BrowserContext, Page } from 'playwright-core';
import { afterAll, afterEach, beforeAll, describe, expect, test } from 'vitest';
import { IN_BROWSER, theBrowser } from '../edge/dashboard/testing/browser.ts';
import type { Browser } from '../edge/testing/browser.ts';
import { newStateFolder, type RunningService, startRunningService } from './testing/running-service.ts';
import { snippetsOf } from './testing/snippets.ts';
import { visitorOf } from './testing/visitor.ts';

// The widget as a shop has it: on a page of another origin than the service, under a strict policy, with no other script.

const BYTES_MAX = 4_096;
/** Of our own machine, and closed: what is known of the name is all that is known. */
const NOBODY_ASKED = ['--stub', 'gmail.com=127.0.0.1:1'];
const SETTINGS = {
  creditsPerDay: 500,
  perMinute: 1_000,
  perHour: 1_000,
  rejectsDisposable: true,
};

/** Types an address and leaves the field. @returns what the service answered */
async function leave(page: Page, email: string, field = '#e'): Promise<unknown> {
  const answered = page.waitForResponse('**/api/v1/form');
  await page.locator(field).fill(email);
  await page.locator(field).blur();
  const answer = await answered;
  return answer.status() === 200 ? answer.json() : answer.status();
}
const note = (page: Page) => page.locator('#e ~ .rcpt-note');
async function sends(page: Page): Promise<void> {
  await page.getByRole('button', { name: 'Join' }).click();
  await page.getByRole('heading', { name: 'Welcome' }).waitFor();
}

const FORM = '<label for="e">Email</label> <input id="e" type="email" name="email" data-rcpt> <button>Join</button>';
/** A heading for each time that page code hears of the form. */
const WELCOME = `const welcome = () => document.body.append(Object.assign(document.createElement('h1'), { textContent: 'Welcome' }));`;

const hears = (root: string): string =>
  `<script>${WELCOME} ${root}.querySelector('form').addEventListener('submit', async (event) => {
    event.preventDefault(); await fetch('/done'); welcome(); })</script>`;

/** The body of a page with a form, as frameworks make it. */
async function pageOf(kind: string, baseURL: string, key: string): Promise<string> {
  switch (kind) {
    case 'plain':
      return `<form action="/done">${FORM}</form>`;
    case 'HTMX':
      return `<form>${FORM}</form>${hears('document')}`;
    case 'dialog':
      return `<dialog><form method="dialog">${FORM}</form></dialog><script>${WELCOME}
        const dialog = document.querySelector('dialog'); dialog.showModal(); dialog.addEventListener('close', welcome)</script>`;
    case 'shadow tree':
      return `<div></div><script>document.querySelector('div').attachShadow({ mode: 'open' }).innerHTML = '<form>${FORM}</form>'</script>
        ${hears("document.querySelector('div').shadowRoot")}`;
    default:
      return `<main></main><script>${await bundleReact(baseURL, key)}</script>`;
  }
}

/** The field of the guide in a controlled form; Preact stands in for React. */
async function bundleReact(baseURL: string, key: string): Promise<string> {
  const [field = ''] = await snippetsOf('schema/SIGN-UP-FORM.md', 'jsx');
  const app = `${field.replace('https://verify.example.com', baseURL).replace('svc_form_…', key)}
    import { useState } from 'react';
    import { render } from 'preact';
    function App() {
      const [email, setEmail] = useState('');
      const [sent, setSent] = useState([]);
      const onSubmit = (event) => { event.preventDefault(); setSent([...sent, email]); };
      return <><form onSubmit={onSubmit}><EmailField id="e" value={email} onChange={({ target }) => setEmail(target.value)} /><button>Join</button></form>
        {sent.map((one) => <h1 key={one}>Welcome</h1>)}</>;
    }
    render(<App />, document.querySelector('main'));`;
  const { outputFiles } = await build({
    stdin: { contents: app, resolveDir: import.meta.dirname, loader: 'jsx' },
    bundle: true,
    write: false,
    format: 'iife',
    jsx: 'automatic',
    jsxImportSource: 'preact',
    alias: { react: 'preact/compat', '@rcpt/client/form': `${import.meta.dirname}/../schema/client/form.ts` },
  });
  return outputFiles[0]?.text.replaceAll('</script', '<\\/script') ?? '';
}

describe('a sign-up form with the widget', IN_BROWSER, () => {
  let state: string;
  let service: RunningService;
  let shop: { readonly server: Server; readonly origin: string };
  let elsewhere: typeof shop;
  let owner: Browser;
  let key: string;
  let opened: BrowserContext[] = [];
  const complaints: string[] = [];
  const kinds = new Map<string, string>();

  /** A site whose one page has what stands in the query: attributes of the script, and fields. */
  async function site(): Promise<typeof shop> {
    const server = createServer((request, response) => {
      const { pathname, searchParams } = new URL(request.url ?? '/', 'http://shop');
      const url = service.ready.url.replace(/\/$/, '');
      const kind = decodeURIComponent(pathname.slice('/kind/'.length));
      if (kinds.has(kind)) {
        // Without a policy, so that the scripts of its frameworks may stand in it.
        const widget =
          kind === 'React' ? '' : `<script src="${url}/form.js" ${searchParams.get('script')} defer></script>`;
        response.setHeader('content-type', 'text/html; charset=utf-8');
        return response.end(
          `<!doctype html><html lang="en"><head>${widget}</head><body>${kinds.get(kind)}</body></html>`,
        );
      }
      response.writeHead(200, {
        'content-type': 'text/html; charset=utf-8',
        'content-security-policy': `default-src 'self'; script-src ${url}; connect-src ${url}; require-trusted-types-for 'script'; trusted-types 'none'`,
      });
      const head = `<!doctype html><html lang="en"><head><title>Shop</title><meta name="viewport" content="width=device-width">`;
      if (pathname === '/done') return response.end(`${head}</head><body><h1>Welcome</h1></body></html>`);
      const script = `<script src="${url}/form.js" ${searchParams.get('script') ?? ''} defer></script>`;
      const form = `<form action="/done"><label for="e">Email</label> <input type="email" id="e" name="email" aria-describedby="h" ${searchParams.get('field') ?? 'data-rcpt'}><p id="h">We write once a month.</p><button>Join</button></form>`;
      return response.end(
        `${head}${script}</head><body><main><h1>Join</h1>${form}${searchParams.get('more') ?? ''}</main></body></html>`,
      );
    });
    await new Promise<void>((resolve) => server.listen(0, '127.0.0.1', resolve));
    const at = server.address();
    return { server, origin: `http://localhost:${at === null || typeof at === 'string' ? 0 : at.port}` };
  }

  async function newKey(settings: object = {}): Promise<string> {
    const form = { ...SETTINGS, origins: [shop.origin], ...settings };
    return Object((await owner.ask('POST', 'keys', { kind: 'form', label: 'Shop', form })).body).key;
  }

  type Open = { readonly script?: string; readonly field?: string; readonly more?: string; readonly width?: number };
  async function open({ width = 900, ...parts }: Open = {}, at = shop, path = '/'): Promise<Page> {
    const context = await (await theBrowser()).newContext({ viewport: { width, height: 600 } });
    opened.push(context);
    const page = await context.newPage();
    page.on('pageerror', ({ message }) => complaints.push(message));
    page.on('console', (message) => {
      if (message.type() === 'error' && /policy|violat|trusted/i.test(message.text()) && !/CORS/.test(message.text()))
        complaints.push(message.text());
    });
    await page.goto(`${at.origin}${path}?${new URLSearchParams({ script: `data-key="${key}"`, ...parts }).toString()}`);
    return page;
  }

  beforeAll(async () => {
    state = await newStateFolder();
    service = await startRunningService(state, [...NOBODY_ASKED, '--var', 'WELCOME_CREDITS=1000']);
    [shop, elsewhere] = [await site(), await site()];
    owner = visitorOf(service);
    await owner.signIn('ann@shop.example');
    key = await newKey();
  }, 60_000);
  afterEach(async () => {
    for (const context of opened) await context.close();
    opened = [];
  });
  afterAll(async () => {
    for (const { server } of [shop, elsewhere]) server.close();
    await service?.stop();
    await rm(state, { recursive: true, force: true });
  });

  test('loads one small script, which browsers keep for a day and ask about by what is in it', async () => {
    const url = new URL('/form.js', service.ready.url);
    const { status, headers, ...answer } = await fetch(url).then(async (first) => ({
      status: first.status,
      headers: first.headers,
      text: await first.text(),
    }));
    expect([status, headers.get('cache-control'), headers.get('cross-origin-resource-policy')]).toEqual([
      200,
      'public, max-age=86400',
      'cross-origin',
    ]);
    expect(headers.get('content-type')).toMatch(/^(text|application)\/javascript/);
    expect(gzipSync(answer.text).length).toBeLessThan(BYTES_MAX);
    const again = await fetch(url, { headers: { 'if-none-match': headers.get('etag') ?? '' } });
    expect(again.status).toBe(304);
  });

  test('offers a typing mistake’s correction, which the keyboard takes', async () => {
    const page = await open();
    expect(await leave(page, 'ok@gmail.con')).toMatchObject({ verdict: 'accept', did_you_mean: 'ok@gmail.com' });
    await expect.poll(() => note(page).innerText()).toBe('Did you mean ok@gmail.com?');
    await page.locator('#e').focus();
    await page.keyboard.press('Tab');
    const answered = page.waitForResponse('**/api/v1/form');
    await page.keyboard.press('Enter');
    expect(await page.locator('#e').inputValue()).toBe('ok@gmail.com');
    expect(await page.evaluate('document.activeElement.id')).toBe('e');
    expect(await (await answered).json()).toMatchObject({ verdict: 'unsure' });
    await expect.poll(() => note(page).innerText()).toBe('');
    await sends(page);
  });

  test('turns a dead mailbox away until it is changed, and says so to screen readers', async () => {
    const page = await open();
    await page.evaluate(
      `addEventListener('rcpt:verdict', ({ detail }) => (document.title = detail.email + ' ' + detail.verdict))`,
    );
    await leave(page, 'nobody@deliverable.test');
    await expect.poll(() => note(page).innerText()).toBe('This address does not exist.');
    expect(await page.title()).toBe('nobody@deliverable.test reject');
    const field = page.getByRole('textbox', { name: 'Email', exact: true });
    expect(await page.evaluate(`document.querySelector('#e').validationMessage`)).toBe('This address does not exist.');
    expect(await page.getByRole('main').ariaSnapshot()).toContain('- status: This address does not exist.');
    const described = await field.getAttribute('aria-describedby');
    expect(described).toBe(`h ${await note(page).getAttribute('id')}`);
    expect(await note(page).getAttribute('role')).toBe('status');
    await page.getByRole('button', { name: 'Join' }).click();
    expect(new URL(page.url()).pathname).toBe('/');
    await field.press('End');
    await field.press('Backspace');
    expect(await note(page).innerText()).toBe('');
    expect(await field.getAttribute('aria-invalid')).toBeNull();
    await field.fill('ok@deliverable.test');
    await sends(page);
  });

  test('says nothing of a greylisted address, and asks nothing again that has not changed', async () => {
    const page = await open();
    let asked = 0;
    page.on('request', (request) => (asked += request.url().endsWith('/api/v1/form') ? 1 : 0));
    expect(await leave(page, 'greylisted@deliverable.test')).toMatchObject({ verdict: 'unsure' });
    await page.locator('#e').focus();
    await page.locator('#e').blur();
    expect([await note(page).innerText(), asked]).toEqual(['', 1]);
    await sends(page);
  });

  test('says that it is checking once that takes a while, and drops an answer that comes too late', async () => {
    const page = await open();
    const { promise: held, resolve: letGo } = Promise.withResolvers<void>();
    await page.route('**/api/v1/form', async (route) => {
      if (route.request().postData()?.includes('nobody') === true) await held;
      await route.continue().catch(() => undefined);
    });
    await page.locator('#e').fill('nobody@deliverable.test');
    await page.locator('#e').blur();
    await page.getByText('Checking…').waitFor();
    const answered = page.waitForResponse('**/api/v1/form');
    await page.locator('#e').fill('ok@deliverable.test');
    await page.locator('#e').blur();
    await answered;
    letGo();
    await expect.poll(() => note(page).innerText()).toBe('');
    await sends(page);
  });

  test.each([
    ['the service is down', () => open(), async (page: Page) => page.route('**/api/v1/form', (route) => route.abort())],
    [
      'the service is broken',
      () => open(),
      async (page: Page) => page.route('**/api/v1/form', (route) => route.fulfill({ status: 200, body: '<html>' })),
    ],
    ['the page is of an origin that the key does not name', () => open({}, elsewhere), async () => undefined],
    ['the browser is offline', () => open(), async (page: Page) => page.context().setOffline(true)],
  ])('says nothing and lets everybody through if %s', async (_why, begin, spoil) => {
    const page = await begin();
    await page.evaluate(`addEventListener('rcpt:verdict', ({ detail }) => (document.title = detail.verdict))`);
    await spoil(page);
    await page.locator('#e').fill('nobody@deliverable.test');
    await page.locator('#e').blur();
    await expect.poll(() => page.title()).toBe('unsure');
    expect(await note(page).innerText()).toBe('');
    await page.context().setOffline(false);
    await sends(page);
  });

  test('says nothing and lets everybody through once the day is used up', async () => {
    const page = await open({ script: `data-key="${await newKey({ creditsPerDay: 1 })}"` });
    expect(await leave(page, 'ok@deliverable.test')).toMatchObject({ verdict: 'accept' });
    expect(await leave(page, 'nobody@deliverable.test')).toBe(429);
    expect(await note(page).innerText()).toBe('');
    await sends(page);
  });

  test('checks fields that come later, and speaks the language of the page or its own words', async () => {
    const page = await open({ more: '<div lang="de-AT"></div>' });
    await page.evaluate(`
      const field = document.createElement('input');
      field.id = 'later';
      field.setAttribute('data-rcpt', '');
      document.querySelector('[lang=de-AT]').append(field);`);
    await leave(page, 'nobody@deliverable.test', '#later');
    await page.getByText('Diese Adresse gibt es nicht.').waitFor();
    const own = await open({ script: `data-key="${key}" lang="fr" data-rcpt-no-such-mailbox="Hmm, really?"` });
    await leave(own, 'nobody@deliverable.test');
    await own.getByText('Hmm, really?').waitFor();
    await leave(own, 'no@address');
    await own.getByText('La partie après le @ ne reçoit pas d’e-mails.').waitFor();
  });

  test.each(['plain', 'React', 'HTMX', 'dialog', 'shadow tree'])(
    'lets no form go without a verdict, sent by Enter or by a click, and pays once for each address: %s',
    async (kind) => {
      const ownKey = await newKey();
      kinds.set(kind, await pageOf(kind, service.ready.url.replace(/\/$/, ''), ownKey));
      for (const how of ['Enter', 'click']) {
        const page = await open({ script: `data-key="${ownKey}"` }, shop, `/kind/${kind}`);
        const send = async (email: string): Promise<void> => {
          await page.locator('#e').fill('');
          await page.locator('#e').click();
          await page.keyboard.type(email);
          await (how === 'Enter' ? page.keyboard.press('Enter') : page.getByRole('button', { name: 'Join' }).click());
        };
        await send('nobody@deliverable.test');
        await page.getByText('This address does not exist.').waitFor();
        expect(await page.getByRole('heading').count()).toBe(0);
        await send('ok@deliverable.test');
        await page.getByRole('heading', { name: 'Welcome' }).waitFor();
        expect([how, await page.getByRole('heading').allInnerTexts()]).toEqual([how, ['Welcome']]);
      }
      const charged = async (): Promise<number> => {
        const { rows } = Object((await owner.ask('GET', 'usage?days=1')).body);
        const { id } = Object((await owner.ask('GET', 'keys')).body).keys.find(
          ({ form }: { form?: { key: string } }) => form?.key === ownKey,
        );
        return rows
          .filter(({ key: of }: { key: string }) => of === id)
          .reduce((sum: number, row: { charged: number }) => sum + row.charged, 0);
      };
      await expect.poll(charged).toBe(4);
    },
  );

  test.each([320, 900])('is accessible and fits a page of %i px', async (width) => {
    const page = await open({ width });
    await leave(page, `${'a-very-long-name.'.repeat(3)}end@gmail.con`);
    await page.getByRole('button', { name: /@gmail\.com/ }).waitFor();
    const { violations } = await new AxeBuilder({ page }).analyze();
    expect(violations.map(({ id, nodes }) => [id, nodes.map(({ html }) => html)])).toEqual([]);
    expect(await page.evaluate('document.documentElement.scrollWidth')).toBeLessThanOrEqual(width);
  });

  test('breaks no rule of a policy that allows scripts and calls of the service alone, with trusted types', () => {
    expect(complaints).toEqual([]);
  });
});
