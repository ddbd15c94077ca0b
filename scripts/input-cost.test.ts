import { expect, test } from 'vitest';
import { proveOperator } from '../edge/admin/prove.ts';
import { readJson } from '../edge/access/body.ts';
import { describe } from '../edge/base/log.ts';
import { explainRefusal } from '../edge/fleet/dial-in/explain-refusal.ts';
import { proveHost } from '../edge/fleet/dial-in/host-token.ts';
import { sessionToken } from '../edge/pages/cookie.ts';
import { deviceOf } from '../edge/pages/device.ts';
import { registrationSchema } from '../edge/pages/webauthn.ts';
import { readIdempotencyKey } from '../edge/verify/idempotency.ts';
import { readWaitS } from '../edge/verify/prefer.ts';
import { validate } from '../edge/verify/validate.ts';
import { wantsLines } from '../edge/verify/wants-lines.ts';
import { classifyFor } from '../prober/engine/meaning/classify.ts';
import { MailWorld } from '../prober/testing/mail-world.ts';
import { meantAddress, parseAddress } from '../schema/address.ts';
import { grantBodySchema, optOutBodySchema, ownerBodySchema } from '../schema/admin.ts';
import { formRequestSchema } from '../schema/api.ts';
import { withoutEndSlashes } from '../schema/client/base/end-slashes.ts';
import { RcptError } from '../schema/client/base/errors.ts';
import { makeEntry } from '../schema/client/list/entry.ts';
import { readRetryAfterMs } from '../schema/client/wire/headers.ts';
import { readLine } from '../schema/client/wire/read-line.ts';
import { readFailure } from '../schema/client/wire/service.ts';
import { bounceReader } from '../schema/list-job/bounce-export.ts';
import { toEdgeSchema, toHostSchema } from '../schema/link.ts';
import { addressesInText, heldIn } from '../schema/lists/columns/address.ts';
import { findAddressColumn } from '../schema/lists/columns/address-column.ts';
import type { Format } from '../schema/lists/reading/format.ts';
import { openList } from '../schema/lists/reading/list.ts';
import { dateStyles, readCell } from '../schema/lists/reading/sheet-cell.ts';
import { tableOf } from '../schema/lists/reading/table.ts';
import { attribute, xmlReader } from '../schema/lists/reading/xml.ts';
import { sourceOf } from '../schema/lists/testing/source.ts';
import { xlsxOf } from '../schema/lists/testing/xlsx.ts';
import { csvLine, harmless } from '../schema/lists/writing/csv.ts';
import { cellXml } from '../schema/lists/writing/sheet-xml.ts';
import { signInAddressSchema } from '../schema/sign-in-address.ts';
import { notAnAddress } from '../schema/words/result.ts';
import { explain } from './rcpt/failure/explain.ts';
import { harmlessLine } from './rcpt/words/words.ts';

// No input costs more than its length: each door through which text from outside comes, at about its largest size.

/** What repeats in a hostile text: what expressions look for, and what nearly is that. */
const RUNS = [
  ...Array.from(' \t\n\r<>"\'()\\.-:a1@=,/[&+;_!?\u00ad\u200b\u0301一'),
  ...'a@|@a.|<a|"a|a.|. |a |<!--|<a b="|""|"\'|\\"|[a|&#1|::|1.|aB|<a>|",|"a\n|,"|{"|too many |_x00|"a"a|a\u200b@'.split(
    '|',
  ),
];
const AROUND = [
  ['', ''],
  ['a', '!'],
  ['"<', '@a.test'],
] as const;
const PLAIN = 'Ann Lee <ann@a.test>, "b"; c\n';

/** How many times as much CPU as a plain text of the same length: where it grew with the square, this would be thousands. */
const TIMES_MAX = 25;
/** So far above, no second look is needed. */
const FAR = 5;
/** CPU is counted in ticks of this length. */
const TICK_MS = 4;

const RESULT = notAnAddress('a');
const REGISTRATION = { type: 'public-key', clientExtensionResults: {} };

