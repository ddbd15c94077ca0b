import { request as httpRequest } from 'node:http';
import { connect } from 'node:net';
import { text } from 'node:stream/consumers';
import * as fc from 'fast-check';
import { describe, expect } from 'vitest';
import { claim } from './testing/claim.ts';
import { ask, customer, given } from './testing/service.ts';
import { breaches, readDocument, type Seen } from '../../schema/testing/openapi/documented.ts';
import { requests, type Request } from '../../schema/testing/openapi/requests.ts';

// Requests that are made from the OpenAPI document, and others that no client would make.

const COUNT = 550;
const SEED = 20_261_121;
/** A key's minute has sixty. */
const PER_KEY = 50;
const AT_ONCE = 8;
/** Requests of a form, whose key nobody has here: each is a 401, of which a network's minute has a hundred. */
const FORMS = 10;

/** Sends a request as it is, if fetch would mend or refuse it. */
function send({ method, path, query, headers, body: bytes, keyed }: Request, key: string): Promise<Seen> {
  const { hostname, port } = new URL(given().url);
  const all = {
    ...headers,
    ...(keyed ? { authorization: `Bearer ${key}` } : {}),
    // Node frames the body of some methods only.
    ...(bytes === null ? {} : { 'content-length': Buffer.byteLength(bytes) }),
  };
  return new Promise((resolve, reject) => {
    const sent = httpRequest({ hostname, port, method, path: path + query, headers: all }, (answer) => {
      const seen = Object.entries(answer.headers).map(([name, value]): [string, string] => [name, String(value)]);
      text(answer).then(
        (whole) => resolve({ status: answer.statusCode ?? 0, headers: new Headers(seen), text: whole }),
        reject,
      );
    });
    sent.on('error', reject);
    sent.end(bytes ?? undefined);
  });
}

/** Sends bytes as they are; returns the status lines of the answers, none if there is no answer. */
function sendRaw(bytes: string): Promise<readonly string[]> {
  const { hostname, port } = new URL(given().url);
  return new Promise((resolve) => {
    const socket = connect(Number(port), hostname);
    let heard = '';
    const done = (): void => {
      socket.destroy();
      resolve(heard.match(/HTTP\/1\.1 \d{3}/g) ?? []);
    };
    socket.setEncoding('latin1').on('data', (more: string) => (heard += more));
    socket.setTimeout(1_500, done);
    socket.on('end', done).on('error', done);
    socket.write(Buffer.from(bytes, 'latin1'));
  });
}

describe('requests made from the OpenAPI document', () => {
  claim('description', 'meet no 500, no undocumented status, header, content type or body', 'sandbox', async () => {
    const document = await readDocument(JSON.parse((await ask('/api/v1/openapi.json', { key: null })).text));
    let forms = 0;
    const made = fc
      .sample(requests(document), { seed: SEED, numRuns: COUNT })
      .filter(({ path }) => path !== '/api/v1/form' || (forms += 1) <= FORMS);
    const customers = await Promise.all(Array.from({ length: COUNT / PER_KEY }, () => customer(5_000)));
    const found: string[] = [];
    const statuses = new Map<string, number>();
    const queue = made.entries();
    const lane = async (): Promise<void> => {
      for (const [i, request] of queue) {
        const seen = await send(request, customers[Math.floor(i / PER_KEY)]?.key ?? '');
        const group = `${request.kind} ${seen.status}`;
        statuses.set(group, (statuses.get(group) ?? 0) + 1);
        const wrong = [
          ...(seen.status >= 500 ? [`status ${seen.status}`] : []),
          ...breaches(document, request.method, request.path, seen),
        ];
        found.push(...wrong.map((what) => `${what} <- ${JSON.stringify(request).slice(0, 600)}`));
      }
    };
    await Promise.all(Array.from({ length: AT_ONCE }, lane));
    const summary = [...statuses].map(([group, count]) => `${group}: ${count}`);
    console.info(`${made.length} generated requests: ${summary.toSorted((a, b) => a.localeCompare(b)).join(', ')}`);
    expect(found).toEqual([]);
    // Every kind of answer that the generator can provoke was there.
    const met = [...statuses.keys()].map((group) => Number(group.slice(-3)));
    expect(new Set(met)).toEqual(new Set([200, 400, 401, 404, 405, 413]));
  });
});

describe('bytes that are hardly HTTP', () => {
  const long = 'a'.repeat(200_000);
  const rest = 'Host: x\r\nConnection: close\r\n';
  const entity = '{"emails":["x"]}';
  claim('requests', 'are refused, and the service goes on', 'sandbox', async () => {
    const { key } = await customer(1);
    const auth = `Authorization: Bearer ${key}\r\n`;
    const raw = [
      `GET /api/v1/credits HTTP/1.1\r\n${rest}X-A: a\0b\r\n\r\n`,
      `GET /api/v1/credits HTTP/1.1\r\n${rest}X-A: ${long}\r\n\r\n`,
      `GET /${long} HTTP/1.1\r\n${rest}\r\n`,
      `GET /api/v1/credits HTTP/1.1\r\n${rest}${'X-A: 1\r\n'.repeat(2_000)}\r\n`,
      `GET /api/v1/credits HTTP/1.1\r\n${rest}${auth}${auth}\r\n`,
      `GET /api/v1/credits HTTP/1.1\r\n${rest} folded: x\r\n\r\n`,
      `GET /api/v1/credits HTTP/1.1\r\n${rest}no colon\r\n\r\n`,
      `GET /api/v1/credits\r\n\r\n`,
      `get /api/v1/credits HTTP/1.1\r\n${rest}\r\n`,
      `TRACE /api/v1/verify HTTP/1.1\r\n${rest}\r\n`,
      `POST /api/v1/verify HTTP/1.1\r\n${rest}${auth}Content-Length: -1\r\n\r\n${entity}`,
      `POST /api/v1/verify HTTP/1.1\r\n${rest}${auth}Content-Length: 16\r\nContent-Length: 17\r\n\r\n${entity}`,
      `POST /api/v1/verify HTTP/1.1\r\n${rest}${auth}Transfer-Encoding: chunked\r\n\r\nzz\r\n${entity}`,
      `POST /api/v1/verify HTTP/1.1\r\n${rest}${auth}Transfer-Encoding: gzip\r\n\r\n${entity}`,
      '\u0016\u0003\u0001\u0002\u0000\u0001\u0000\u0001\u00fc\u0003\u0003',
      '\r\n\r\n\r\n\0\0\0\0',
    ];
    for (const bytes of raw) {
      const lines = await sendRaw(bytes);
      for (const line of lines) expect(line, bytes.slice(0, 200)).toMatch(/ (4\d\d|501)$/);
    }
    expect((await ask('/api/v1/credits', { key })).status).toBe(200);
  });
});
