import { afterAll, beforeAll, describe, expect, it } from 'vitest';
import { Browser } from '../testing/browser.ts';
import { startEdge, type Edge } from '../testing/edge.ts';

let edge: Edge;
beforeAll(async () => {
  edge = await startEdge({ WELCOME_CREDITS: '100', PUBLIC_URL: 'https://verify.test' });
});
afterAll(() => edge.stop());

const SETTINGS = {
  label: 'Newsletter',
  origins: ['https://shop.example'],
  creditsPerDay: 2,
  perMinute: 100,
  perHour: 100,
  rejectsDisposable: true,
};

let people = 0;
async function signedIn(): Promise<{ browser: Browser; email: string }> {
  const email = `form-owner-${(people += 1)}@people.test`;
  const browser = new Browser(edge);
  await browser.signIn(email);
  return { browser, email };
}

async function made(browser: Browser, kind = 'form'): Promise<{ readonly id: string; readonly key: string }> {
  const { status, body } = await browser.ask('POST', 'forms', { ...SETTINGS, kind });
  expect(status).toBe(201);
  return Object(body).forms[0];
}

const check = async (key: string, email: string, origin = 'https://shop.example'): Promise<number> => {
  const body = JSON.stringify({ key, email });
  return (await fetch(new URL('/api/v1/form', edge.url), { method: 'POST', headers: { origin }, body })).status;
};

describe('the key of a form', () => {
  it('is made, works, can be read again with what it used today, and is named on the balance', async () => {
    const { browser, email } = await signedIn();
    const { id, key } = await made(browser);
    expect(key).toMatch(/^svc_form_[0-9A-Za-z]{38}$/);
    expect(await check(key, 'a@good.test')).toBe(200);
    const used = async () => Object((await browser.ask('GET', 'forms')).body).forms;
    await expect.poll(async () => (await used())[0].usedToday).toBe(1);
    expect(await used()).toEqual([
      {
        ...SETTINGS,
        id,
        key,
        kind: 'form',
        createdAt: expect.any(String),
        madeBy: email,
        mayChange: true,
        usedToday: 1,
      },
    ]);
    const usage = (await browser.ask('GET', 'usage')).body;
    expect(usage).toMatchObject({ rows: [{ key: id, charged: 1 }], labels: { [id]: 'Newsletter' } });
    expect((await browser.ask('GET', 'keys')).body).toEqual({ keys: [] });
  });

  it('for tests begins with another word', async () => {
    const { browser } = await signedIn();
    expect((await made(browser, 'formtest')).key).toMatch(/^svc_formtest_[0-9A-Za-z]{38}$/);
  });

  it('keeps its characters when it is changed, and works a second later as it was changed', async () => {
    const { browser } = await signedIn();
    const { id, key } = await made(browser);
    expect(await check(key, 'a@good.test')).toBe(200);
    const origins = ['https://new.example', 'http://localhost:3000'];
    expect((await browser.ask('PUT', `forms/${id}`, { ...SETTINGS, label: 'Checkout', origins })).status).toBe(200);
    expect((await browser.ask('GET', 'forms')).body).toMatchObject({
      forms: [{ id, key, label: 'Checkout', origins }],
    });
    await expect.poll(() => check(key, 'no address')).toBe(401);
    expect(await check(key, 'no address', 'http://localhost:3000')).toBe(200);
  });

  it('is nobody else’s to change or to see, and ends when it is deleted', async () => {
    const { browser } = await signedIn();
    const stranger = (await signedIn()).browser;
    const { id, key } = await made(browser);
    expect((await stranger.ask('PUT', `forms/${id}`, SETTINGS)).status).toBe(404);
    expect((await stranger.ask('DELETE', `keys/${id}`)).status).toBe(404);
    expect((await stranger.ask('GET', 'forms')).body).toEqual({ forms: [] });
    expect((await browser.ask('DELETE', `keys/${id}`)).status).toBe(200);
    expect((await browser.ask('GET', 'forms')).body).toEqual({ forms: [] });
    await expect.poll(() => check(key, 'no address')).toBe(401);
  });

  it.each([
    [{ origins: [] }, 'origins'],
    [{ origins: ['http://shop.example'] }, 'origins.0: must be an origin such as https://shop.example'],
    [{ origins: Array.from({ length: 11 }, (_, n) => `https://s${n}.example`) }, 'origins'],
    [{ creditsPerDay: 0 }, 'creditsPerDay'],
    [{ perHour: 1.5 }, 'perHour'],
    [{ key: 'svc_form_mine' }, 'unknown member'],
  ])('is refused with %o', async (wrong, sentence) => {
    const { browser } = await signedIn();
    const { status, body } = await browser.ask('POST', 'forms', { ...SETTINGS, kind: 'form', ...wrong });
    expect([status, Object(body).error]).toEqual([400, expect.stringContaining(sentence)]);
  });
});

it('owners are told once a day which of their forms have used up their day', async () => {
  const { browser, email } = await signedIn();
  const mailed = async () => {
    await (await edge.mf.getWorker('edge')).scheduled();
    return edge.mails.filter(({ to, subject }) => to === email && subject.includes('form'));
  };
  const { key } = await made(browser);
  await check(key, 'a@good.test');
  expect(await mailed()).toEqual([]);
  await check(key, 'b@good.test');
  await expect.poll(async () => Object((await browser.ask('GET', 'forms')).body).forms[0].usedToday).toBe(2);
  const [mail] = await mailed();
  expect(mail?.text).toMatch(/^“Newsletter” of the account .*\n.*\n[^]*https:\/\/verify\.test\/developers/);
  expect(await mailed()).toHaveLength(1);
});