async function readList(content: string | Uint8Array, name: string, format: Format | null = null): Promise<void> {
  const list = await openList(sourceOf(content, name), {
    format,
    encoding: null,
    delimiter: null,
    sheet: null,
    rowsMax: Infinity,
  });
  const { names, rows } = await tableOf(list, null);
  for await (const batch of rows())
    findAddressColumn(
      names,
      batch.slice(0, 100).map(({ cells }) => cells),
    );
}

/** A request with this header, as far as a header can hold the text. */
function withHeader(name: string, text: string): Request {
  return new Request('https://a.test/', { headers: { [name]: text.replaceAll(/[^\t -~]/g, '~').trim() } });
}

/** Probes two addresses of a server that says the text at a stage, in lines as long as they may be. */
async function probe(stage: string, text: string): Promise<void> {
  const lines = text.replaceAll(/[\r\n]/g, ' ').match(/.{1,4000}/gs) ?? [];
  const code = stage === 'greeting' ? 554 : stage === 'EHLO' ? 250 : 550;
  const reply = lines.map((line, at) => `${code}${at < lines.length - 1 ? '-' : ' '}${line}\r\n`).join('');
  const world = new MailWorld({}, 0, classifyFor('verify@probe.example.net'));
  world.domain(
    'a.test',
    stage === 'greeting' ? { greeting: reply } : { on: (line) => (line.startsWith(stage) ? reply : undefined) },
  );
  await world.probe(['a@a.test', 'b@a.test']);
}

function readXml(text: string): void {
  const read = xmlReader({});
  for (let at = 0; at < text.length; at += 4_096) read(text.slice(at, at + 4_096));
}

type Door = readonly [name: string, characters: number, read: (text: string) => unknown];
const bytes = (text: string): Uint8Array => new TextEncoder().encode(text);

