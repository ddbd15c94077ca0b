import { join } from 'node:path';
import type { BrowserContext, Page } from 'playwright-core';
import { afterEach, describe, expect, it } from 'vitest';
import { builtPages, IN_BROWSER, theBrowser } from '../testing/browser.ts';

// The widget on pages of all kinds, with a service that rejects `dead…` and keeps `slow…` waiting for ever.

const SHOP = 'https://shop.test';
const FIELD = '<input id="e" name="email" data-rcpt>';
const form = (inside: string, attributes = ''): string => `<form action="/done" ${attributes}>${inside}</form>`;
const PLAIN = form(`${FIELD}<button name="go" value="1">Join</button><button name="go" value="2">Two</button>`);
/** Shows how often, and with what, page code hears of the form: in place of a fetch of its own. */
const HEARS = `<output></output><script>document.addEventListener('submit', (event) => { event.preventDefault();
  const said = [...new FormData(event.target, event.submitter)].map(([name, value]) => name + '=' + value).join('&');
  document.querySelector('output').append('[' + said + ']') }, true)</script>`;

const TWICE = `const two = document.querySelectorAll('button')[1]; two.click(); two.click()`;

type Shop = { readonly page: Page; readonly asked: string[]; readonly heard: () => Promise<string> };

const type = async (page: Page, email: string): Promise<void> => {
  await page.locator('#e').click();
  await page.keyboard.type(email);
};
const says = (page: Page, text: string) => expect.poll(() => page.locator('.rcpt-note').innerText()).toBe(text);

