import { once } from 'node:events';
import { request } from 'node:http';
import { connect } from 'node:net';
import { text } from 'node:stream/consumers';
import { afterEach, describe, expect, it } from 'vitest';
import { readContactConfig } from './command.ts';
import { contactPageOf } from './contact-page.ts';
import { serveContactPage } from './serve.ts';

const FACTS = {
  operator: 'Example GmbH',
  contact: 'stop+probes@example.com',
  names: ['mail1.example.com', 'mail2.example.com'],
  mailFrom: 'verify@example.com',
};

describe('the page', () => {
  it('says who probes, what is asked, and where to opt out', () => {
    const page = contactPageOf(FACTS);
    for (const fact of ['Example GmbH', 'mail1.example.com, mail2.example.com', 'verify@example.com', 'opt out'])
      expect(page).toContain(fact);
    expect(page).toContain('<a href="mailto:stop%2Bprobes%40example.com">stop+probes@example.com</a>');
  });

  it('lets no setting become markup', () => {
    const hostile = '"><script>alert(1)</script>&';
    const page = contactPageOf({ operator: hostile, contact: hostile, names: [hostile], mailFrom: hostile });
    expect(page).not.toContain('<script');
    expect(page).toContain('&quot;&gt;&lt;script&gt;');
  });
});

describe('its settings', () => {
  const given = { PAGE_OPERATOR: 'Example GmbH', PAGE_CONTACT: 'postmaster@example.com' };

  it('are those of the host, and two of its own', () => {
    const env = { ...given, EGRESS: '192.0.2.1=mail1.example.com', MAIL_FROM: 'verify@example.com', PAGE_PORT: '' };
    expect(readContactConfig(env)).toEqual({
      facts: {
        operator: 'Example GmbH',
        contact: 'postmaster@example.com',
        names: ['mail1.example.com'],
        mailFrom: 'verify@example.com',
      },
      port: 80,
    });
    expect(readContactConfig(given).facts).toMatchObject({ names: [], mailFrom: null });
  });

  it.each([
    [{}, /PAGE_OPERATOR: is missing.*PAGE_CONTACT: is missing/],
    [{ ...given, PAGE_CONTACT: 'postmaster' }, /PAGE_CONTACT: must be an email address/],
    [{ ...given, PAGE_OPERATOR: 'two\nlines' }, /PAGE_OPERATOR: must be one line/],
    [{ ...given, PAGE_PORT: '65536' }, /PAGE_PORT: must be a port/],
  ])('%j: says what is wrong', (env, words) => {
    expect(() => readContactConfig(env)).toThrow(words);
  });
});

async function ask(port: number, method: string, path: string) {
  const asked = request({ port, method, path, host: '127.0.0.1' }).end();
  const [answer] = await once(asked, 'response');
  return { status: answer.statusCode, headers: answer.headers, body: await text(answer) };
}

describe('the server', () => {
  const open: Array<{ close(): unknown }> = [];
  afterEach(() => {
    for (const server of open.splice(0)) server.close();
  });

  async function serve(): Promise<number> {
    const served = await serveContactPage('<h1>page</h1>', 0);
    if ('failed' in served) throw new Error(served.failed);
    open.push(served.server);
    return served.port;
  }

  it('answers at its root, and says that nothing else may run in the page', async () => {
    const port = await serve();
    const answer = await ask(port, 'GET', '/?from=log');
    expect(answer).toMatchObject({ status: 200, body: '<h1>page</h1>' });
    expect(answer.headers['content-security-policy']).toContain("default-src 'none'");
    expect(await ask(port, 'HEAD', '/')).toMatchObject({ status: 200, body: '' });
  });

  it.each([
    ['GET', '/.env', 404],
    ['POST', '/', 405],
    ['GET', '//', 404],
  ])('answers %s %s with %i', async (method, path, status) => {
    expect(await ask(await serve(), method, path)).toMatchObject({ status, body: '' });
  });

  it('keeps no connection after its answer, and takes no endless headers', async () => {
    const port = await serve();
    for (const bytes of ['GET / HTTP/1.1\r\nhost: a\r\n\r\n', `GET / HTTP/1.1\r\nx: ${'a'.repeat(20_000)}\r\n\r\n`]) {
      const socket = connect(port, '127.0.0.1').end(bytes);
      expect(await text(socket)).toMatch(/^HTTP\/1\.1 (?:200|431) /);
    }
  });

  it('says by the system’s code that a port is taken', async () => {
    expect(await serveContactPage('', await serve())).toEqual({ failed: 'EADDRINUSE' });
  });
});