const DOORS: readonly Door[] = [
  ['an entry of a request', 51_000, (text) => validate(bytes(JSON.stringify({ emails: [text] })), null, 500)],
  ['the body of a request', 51_000, (text) => validate(bytes(text), null, 500)],
  ['an address', 51_000, (text) => [parseAddress(text), meantAddress(text)]],
  ['an address literal', 51_000, (text) => parseAddress(`a@[ipv6:${text}]`)],
  ['a domain', 51_000, (text) => parseAddress(`a@${text}`)],
  ['a quoted local part', 51_000, (text) => parseAddress(`"${text}"@a.test`)],
  ['a sign-in address', 16_000, (text) => signInAddressSchema.safeParse(text)],
  ['the body of a form', 4_000, (text) => formRequestSchema.safeParse({ key: text, email: text, id: text })],
  ['the body of a page', 16_000, (text) => readJson(bytes(text))],
  ['a passkey', 16_000, (text) => registrationSchema.safeParse({ ...REGISTRATION, id: text, rawId: text })],
  [
    "an operator's body",
    16_000,
    (text) =>
      [ownerBodySchema, grantBodySchema, optOutBodySchema].map((one) =>
        one.safeParse({ email: text, purchaseId: text, domain: text }),
      ),
  ],
  ['Idempotency-Key', 64_000, (text) => readIdempotencyKey(text)],
  ['a quoted Idempotency-Key', 64_000, (text) => readIdempotencyKey(`"${text}"`)],
  ['Prefer', 64_000, (text) => readWaitS(`wait ${text}`, 90)],
  ['Accept', 64_000, wantsLines],
  ['Cookie', 64_000, (text) => sessionToken(withHeader('cookie', `__Host-rcpt=${text}`))],
  ['User-Agent', 64_000, (text) => deviceOf(withHeader('user-agent', text))],
  ["an operator's token", 64_000, (text) => proveOperator(`Bearer ${text}`, {}, '', 0)],
  [
    "a host's token",
    64_000,
    async (text) => [
      await proveHost(`Bearer ${text}`, '', 0, async () => null),
      explainRefusal(text, '', 0, () => null),
    ],
  ],
  ['the message of an error', 64_000, (text) => describe(new Error(text))],
  [
    'a frame of a host',
    64_000,
    (text) =>
      toEdgeSchema.safeParse({ v: 1, type: 'hello', instance: text, egress: [text], running: [text], version: text }),
  ],
  ['a frame of the edge', 64_000, (text) => toHostSchema.safeParse({ v: 1, type: 'job', token: text, payload: text })],
  ['an entry of a list', 64_000, (text) => makeEntry({ index: 0, input: text }, text, [])],
  [
    'a line of an answer',
    128_000,
    (text) => readLine(JSON.stringify({ ...RESULT, index: 0, did_you_mean: text, reason: text, mx_records: [text] })),
  ],
  [
    'an error of the service',
    16_000,
    async (text) =>
      explain((await readFailure(new Response(JSON.stringify({ error: text, code: text }), { status: 400 }))).error),
  ],
  ['a message of the command', 64_000, (text) => [harmlessLine(text), explain(new RcptError('BAD_ANSWER', text))]],
  ['Retry-After', 64_000, (text) => readRetryAfterMs(withHeader('retry-after', `Sun, ${text}`).headers, 0)],
  ["the service's address", 64_000, withoutEndSlashes],
  [
    'a row of a bounce export',
    64_000,
    (text) =>
      bounceReader({ names: ['email', 'reason'], width: 2, hasHeader: true }, 0, [[text, text]])({
        cells: [text, `"bouncedRecipients"${text}`],
        raw: null,
      }),
  ],
  ['a cell', 64_000, (text) => heldIn(text)],
  ['a written cell', 64_000, (text) => [csvLine([harmless(`+${text}`)], ',', '\n'), cellXml(text, 'number', 'A', 1)]],
  ['a CSV file', 32_000, (text) => readList(text, 'a.csv')],
  ['a JSONL file', 65_000, (text) => readList(`{"email":"${text}`, 'a.jsonl')],
  ['a text file', 65_000, (text) => readList(text, 'a.txt', 'text')],
  ['a workbook', 32_000, async (text) => readList(await xlsxOf({ a: [[text]] }), 'a.xlsx')],
  ['XML', 300_000, readXml],
  [
    'a tag',
    16_000,
    (text) => [
      attribute('r')(`c ${text}`),
      dateStyles([{ name: 'numFmt', tag: `numFmt formatCode="${text.replaceAll('"', "'")}"` }]),
    ],
  ],
  [
    'a cell of a workbook',
    64_000,
    (text) => readCell('n', null, text, { shared: [], dateStyles: new Map(), is1904: false, isUncalculated: false }),
  ],
  ['pasted text', 65_000, addressesInText],
  ...['greeting', 'EHLO', 'MAIL', 'RCPT'].map((stage): Door => [
    `a reply at ${stage}`,
    60_000,
    (text) => probe(stage, text),
  ]),
];

/** In milliseconds of CPU, the least of some: a busy machine makes single ones dearer. @param enough ends the search for less */
async function costOf(read: () => unknown, enough: number): Promise<number> {
  let least = Infinity;
  for (let round = 0; round < 3 && least > enough && (round === 0 || least < FAR * enough); round += 1) {
    const before = process.threadCpuUsage();
    try {
      await read();
    } catch {
      // A refusal is as good as an answer.
    }
    const { user, system } = process.threadCpuUsage(before);
    least = Math.min(least, (user + system) / 1_000);
  }
  return least;
}

test.each(DOORS)('%s costs no more than its length', { timeout: 120_000 }, async (_name, characters, read) => {
  const filled = (unit: string): string => unit.repeat(characters / unit.length);
  const plain = await costOf(() => read(filled(PLAIN)), 1);
  const most = TIMES_MAX * Math.max(plain, TICK_MS);
  for (const run of RUNS)
    for (const [before, after] of AROUND) {
      const cost = await costOf(() => read(before + filled(run) + after), most);
      expect(cost, `${before}${run}…${after}`).toBeLessThan(most);
    }
});
