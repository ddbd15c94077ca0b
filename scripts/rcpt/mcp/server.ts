import { McpServer } from '@modelcontextprotocol/sdk/server/mcp.js';
import { StdioServerTransport } from '@modelcontextprotocol/sdk/server/stdio.js';
import type { CallToolResult } from '@modelcontextprotocol/sdk/types.js';
import * as z from 'zod';
import { type Rcpt, RcptError } from '../../../schema/client/index.ts';
import { Results } from '../../../schema/list-job/results.ts';
import { runList } from '../../../schema/list-job/run.ts';
import { Scan } from '../../../schema/list-job/scan.ts';
import { explain as meaningOf } from '../../../schema/words/cases.ts';
import { type Field, FIELDS } from '../../../schema/words/fields.ts';
import { namesOf } from '../../../schema/words/open.ts';
import { notAnAddress, type OpenResult, spelling } from '../../../schema/words/result.ts';
import { countStatuses } from '../../../schema/words/status-counts.ts';
import { explain } from '../failure/explain.ts';
import { count, several } from '../words/words.ts';
import type { Environment } from '../environment/environment.ts';
import { Allowance } from './allowance.ts';

// `verify` and `credits` as tools for an assistant. The person who starts the server sets what it may spend; the assistant
// cannot change that. A call ends within a minute, because many assistants wait no longer.

const ADDRESSES_MOST = 100;
const ADDRESS_CHARACTERS_MOST = 1_000;
/** What the service may take for the addresses of one call; those that are not finished by then cost nothing. */
const WAIT_S = 40;
/** What a call may take in all, retries and the service's rate limit included. */
const CALL_MS = 55_000;

/** Loose, and its words are open: a newer service may say more. Made from the rows of the contract's fields. */
const resultSchema = z.looseObject(
  Object.fromEntries(namesOf(FIELDS).map((name) => [name, describeField(FIELDS[name])])),
);

function describeField(field: Field): z.ZodType {
  const form = formOf(field);
  const known = field.kind === 'word' ? ` Known: ${field.words.join(', ')}.` : '';
  return (field.nullable ? form.nullable() : form).describe(`${field.meaning}${known}`);
}

function formOf(field: Field): z.ZodType {
  switch (field.kind) {
    case 'text':
    case 'word':
      return z.string();
    case 'flag':
      return z.boolean();
    case 'whole':
      return z.int();
    case 'texts':
      return z.array(z.string());
  }
}

const sessionCreditsLeft = z.int().describe('credits that this session may still spend');
const answerSchema = {
  verdicts: z.record(z.string(), z.int()).describe('how many have each status'),
  results: z.array(resultSchema).describe('one for each address, in their order'),
  charged: z.int().describe('credits that the addresses have cost'),
  sessionCreditsLeft,
};
const creditsSchema = { credits: z.int().describe('credits on the account'), sessionCreditsLeft };

/** Serves until the other side closes standard input, or the user stops it. */
export async function serveMcp(
  client: Rcpt,
  maxCredits: number,
  version: string,
  environment: Environment,
): Promise<void> {
  const server = mcpServer(client, maxCredits, version);
  // The SDK does not notice that the other side has gone.
  const ended = new Promise<void>((done) => {
    environment.input.once('end', done);
    environment.stop.addEventListener('abort', () => done());
  });
  await server.connect(new StdioServerTransport());
  await ended;
  // Calls under way are stopped, and answers they had not received cost nothing.
  await server.close();
}

/** @param maxCredits what all calls together may spend */
export function mcpServer(client: Rcpt, maxCredits: number, version: string): McpServer {
  const allowance = new Allowance(maxCredits);
  const closed = new AbortController();
  const server = new McpServer({ name: 'rcpt', version });
  const untilLate = (call: AbortSignal): AbortSignal =>
    AbortSignal.any([call, closed.signal, AbortSignal.timeout(CALL_MS)]);
  Object.assign(server.server, { onclose: () => closed.abort(new Error('The assistant has gone.')) });
  server.registerTool(
    'verify',
    {
      title: 'Verify email addresses',
      description:
        'Asks the mail servers now whether each mailbox exists. No mail is sent. ' +
        'Each address costs up to one credit of the account; duplicates cost nothing. Takes up to a minute.',
      inputSchema: {
        emails: z.array(z.string().max(ADDRESS_CHARACTERS_MOST)).min(1).max(ADDRESSES_MOST).describe('the addresses'),
      },
      outputSchema: answerSchema,
      annotations: { readOnlyHint: false, destructiveHint: false, idempotentHint: false, openWorldHint: true },
    },
    ({ emails }, { signal }) => verifyAddresses(client, allowance, emails, untilLate(signal)),
  );
  server.registerTool(
    'credits',
    {
      title: 'Credits left',
      description: 'Shows the credits left on the account, and how many this session may still spend. Costs nothing.',
      inputSchema: {},
      outputSchema: creditsSchema,
      annotations: { readOnlyHint: true, openWorldHint: true },
    },
    async (_nothing, { signal }) => {
      try {
        const credits = await client.credits({ signal: untilLate(signal) });
        const answer = { credits, sessionCreditsLeft: allowance.left };
        return answered(answer, JSON.stringify(answer));
      } catch (error) {
        return failed(wordsOf(error));
      }
    },
  );
  return server;
}

