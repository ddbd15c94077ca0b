import { afterAll, beforeAll, describe, expect, it } from 'vitest';
import { Browser } from '../testing/browser.ts';
import { startEdge, type Edge } from '../testing/edge.ts';

let edge: Edge;
beforeAll(async () => {
  edge = await startEdge({ WELCOME_CREDITS: '100', PUBLIC_URL: 'https://verify.test' });
});
afterAll(() => edge.stop());

const FORM = {
  origins: ['https://shop.example'],
  creditsPerDay: 2,
  perMinute: 100,
  perHour: 100,
  rejectsDisposable: true,
};
const NEW = { kind: 'form', label: 'Newsletter', form: FORM };

let people = 0;
async function signedIn(): Promise<{ browser: Browser; email: string }> {
  const email = `form-owner-${(people += 1)}@people.test`;
  const browser = new Browser(edge);
  await browser.signIn(email);
  return { browser, email };
}

async function made(browser: Browser): Promise<{ readonly id: string; readonly key: string }> {
  const { status, body } = await browser.ask('POST', 'keys', NEW);
  expect(status).toBe(201);
  return Object(body);
}

const check = async (key: string, email: string, origin = 'https://shop.example'): Promise<number> => {
  const body = JSON.stringify({ key, email });
  return (await fetch(new URL('/api/v1/form', edge.url), { method: 'POST', headers: { origin }, body })).status;
};

describe('the key of a form', () => {
  it('can be made, used and read again, and is listed in the usage with its label', async () => {
    const { browser, email } = await signedIn();
    const { id, key } = await made(browser);
    expect(key).toMatch(/^svc_form_[0-9A-Za-z]{38}$/);
    expect(await check(key, 'a@good.test')).toBe(200);
    const used = async () => Object((await browser.ask('GET', 'usage?days=1')).body);
    await expect.poll(async () => (await used()).rows).toMatchObject([{ key: id, charged: 1 }]);
    expect((await used()).labels).toEqual({ [id]: 'Newsletter' });
    const { keys } = Object((await browser.ask('GET', 'keys')).body);
    expect(keys).toMatchObject([{ id, kind: 'form', label: 'Newsletter', madeBy: email, form: { ...FORM, key } }]);
  });

  it('for tests has another prefix', async () => {
    const { browser } = await signedIn();
    const { body } = await browser.ask('POST', 'keys', { ...NEW, kind: 'formtest' });
    expect(Object(body).key).toMatch(/^svc_formtest_[0-9A-Za-z]{38}$/);
  });

  it('stays the same when its label and settings change, which take effect at once', async () => {
    const { browser } = await signedIn();
    const { id, key } = await made(browser);
    const changed = { ...FORM, origins: ['https://new.example', 'http://localhost:3000'] };
    expect((await browser.ask('PUT', `keys/${id}`, { label: 'Shop', form: changed })).status).toBe(200);
    expect((await browser.ask('GET', 'keys')).body).toMatchObject({
      keys: [{ id, label: 'Shop', form: { ...changed, key } }],
    });
    expect(await check(key, 'no address')).toBe(401);
    expect(await check(key, 'no address', 'http://localhost:3000')).toBe(200);
  });

  it('cannot be changed by others, and stops working when deleted', async () => {
    const { browser } = await signedIn();
    const stranger = (await signedIn()).browser;
    const { id, key } = await made(browser);
    expect((await stranger.ask('PUT', `keys/${id}`, { label: 'Theirs', form: FORM })).status).toBe(404);
    expect((await stranger.ask('DELETE', `keys/${id}`)).status).toBe(404);
    expect((await browser.ask('DELETE', `keys/${id}`)).status).toBe(200);
    expect(await check(key, 'no address')).toBe(401);
  });

  it.each([
    [{ origins: [] }, 'form.origins'],
    [{ origins: ['http://shop.example'] }, 'form.origins.0: write https: http works on localhost only'],
    [{ origins: Array.from({ length: 11 }, (_, n) => `https://s${n}.example`) }, 'form.origins'],
    [{ creditsPerDay: 0 }, 'form.creditsPerDay'],
    [{ key: 'svc_form_mine' }, 'unknown member'],
  ])('is rejected with %o', async (wrong, sentence) => {
    const { browser } = await signedIn();
    const { status, body } = await browser.ask('POST', 'keys', { ...NEW, form: { ...FORM, ...wrong } });
    expect([status, Object(body).error]).toEqual([400, expect.stringContaining(sentence)]);
  });
});

it('owners are told once a day which form has used up its day', async () => {
  const { browser, email } = await signedIn();
  const mailed = async () => {
    await (await edge.mf.getWorker('edge')).scheduled();
    return edge.mails.filter(({ to, subject }) => to === email && subject.includes('form'));
  };
  const { key } = await made(browser);
  await check(key, 'a@good.test');
  expect(await mailed()).toEqual([]);
  await check(key, 'b@good.test');
  const used = async () => Object((await browser.ask('GET', 'usage?days=1')).body).rows;
  await expect.poll(used).toMatchObject([{ charged: 2 }]);
  const [mail] = await mailed();
  expect(mail?.text).toMatch(/: “Newsletter”\.[^]*https:\/\/verify\.test\/developers/);
  expect(await mailed()).toHaveLength(1);
});