describe('the widget', IN_BROWSER, () => {
  let contexts: BrowserContext[] = [];
  const complaints: string[] = [];
  afterEach(async () => {
    for (const context of contexts) await context.close();
    contexts = [];
    expect(complaints.splice(0)).toEqual([]);
  });

  /** @param body HEARS comes before the widget, so its listener is the older one */
  async function open(body: string, script = ''): Promise<Shop> {
    const context = await (await theBrowser()).newContext();
    contexts.push(context);
    const page = await context.newPage();
    page.on('pageerror', ({ message }) => complaints.push(message));
    await page.clock.install();
    const asked: string[] = [];
    await page.route('https://verify.test/**', async (route) => {
      if (route.request().method() === 'GET') return route.fulfill({ path: join(builtPages(), 'form.js') });
      const { email } = Object(route.request().postDataJSON());
      asked.push(email);
      if (String(email).startsWith('slow')) return undefined;
      const verdict = String(email).startsWith('dead') ? 'reject' : 'accept';
      const headers = { 'access-control-allow-origin': SHOP };
      return route.fulfill({ headers, json: { verdict, reason: null, did_you_mean: null } });
    });
    await page.route(`${SHOP}/**`, (route) => {
      const html = `<!doctype html><html lang="en">${body}<script src="https://verify.test/form.js" data-key="svc_form_x" ${script}></script>`;
      const isDone = new URL(route.request().url()).pathname === '/done';
      return route.fulfill({ contentType: 'text/html; charset=utf-8', body: isDone ? 'Welcome' : html });
    });
    await page.goto(SHOP);
    return { page, asked, heard: () => page.locator('output').innerText() };
  }
  it.each([
    ['Enter', 'email=ann@shop.example&go=1', (page: Page) => page.keyboard.press('Enter')],
    ['a click', 'email=ann@shop.example&go=2', (page: Page) => page.getByText('Two').click()],
    ['a double click', 'email=ann@shop.example&go=2', (page: Page) => page.evaluate(TWICE)],
    ['requestSubmit', 'email=ann@shop.example', (page: Page) => page.evaluate('document.forms[0].requestSubmit()')],
  ])('has a form sent by %s go on once, as it was sent, after the verdict', async (_how, sent, send) => {
    const { page, asked, heard } = await open(HEARS + PLAIN);
    await type(page, 'dead@shop.example');
    await send(page);
    await says(page, 'This address does not exist.');
    expect([await heard(), asked]).toEqual(['', ['dead@shop.example']]);
    await page.locator('#e').fill('');
    await type(page, 'ann@shop.example');
    await send(page);
    await expect.poll(heard).toBe(`[${sent}]`);
    expect(asked).toEqual(['dead@shop.example', 'ann@shop.example']);
    // With its verdict known, nothing is held any more.
    await page.keyboard.press('Enter');
    await expect.poll(heard).toMatch(/^\[[^\]]*\]\[email=ann@shop\.example&go=\d\]$/);
  });

  it('checks again what one changed letter and Enter send after a rejection', async () => {
    const { page, asked, heard } = await open(HEARS + PLAIN);
    await type(page, 'deadx@shop.example');
    await page.keyboard.press('Enter');
    await says(page, 'This address does not exist.');
    for (const key of ['Home', 'ArrowRight', 'Delete', 'Enter']) await page.keyboard.press(key);
    await expect.poll(heard).toBe('[email=dadx@shop.example&go=1]');
    expect(asked).toEqual(['deadx@shop.example', 'dadx@shop.example']);
  });

  it('lets a form go after four seconds without a verdict, and not a moment before', async () => {
    const { page, asked, heard } = await open(HEARS + PLAIN);
    await type(page, 'slow@shop.example');
    await page.keyboard.press('Enter');
    await expect.poll(() => asked.length).toBe(1);
    await page.clock.runFor(3_000);
    expect(await heard()).toBe('');
    await page.clock.runFor(1_001);
    await expect.poll(heard).toBe('[email=slow@shop.example&go=1]');
  });

  it.each([
    ['a hint', form('<input id="e" name="email" data-rcpt="hint"><button>Join</button>')],
    [
      'a field of several addresses',
      form('<input id="e" name="email" type="email" multiple data-rcpt><button>Join</button>'),
    ],
    ['a button that says formnovalidate', form(`${FIELD}<button formnovalidate>Later</button>`)],
    ['an empty field', PLAIN],
    ['an address that the page itself brought', form('<input id="e" name="email" value="old@shop.example" data-rcpt>')],
    ['a field that is disabled', form(`${FIELD.replace('id', 'disabled id')}<input id="o"><button>Join</button>`)],
  ])('holds nothing back for %s', async (what, html) => {
    const { page, heard } = await open(HEARS + html);
    if (html !== PLAIN && !/value=|disabled/.test(html)) await type(page, 'slow@shop.example');
    else await page.locator(/disabled/.test(html) ? '#o' : '#e').focus();
    await page.keyboard.press('Enter');
    expect([what, await heard()]).toEqual([what, expect.stringMatching(/^\[.*\]$/)]);
  });

  it.each([
    ['the address is changed', (page: Page) => page.keyboard.type('x')],
    ['the form is removed', (page: Page) => page.evaluate('document.forms[0].remove()')],
    ['the form is reset', (page: Page) => page.evaluate('document.forms[0].reset()')],
    ['its dialog is closed', (page: Page) => page.evaluate(`document.querySelector('dialog').close()`)],
    ['the page is left, though it comes back', (page: Page) => page.evaluate(`dispatchEvent(new Event('pagehide'))`)],
  ])('does not send what waits if %s', async (_what, change) => {
    const { page, asked, heard } = await open(`${HEARS}<dialog open>${PLAIN}</dialog>`);
    await type(page, 'slow@shop.example');
    await page.keyboard.press('Enter');
    await expect.poll(() => asked.length).toBe(1);
    await change(page);
    await page.clock.runFor(5_000);
    expect(await heard()).toBe('');
  });

  it.each([
    ['outside of its form', `${form('<button>Join</button>', 'id="f"')}${FIELD.replace('id', 'form="f" id')}`],
    ['beside another one', form(`<input name="b" value="" data-rcpt>${FIELD}<button>Join</button>`)],
    ['in a form with novalidate', form(`${FIELD}<button>Join</button>`, 'novalidate')],
    ['in a form without a button', form(FIELD)],
  ])('waits for a field %s', async (_where, html) => {
    const { page, asked, heard } = await open(HEARS + html);
    await type(page, 'ann@shop.example');
    await page.keyboard.press('Enter');
    await expect.poll(heard).toContain('email=ann@shop.example');
    expect([asked, (await heard()).split('[').length]).toEqual([['ann@shop.example'], 2]);
  });

  it('sees at the latest when the form is sent what a password manager filled in without a word', async () => {
    const { page, asked, heard } = await open(HEARS + PLAIN);
    await page.evaluate(`document.querySelector('#e').value = 'dead@shop.example'`);
    await page.getByText('Join').click();
    await says(page, 'This address does not exist.');
    expect([await heard(), asked]).toEqual(['', ['dead@shop.example']]);
  });

  it('checks a second after the last key, whole addresses, two of them', async () => {
    const { page, asked } = await open(PLAIN);
    await type(page, 'dead@gmail.co');
    await page.clock.runFor(1_100);
    expect(asked).toEqual([]);
    await page.keyboard.type('m');
    await page.clock.runFor(900);
    expect(asked).toEqual([]);
    await page.clock.runFor(200);
    await says(page, 'This address does not exist.');
    for (const email of ['ann@shop.example', 'bob@shop.example', 'dead@gmail.com']) {
      await page.locator('#e').fill(email);
      await page.clock.runFor(1_100);
    }
    // A third is checked when it is left; what is known costs nothing.
    await says(page, 'This address does not exist.');
    expect(asked).toEqual(['dead@gmail.com', 'ann@shop.example']);
  });

  it.each([
    ['the field', PLAIN.replace('data-rcpt', 'data-rcpt data-check="leave"'), ''],
    ['the script', PLAIN, 'data-check="leave"'],
  ])('checks nothing while it is typed if %s says so', async (_where, html, script) => {
    const { page, asked } = await open(html, script);
    await type(page, 'ann@shop.example');
    await page.clock.runFor(2_000);
    expect(asked).toEqual([]);
    await page.locator('#e').blur();
    await expect.poll(() => asked).toEqual(['ann@shop.example']);
  });

  it.each([
    ['before the verdict', `document.querySelector('#e').hidden = true`, 'null'],
    ['after it', 'null', `document.querySelector('#e').hidden = true`],
  ])('blocks no form by a field of an earlier step, hidden %s, where nobody sees why', async (_when, before, after) => {
    const { page, heard } = await open(HEARS + PLAIN);
    await type(page, 'dead@shop.example');
    await page.evaluate(before);
    await page.locator('#e').dispatchEvent('change');
    await expect.poll(() => page.locator('.rcpt-note').textContent()).toBe('This address does not exist.');
    await page.evaluate(after);
    await page.getByText('Join').click();
    expect(await heard()).toBe('[email=dead@shop.example&go=1]');
  });

  it('finds its tag, if a library runs the script from another place', async () => {
    const { page, asked } = await open(PLAIN, 'type="text/plain"');
    await page.addScriptTag({ path: join(builtPages(), 'form.js') });
    await type(page, 'dead@shop.example');
    await page.locator('#e').blur();
    await says(page, 'This address does not exist.');
    expect(asked).toEqual(['dead@shop.example']);
  });

  it('knows the address of a field that is rendered anew, and takes the message of the old one away', async () => {
    const { page, asked, heard } = await open(HEARS + PLAIN);
    await type(page, 'dead@shop.example');
    await page.locator('#e').blur();
    await says(page, 'This address does not exist.');
    await page.evaluate(`const old = document.querySelector('#e'), anew = old.cloneNode();
      anew.setAttribute('value', old.value); anew.removeAttribute('aria-describedby'); old.replaceWith(anew)`);
    await page.getByText('Join').click();
    await says(page, 'This address does not exist.');
    expect([await heard(), asked]).toEqual(['', ['dead@shop.example']]);
  });

  it('rejects the address of a field that is rendered anew while its form waits', async () => {
    const { page, asked, heard } = await open(HEARS + PLAIN);
    await type(page, 'dead@shop.example');
    await page.evaluate(`document.querySelector('button').click();
      const old = document.querySelector('#e'), anew = old.cloneNode(); anew.setAttribute('value', old.value); old.replaceWith(anew)`);
    await expect.poll(() => page.locator('#e').getAttribute('aria-invalid')).toBe('true');
    expect([await heard(), asked]).toEqual(['', ['dead@shop.example']]);
  });

  it('takes out of the field the marks that were pasted with the address and that nobody sees', async () => {
    const { page, asked, heard } = await open(HEARS + PLAIN.replace('id="e"', 'id="e" type="email"'));
    await page.locator('#e').focus();
    await page.keyboard.insertText('\u200b\u00a0an\u00adn@sh\u2060op.example\u200d\ufeff');
    await page.keyboard.press('Enter');
    await expect.poll(heard).toBe('[email=ann@shop.example&go=1]');
    expect(asked).toEqual(['ann@shop.example']);
  });

  it('holds a form in a shadow tree, in the language around it', async () => {
    const { page, asked } = await open('<main lang="de"><div></div></main>');
    await page.evaluate(`document.querySelector('div').attachShadow({ mode: 'open' }).innerHTML = '${PLAIN}'`);
    await page.evaluate(`document.querySelector('div').shadowRoot.querySelector('input').value = 'dead@shop.example'`);
    await page.getByText('Join').click();
    await says(page, 'Diese Adresse gibt es nicht.');
    expect([new URL(page.url()).pathname, asked]).toEqual(['/', ['dead@shop.example']]);
    await type(page, '');
    await page.locator('#e').fill('ann@shop.example');
    await page.keyboard.press('Enter');
    await page.waitForURL('**/done?email=ann%40shop.example&go=1');
  });
});
