import { afterAll, beforeAll, describe, expect, it } from 'vitest';
import { SANDBOX } from '../../schema/words/sandbox.ts';
import { Browser } from '../testing/browser.ts';
import { type Edge, startEdge } from '../testing/edge.ts';

let edge: Edge;
beforeAll(async () => {
  edge = await startEdge({ OPERATOR_NAME: 'Shop Ltd, Dublin', PRIVACY_URL: 'https://shop.test/privacy' });
});
afterAll(() => edge.stop());

describe('the sample', () => {
  it.each(SANDBOX)('gives $address the verdict $status without signing in', async ({ address, status }) => {
    const answered = await new Browser(edge).ask('POST', 'sample', { email: address });
    expect(answered.status).toBe(200);
    expect(answered.body).toMatchObject({ email: address, status });
  });

  it('rejects all other addresses, and probes none', async () => {
    const browser = new Browser(edge);
    await edge.calls();
    const others = ['ann@shop.test', 'OK@deliverable.test', 'ok@deliverable.test ', '', 7, null, [SANDBOX[0]?.address]];
    for (const email of others) expect((await browser.ask('POST', 'sample', { email })).status).toBe(400);
    expect((await browser.ask('POST', 'sample', { emails: ['ok@deliverable.test'] })).status).toBe(400);
    expect((await browser.ask('POST', 'sample', { email: 'ok@deliverable.test' })).status).toBe(200);
    expect(await edge.calls()).toEqual({ d1: 0, objects: 0 });
  });

  it('is refused to pages of other sites', async () => {
    const other = { origin: 'https://evil.test' };
    const { status } = await new Browser(edge).ask('POST', 'sample', { email: 'ok@deliverable.test' }, other);
    expect(status).toBe(403);
  });
});

describe('the page footer', () => {
  it('shows what the operator has configured, and null for the rest', async () => {
    const { body } = await new Browser(edge).ask('GET', 'me');
    expect(Object(body).features.operator).toEqual({
      name: 'Shop Ltd, Dublin',
      privacyUrl: 'https://shop.test/privacy',
      termsUrl: null,
      statusUrl: null,
      contactEmail: null,
    });
  });
});
