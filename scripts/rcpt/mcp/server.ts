import { McpServer } from '@modelcontextprotocol/sdk/server/mcp.js';
import { StdioServerTransport } from '@modelcontextprotocol/sdk/server/stdio.js';
import type { RequestHandlerExtra } from '@modelcontextprotocol/sdk/shared/protocol.js';
import type { CallToolResult, ServerNotification, ServerRequest } from '@modelcontextprotocol/sdk/types.js';
import * as z from 'zod';
import { type Clock, SYSTEM_CLOCK } from '../../../schema/client/base/clock.ts';
import { priceOf, type Rcpt } from '../../../schema/client/index.ts';
import { explain as meaningOf } from '../../../schema/words/cases.ts';
import { type Field, FIELDS } from '../../../schema/words/fields.ts';
import { namesOf } from '../../../schema/words/open.ts';
import type { OpenResult } from '../../../schema/words/result.ts';
import { explain } from '../failure/explain.ts';
import { count, several } from '../words/words.ts';
import type { World } from '../world/world.ts';
import { Allowance } from './allowance.ts';
import { ListRun } from './list-run.ts';

// `verify`, `results` and `credits` as tools for an assistant. The person who starts the server sets what it may spend; the
// assistant cannot change that. A call ends within a minute, because many assistants wait no longer: a list that takes
// longer goes on, and `results` has the rest. An answer is a page that an assistant can read.

const ADDRESSES_MOST = 500;
const ADDRESS_CHARACTERS_MOST = 1_000;
const PROGRESS_MS = 2_000;
/** What one call waits for results. */
const WAIT_MS = 45_000;
const PAGE = 25;
/** Runs that are remembered, with 500 results each at most. */
const RUNS_MOST = 20;

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
  isDone: z.boolean().describe('whether all addresses are answered'),
  answered: z.int().describe('addresses answered so far'),
  verdicts: z.record(z.string(), z.int()).describe('of these, how many have each status'),
  results: z.array(resultSchema).describe(`up to ${PAGE} of them, in the order of the addresses`),
  nextCursor: z
    .string()
    .nullable()
    .describe('for the tool results, which has the next ones; null if there are no more'),
  otherLines: z
    .array(z.record(z.string(), z.unknown()))
    .optional()
    .describe('other lines from the service, of a kind newer than this tool'),
  charged: z.int().describe('credits that the addresses have cost so far'),
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
export function mcpServer(client: Rcpt, maxCredits: number, version: string, clock: Clock = SYSTEM_CLOCK): McpServer {
  const session: Session = { client, clock, allowance: new Allowance(maxCredits), runs: new Map(), begun: 0 };
  const server = new McpServer({ name: 'rcpt', version });
  const onclose = (): void => {
    for (const run of session.runs.values()) void run.stop();
  };
  Object.assign(server.server, { onclose });
  server.registerTool(
    'verify',
    {
      title: 'Verify email addresses',
      description:
        'Asks the mail servers now whether each mailbox exists. No mail is sent. ' +
        'Each address costs up to one credit of the account; duplicates cost nothing. ' +
        `Answers with a summary and the first ${PAGE} results, after 45 seconds at most; the tool results has the others.`,
      inputSchema: {
        emails: z.array(z.string().max(ADDRESS_CHARACTERS_MOST)).min(1).max(ADDRESSES_MOST).describe('the addresses'),
      },
      outputSchema: answerSchema,
      annotations: { readOnlyHint: false, destructiveHint: false, idempotentHint: false, openWorldHint: true },
    },
    ({ emails }, call) => verifyAddresses(session, emails, call),
  );
  server.registerTool(
    'results',
    {
      title: 'More results',
      description: `The next ${PAGE} results of a call of verify, waiting for them up to 45 seconds. Costs nothing.`,
      inputSchema: { cursor: z.string().max(40).describe('nextCursor of the answer before') },
      outputSchema: answerSchema,
      annotations: { readOnlyHint: true, openWorldHint: true },
    },
    ({ cursor }, call) => moreResults(session, cursor, call),
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
    async (_nothing, call) => {
      const late = AbortSignal.timeout(WAIT_MS);
      try {
        const credits = await client.credits({ signal: AbortSignal.any([call.signal, late]) });
        const answer = { credits, sessionCreditsLeft: session.allowance.left };
        return told(answer, JSON.stringify(answer));
      } catch (error) {
        return failed(late.aborted ? 'The service did not answer in time.' : explain(error).message);
      }
    },
  );
  return server;
}