async function verifyAddresses(
  client: Rcpt,
  allowance: Allowance,
  emails: readonly string[],
  signal: AbortSignal,
): Promise<CallToolResult> {
  // What is no address is never sent, and a duplicate once.
  const scan = new Scan(0, 1);
  for (const email of emails)
    if (scan.add([email]) === 'several')
      return failed('An entry has several addresses: give each in an entry of its own.');
  const most = scan.addresses.length;
  const { left } = allowance;
  const settle = allowance.hold(most);
  if (settle === null)
    return failed(
      `This may cost ${several(most, 'credit')}, and this session may spend ${count(left)} more. ` +
        'Ask for fewer addresses, or have the user start rcpt mcp with a higher --max-credits.',
    );
  const known = new Map<number, OpenResult>();
  const { addresses } = scan;
  const options = { signal, waitS: WAIT_S, maxCredits: most };
  const run = runList(
    { client, addresses, numbers: null, journal: null, results: new Results(most), options },
    (number, { result }) => known.set(number, result),
  );
  const inOrder = () => [...emails.entries()].flatMap(([row, email]) => resultOf(scan, row, email, known));
  try {
    await run.gather();
  } catch (error) {
    const results = inOrder();
    const lines = results.length === 0 ? [] : ['Answered before that:', ...results.map(lineOf)];
    return failed([wordsOf(error), ...lines].join('\n'));
  } finally {
    settle(run.tally.charged + run.tally.unconfirmed);
  }
  const results = inOrder();
  const verdicts = countStatuses(results.map(({ status }) => [status, 1]));
  const { charged } = run.tally;
  const answer = {
    verdicts: Object.fromEntries(verdicts),
    results,
    charged,
    sessionCreditsLeft: allowance.left,
  };
  const summary = [...verdicts].map(([status, rows]) => `${status} ${count(rows)}`).join(', ');
  return answered(answer, [`${summary}. ${several(charged, 'credit')} charged.`, ...results.map(lineOf)].join('\n'));
}

/** What is known of a row; nothing yet: none. */
function resultOf(
  scan: Scan,
  row: number,
  email: string,
  known: ReadonlyMap<number, OpenResult>,
): readonly OpenResult[] {
  const number = scan.numberOf(row);
  if (number === null) return [notAnAddress(spelling(email))];
  const result = known.get(number);
  return result === undefined ? [] : [{ ...result, email: spelling(scan.addressIn([email]) ?? email) }];
}

/** A result in a line, for assistants that read text. */
function lineOf(result: OpenResult): string {
  const { email, status, score, did_you_mean: meant } = result;
  return `${email}: ${status}, ${score}, ${meaningOf(result).title}${meant === null ? '' : `, perhaps ${meant}`}`;
}

function wordsOf(error: unknown): string {
  if (error instanceof DOMException && error.name === 'TimeoutError')
    return 'The service did not answer in time. Ask again, with fewer addresses.';
  if (error instanceof DOMException && error.name === 'AbortError') return 'The call was cancelled.';
  if (error instanceof RcptError && error.code === 'CEILING')
    return 'Some answers were lost, and asking again could cost more than this call may spend. Ask for the rest in a new call.';
  return explain(error).message;
}

function answered(answer: Record<string, unknown>, text: string): CallToolResult {
  return { structuredContent: answer, content: [{ type: 'text', text }] };
}

function failed(message: string): CallToolResult {
  return { isError: true, content: [{ type: 'text', text: message }] };
}
