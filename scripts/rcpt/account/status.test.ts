import { rm } from 'node:fs/promises';
import { afterEach, beforeEach, expect, test } from 'vitest';
import { newFolder, rcpt, URL_OF_SERVICE } from '../testing/command.ts';
import { shownKey } from './status.ts';

const KEY = 'svc_live_abcdefghijklmnopqrstuvwxyz0123456789k3Xq';

let folder: string;
beforeEach(async () => {
  folder = await newFolder();
});
afterEach(() => rm(folder, { recursive: true, force: true }));

/** `rcpt status` at a service that answers GET credits so. */
async function statusAt(answer: () => Response | Promise<Response>, key = KEY, args: readonly string[] = []) {
  return rcpt({ fetch: async () => answer() }, folder, ['status', ...args], { env: { RCPT_API_KEY: key } });
}

const KNOWN = `Service  ${URL_OF_SERVICE}\nKey      svc_live_…k3Xq\n`;
const REACHED = 'Answer   the service is reached, and accepts the key\n';

test.each<[what: string, answer: () => Response | Promise<Response>, code: number, out: string]>([
  ['is well', () => Response.json({ credits: 48_210 }), 0, `${KNOWN}${REACHED}Balance  48,210 credits\n`],
  ['has no credits left', () => Response.json({ credits: 0 }), 4, `${KNOWN}${REACHED}Balance  0 credits\n`],
  ['refuses the key', () => Response.json({ error: 'no', code: 'UNAUTHORIZED' }, { status: 401 }), 5, KNOWN],
  ['is not reached', () => Promise.reject(new TypeError('fetch failed')), 6, KNOWN],
  ['is another server', () => new Response('<h1>It works!</h1>'), 6, KNOWN],
  ['fails', () => Response.json({ error: 'oh' }, { status: 500 }), 6, KNOWN],
])('status at a service that %s', async (_what, answer, code, out) => {
  const ended = await statusAt(answer);
  expect(ended).toMatchObject({ code, out });
  expect(ended.err === '').toBe(code === 0);
  expect(ended.err + ended.out).not.toContain('abcdefghij');
});

test('status for a program is one object, and a test key needs no credits', async () => {
  const ended = await statusAt(() => Response.json({ credits: 0 }), KEY.replace('live', 'test'), ['--json']);
  expect({ ...ended, out: JSON.parse(ended.out) }).toEqual({
    code: 0,
    err: '',
    out: { url: URL_OF_SERVICE, key: 'svc_test_…k3Xq', credits: 0 },
  });
});

test.each([
  ['svc_live_short', 'svc_live_…'],
  ['acme_form_abcdefghijklmnopqrstuvwxyz', 'acme_form_…wxyz'],
  ['justletters', '…'],
])('of %s no more is shown than %s', (key, shown) => {
  expect(shownKey(key)).toBe(shown);
});