type Call = RequestHandlerExtra<ServerRequest, ServerNotification>;

type Session = {
  readonly client: Rcpt;
  readonly clock: Clock;
  readonly allowance: Allowance;
  /** By the number with which their cursors begin. */
  readonly runs: Map<number, ListRun>;
  begun: number;
};

async function verifyAddresses(session: Session, emails: readonly string[], call: Call): Promise<CallToolResult> {
  const { client, allowance, runs } = session;
  // A deployment may charge for entries that are not addresses: the difference is held.
  const { distinct } = priceOf(emails);
  const { left } = allowance;
  const settle = allowance.hold(distinct);
  if (settle === null)
    return failed(
      `This may cost ${several(distinct, 'credit')}, and this session may spend ${count(left)} more. ` +
        'Ask for fewer addresses, or have the user start rcpt mcp with a higher --max-credits.',
    );
  const run = new ListRun(client, emails, distinct, settle);
  const number = (session.begun += 1);
  runs.set(number, run);
  // What is still under way is not forgotten: it was paid for.
  const oldest = [...runs].find(([, each]) => each.isOver);
  if (runs.size > RUNS_MOST && oldest !== undefined) runs.delete(oldest[0]);
  const cancel = (): void => void run.stop();
  call.signal.addEventListener('abort', cancel);
  try {
    return await pageOf(session, number, 0, call);
  } finally {
    call.signal.removeEventListener('abort', cancel);
  }
}

async function moreResults(session: Session, cursor: string, call: Call): Promise<CallToolResult> {
  const [, number = '', from = ''] = /^(\d{1,9})-(\d{1,3})$/.exec(cursor) ?? [];
  if (session.runs.has(Number(number)) && from !== '') return pageOf(session, Number(number), Number(from), call);
  return failed('There are no results for this cursor: it is mistyped, or too many calls of verify came since.');
}

async function pageOf(session: Session, number: number, from: number, call: Call): Promise<CallToolResult> {
  const { allowance, clock, runs } = session;
  const run = runs.get(number);
  if (run === undefined) throw new Error('The run is not known.');
  const isDone = tellProgress(call, () => `${count(run.answered)} of ${count(run.size)} answered`);
  try {
    // The first page comes with the summary of all.
    await run.wait(from === 0 ? null : [from, from + PAGE], clock, WAIT_MS);
  } finally {
    isDone();
  }
  const { results, next } = run.page(from, from + PAGE);
  const nextCursor = next === null ? null : `${number}-${next}`;
  const lines = results.map(lineOf);
  if (run.failure !== null) return failed(run.failure, lines, nextCursor);
  const answer = {
    isDone: run.isOver,
    answered: run.answered,
    verdicts: Object.fromEntries(run.verdicts),
    results,
    nextCursor,
    charged: run.charged,
    sessionCreditsLeft: allowance.left,
    ...(run.otherLines.length === 0 ? {} : { otherLines: run.otherLines }),
  };
  const verdicts = [...run.verdicts].map(([status, rows]) => `${status} ${count(rows)}`).join(', ');
  const summary = `${count(run.answered)} of ${count(run.size)} answered: ${verdicts}. ${several(run.charged, 'credit')} charged.`;
  return told(answer, [summary, ...lines, ...moreOf(nextCursor)].join('\n'));
}

/** A result in a line, for assistants that read text. */
function lineOf(result: OpenResult): string {
  const { email, status, score, did_you_mean: meant } = result;
  return `${email}: ${status}, ${score}, ${meaningOf(result).title}${meant === null ? '' : `, perhaps ${meant}`}`;
}

function moreOf(cursor: string | null): readonly string[] {
  return cursor === null ? [] : [`More: results with the cursor ${cursor}.`];
}

/** Says now and then that a call is alive, to whom wants it. */
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

function told(answer: Record<string, unknown>, text: string): CallToolResult {
  return { structuredContent: answer, content: [{ type: 'text', text }] };
}

/** @param known what was paid for all the same */
function failed(message: string, known: readonly string[] = [], nextCursor: string | null = null): CallToolResult {
  const before = known.length === 0 ? [] : ['Answered before that:', ...known, ...moreOf(nextCursor)];
  return { isError: true, content: [{ type: 'text', text: [message, ...before].join('\n') }] };
}
