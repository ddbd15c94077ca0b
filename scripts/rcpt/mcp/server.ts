import { McpServer } from '@modelcontextprotocol/sdk/server/mcp.js';
import { StdioServerTransport } from '@modelcontextprotocol/sdk/server/stdio.js';
import type { RequestHandlerExtra } from '@modelcontextprotocol/sdk/shared/protocol.js';
import type { CallToolResult, ServerNotification, ServerRequest } from '@modelcontextprotocol/sdk/types.js';
import * as z from 'zod';
import { type OtherLine, priceOf, type Rcpt, RcptError } from '../../../schema/client/index.ts';
import { type Field, FIELDS } from '../../../schema/words/fields.ts';
import { namesOf } from '../../../schema/words/open.ts';
import type { OpenResult } from '../../../schema/words/result.ts';
import { explain } from '../failure/explain.ts';
import { count, several } from '../words/words.ts';
import type { World } from '../world/world.ts';
import { Allowance } from './allowance.ts';

// `verify` and `credits` as tools for an assistant. The person who starts the server sets what it may spend; the assistant
// cannot change that.

const ADDRESSES_MOST = 500;
const ADDRESS_CHARACTERS_MOST = 1_000;
const PROGRESS_MS = 2_000;
/** Lines of a newer service that are passed on with one call. */
const OTHER_LINES_MOST = 100;

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

const answerSchema = {
  results: z.array(resultSchema).describe('one for each address, in their order'),
  otherLines: z
    .array(z.record(z.string(), z.unknown()))
    .optional()
    .describe('other lines from the service, of a kind newer than this tool'),
  charged: z.int().describe('credits that this call cost'),
  sessionCreditsLeft: z.int().describe('credits that this session may still spend'),
};

const creditsSchema = {
  credits: z.int().describe('credits on the account'),
  sessionCreditsLeft: answerSchema.sessionCreditsLeft,
};

/** Serves until the other side closes standard input, or the user stops it. */
export async function serveMcp(client: Rcpt, maxCredits: number, version: string, world: World): Promise<void> {
  const server = mcpServer(client, maxCredits, version);
  // The SDK does not notice that the other side has gone.
  const ended = new Promise<void>((done) => {
    world.input.once('end', done);
    world.stop.addEventListener('abort', () => done());
  });
  await server.connect(new StdioServerTransport());
  await ended;
  // Calls under way are stopped, and what they had not been told costs nothing.
  await server.close();
}

/** @param maxCredits what all calls together may spend */
export function mcpServer(client: Rcpt, maxCredits: number, version: string): McpServer {
  const allowance = new Allowance(maxCredits);
  const server = new McpServer({ name: 'rcpt', version });
  server.registerTool(
    'verify',
    {
      title: 'Verify email addresses',
      description:
        'Asks the mail servers now whether each mailbox exists. No mail is sent. ' +
        'Each address costs up to one credit of the account; duplicates cost nothing. It may take up to two minutes.',
      inputSchema: {
        emails: z.array(z.string().max(ADDRESS_CHARACTERS_MOST)).min(1).max(ADDRESSES_MOST).describe('the addresses'),
      },
      outputSchema: answerSchema,
      annotations: { readOnlyHint: false, destructiveHint: false, idempotentHint: false, openWorldHint: true },
    },
    ({ emails }, call) => verifyAddresses(client, allowance, emails, call),
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
        return told({ credits: await client.credits({ signal }), sessionCreditsLeft: allowance.left });
      } catch (error) {
        return failed(explain(error).message);
      }
    },
  );
  return server;
}

type Call = RequestHandlerExtra<ServerRequest, ServerNotification>;

async function verifyAddresses(
  client: Rcpt,
  allowance: Allowance,
  emails: readonly string[],
  call: Call,
): Promise<CallToolResult> {
  // A deployment may charge for entries that are not addresses: the difference is held.
  const { distinct } = priceOf(emails);
  const { left } = allowance;
  const settle = allowance.hold(distinct);
  if (settle === null)
    return failed(
      `This may cost ${several(distinct, 'credit')}, and this session may spend ${count(left)} more. ` +
        'Ask for fewer addresses, or have the user start rcpt mcp with a higher --max-credits.',
    );
  const otherLines: OtherLine[] = [];
  const run = client.verifyAll(emails, {
    signal: call.signal,
    maxCredits: distinct,
    onOtherLine: (line) => {
      if (otherLines.length < OTHER_LINES_MOST) otherLines.push(line);
    },
  });
  const known = emails.map((): OpenResult | null => null);
  const isDone = tellProgress(call, () => `${count(run.tally.answered)} of ${count(distinct)} answered`);
  try {
    for await (const { index, result } of run) known[index] = result;
  } catch (error) {
    const results = known.filter((result) => result !== null);
    return failed(wordsOf(error), results.length === 0 ? null : { results });
  } finally {
    isDone();
    settle(run.tally.charged + run.tally.unsure);
  }
  const results = known.filter((result) => result !== null);
  const answer = { results, charged: run.tally.charged, sessionCreditsLeft: allowance.left };
  return told(otherLines.length === 0 ? answer : { ...answer, otherLines });
}

/** Says now and then that a call is alive, to whom wants it: many assistants wait a minute, and a call may take longer. */
function tellProgress({ _meta, sendNotification }: Call, words: () => string): () => void {
  const token = _meta?.progressToken;
  if (token === undefined) return () => {};
  let progress = 0;
  const timer = setInterval(() => {
    progress += 1;
    const params = { progressToken: token, progress, message: words() };
    sendNotification({ method: 'notifications/progress', params }).catch(() => {});
  }, PROGRESS_MS);
  return () => clearInterval(timer);
}

function wordsOf(error: unknown): string {
  if (error instanceof RcptError && error.code === 'CEILING')
    return 'Some answers were lost, and asking again could cost more than this call may spend. Ask for the rest in a new call.';
  return explain(error).message;
}

function told(answer: Record<string, unknown>): CallToolResult {
  return { structuredContent: answer, content: [{ type: 'text', text: JSON.stringify(answer) }] };
}

/** @param known what was paid for all the same; null: nothing */
function failed(message: string, known: object | null = null): CallToolResult {
  const texts = [message, ...(known === null ? [] : [`Answered before that: ${JSON.stringify(known)}`])];
  return { isError: true, content: texts.map((text) => ({ type: 'text', text })) };
}
