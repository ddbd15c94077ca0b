import { describe, expect } from 'vitest';
import { notAnAddress } from '../../schema/words/result.ts';
import { claim } from './testing/claim.ts';
import { elements, expectError, results } from './testing/reply.ts';
import { ask, customer, post, verify } from './testing/service.ts';

// What the interface leaves open about requests, as this service decides it.

const BODY = '{"emails":["x"]}';

describe('a body', () => {
  claim('requests', 'is read as JSON, with any content type', 'any key', async () => {
    for (const type of [
      'text/plain',
      'application/xml',
      'multipart/form-data',
      'application/json; charset=latin1',
      ';;',
    ])
      expect((await post(BODY, { headers: { 'content-type': type } })).status).toBe(200);
  });
  claim('requests', 'with Content-Encoding is 400 `INVALID_INPUT`', 'any key', async () => {
    expectError(await post(BODY, { headers: { 'content-encoding': 'gzip' } }), 400, 'INVALID_INPUT');
  });
  claim('requests', 'that is no UTF-8 is 400 `INVALID_INPUT`', 'any key', async () => {
    const bytes = new TextEncoder().encode('{"emails":["?"]}');
    expectError(await post(bytes.map((byte) => (byte === 0x3f ? 0xff : byte))), 400, 'INVALID_INPUT');
  });
  claim('requests', 'that is no JSON is 400 `INVALID_INPUT`', 'any key', async () => {
    for (const body of ['', ' ', '{', "{'emails':['x']}", '{"emails":["x"],}', `${BODY}${BODY}`, '\u0000', 'emails=x'])
      expectError(await post(body), 400, 'INVALID_INPUT');
  });
  claim('requests', 'that is not an object is 400 `INVALID_INPUT`', 'any key', async () => {
    for (const body of ['null', '[]', '["x"]', '"x"', '7', 'true']) expectError(await post(body), 400, 'INVALID_INPUT');
  });
  claim('requests', 'may have unknown fields: they are ignored', 'any key', async () => {
    expect(elements(await post('{"emails":["x"],"email":"y","__proto__":{"emails":[]},"":{}}'))).toHaveLength(1);
  });
});

describe('syntax', () => {
  claim(
    'requests',
    'is RFC 5321 `Mailbox`: comments, folding, closing dots and the like are not valid',
    'any key',
    async () => {
      const bad = [
        'a(comment)@b.test',
        'a @b.test',
        'a@b.test.',
        '<a@b.test>',
        'a..b@c.test',
        '.a@b.test',
        'a@-b.test',
        'a@b_c.test',
        '@b.test',
        'a@',
        'a',
        'a@[300.1.1.1]',
        'a@b.test\r\nRCPT TO:<c@d.test>',
      ];
      const read = results(await verify(bad));
      expect(read.map(({ reason }) => reason)).toEqual(bad.map(() => 'invalid_syntax'));
    },
  );
  claim('requests', 'lengths are counted in octets: a local part has 64 at most', 'operator', async () => {
    const { key } = await customer(2);
    const at = '@[192.0.2.1]';
    const entries = [
      `${'a'.repeat(64)}${at}`,
      `${'a'.repeat(65)}${at}`,
      `${'ü'.repeat(32)}${at}`,
      `${'ü'.repeat(33)}${at}`,
    ];
    expect(results(await verify(entries, { key })).map(({ syntax }) => syntax)).toEqual([true, false, true, false]);
  });
  claim('requests', 'quoted local parts and address literals are valid', 'operator', async () => {
    const { key } = await customer(2);
    const entries = ['"two words"@[192.0.2.1]', 'a@[IPv6:2001:db8::1]'];
    expect(results(await verify(entries, { key })).map(({ syntax, reason }) => [syntax, reason])).toEqual([
      [true, 'no_mx'],
      [true, 'no_mx'],
    ]);
  });
  claim('requests', 'a name that reads as an IP address is never resolved', 'operator', async () => {
    const { key } = await customer(2);
    for (const { reason, mx_found: found } of results(await verify(['a@192.0.2.1', 'a@0x7f.1'], { key })))
      expect([reason, found]).toEqual(['no_mx', false]);
  });
  claim('requests', 'a domain that UTS 46 refuses is `invalid_syntax`', 'any key', async () => {
    for (const { reason } of results(await verify(['a@xn--a.test', 'a@\u2028.test', 'a@b\u00ad--.test'])))
      expect(reason).toBe('invalid_syntax');
  });
  claim(
    'requests',
    'an internationalised domain is probed by its A-labels, and echoed as it was spelled',
    'sandbox',
    async () => {
      const { key } = await customer(1);
      const read = results(await verify(['ok@BÜCHER.test', 'ok@xn--bcher-kva.test'], { key }));
      expect(read.map(({ email }) => email)).toEqual(['ok@bücher.test', 'ok@xn--bcher-kva.test']);
      expect(read.map(({ result }) => result)).toEqual(['deliverable', 'deliverable']);
    },
  );
  claim('requests', 'for `invalid_syntax` the signals are false, null and `[]`', 'any key', async () => {
    expect(results(await verify(['info@gmial.com@']))).toEqual([notAnAddress('info@gmial.com@')]);
  });
});

describe('duplicates', () => {
  claim(
    'requests',
    'are equal local parts (lower-case, NFC) at equal A-label domains; each echoes its own spelling',
    'operator',
    async () => {
      const { key } = await customer(1);
      const read = results(await verify(['\u00e9@[192.0.2.1]', 'E\u0301@[192.0.2.1]'], { key }));
      expect(read.map(({ email }) => email)).toEqual(['\u00e9@[192.0.2.1]', 'e\u0301@[192.0.2.1]']);
    },
  );
});

describe('HEAD', () => {
  claim('requests', 'is answered like GET, without the body', 'any key', async () => {
    for (const path of ['/api/v1/credits', '/api/v1/openapi.json', '/health']) {
      const [head, get] = [await ask(path, { method: 'HEAD' }), await ask(path)];
      expect([head.status, head.text, head.headers.get('content-type')]).toEqual([get.status, '', 'application/json']);
    }
    expect((await ask('/api/v1/credits', { method: 'HEAD', key: null })).status).toBe(401);
    expect((await ask('/api/v1/verify', { method: 'HEAD' })).status).toBe(405);
  });
});
