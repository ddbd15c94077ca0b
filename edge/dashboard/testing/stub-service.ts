import { createServer, type IncomingMessage, type ServerResponse } from 'node:http';
import { readFile } from 'node:fs/promises';
import { extname, join } from 'node:path';
import * as account from './stub-account.ts';
import { operatorsAnswer } from './stub-operators.ts';
import { resultOf } from './stub-results.ts';

// The pages with a service that a test can make slow, poor or broken. The real one stands behind them in scripts/.

/** The policy that the deployed pages have. */
export const POLICY =
  "default-src 'none'; script-src 'self'; style-src 'self'; connect-src 'self'; img-src 'self' data:; form-action 'self'; base-uri 'none'; frame-ancestors 'none'; require-trusted-types-for 'script'; trusted-types 'none'";

const TYPES: Readonly<Record<string, string>> = {
  '.html': 'text/html; charset=utf-8',
  '.js': 'text/javascript; charset=utf-8',
  '.css': 'text/css; charset=utf-8',
  '.svg': 'image/svg+xml',
};

export type Stub = {
  readonly url: string;
  /** What a test changes. */
  readonly world: StubState;
  readonly close: () => Promise<void>;
};

export type StubState = {
  isSignedIn: boolean;
  credits: number;
  /** Between two lines of an answer. */
  lineMs: number;
  /** Seconds to wait that a deferred address is given. */
  waitS: number;
  /** Answers stop before this line until the promise is kept. */
  stop: { readonly line: number; readonly until: Promise<unknown> } | null;
  /** The lines of each answer to a request for verification, if not the usual ones. */
  lines: ((emails: readonly string[]) => readonly string[]) | null;
  /** Answers the next requests for verification instead, one each. */
  failures: number[];
  /** Of the requests for verification: what proved each, and whether a cookie came along. */
  readonly proofs: { readonly authorization: string; readonly cookie: string | null }[];
  /** By `Idempotency-Key`: the places that were charged. */
  readonly charged: Map<string, Set<number>>;
  /** Every address that was answered, in order. */
  readonly asked: string[];
  /** Bodies of the calls that change something, by method and path. */
  readonly calls: { readonly what: string; readonly body: unknown }[];
  /** What the page said that it shows, with each call of the pages' API. */
  readonly views: (string | null)[];
  /** Answers of the pages' API that a test wants otherwise. */
  readonly answers: Map<string, { readonly status: number; readonly body: unknown }>;
};

/** Starts it on a free port. @param folder of the built pages */
export async function startStub(folder: string): Promise<Stub> {
  const world: StubState = {
    isSignedIn: true,
    credits: 48_210,
    lineMs: 0,
    stop: null,
    lines: null,
    waitS: 60,
    failures: [],
    proofs: [],
    charged: new Map(),
    asked: [],
    calls: [],
    views: [],
    answers: new Map(),
  };
  const server = createServer((request, response) => {
    answer(folder, world, request, response).catch(() => response.destroy());
  });
  await new Promise<void>((resolve) => server.listen(0, '127.0.0.1', resolve));
  const at = server.address();
  if (at === null || typeof at === 'string') throw new Error('The stub has no port.');
  return {
    url: `http://localhost:${at.port}`,
    world,
    close: () =>
      new Promise((resolve) => {
        server.closeAllConnections();
        server.close(() => resolve());
      }),
  };
}

const HEALTH = { problems: [], d1: true, cronAgeS: 12, hosts: 2, ready: 1 };

async function answer(
  folder: string,
  world: StubState,
  request: IncomingMessage,
  response: ServerResponse,
): Promise<void> {
  const { pathname } = new URL(request.url ?? '/', 'http://stub');
  if (pathname === '/api/v1/verify') return verify(world, request, response);
  if (pathname === '/health') {
    const { status, body } = world.answers.get('health') ?? { status: 200, body: HEALTH };
    return json(response, status, body);
  }
  if (pathname.startsWith('/admin/v1/')) return operator(world, pathname.slice('/admin/v1'.length), request, response);
  if (pathname.startsWith('/app/v1/')) return page(world, pathname.slice('/app/v1/'.length), request, response);
  return file(folder, pathname, response);
}

async function file(folder: string, pathname: string, response: ServerResponse): Promise<void> {
  const isDoc = /^\/docs(\/[a-z-]+)?$/.test(pathname);
  const name = pathname.startsWith('/assets/') ? pathname : isDoc ? `${pathname}.html` : '/index.html';
  const contents = await readFile(join(folder, name)).catch(() => null);
  response.writeHead(contents === null ? 404 : 200, {
    'content-type': TYPES[extname(name)] ?? 'text/plain',
    'content-security-policy': POLICY,
    'x-content-type-options': 'nosniff',
  });
  response.end(contents ?? 'nothing here');
}

/** The operator's API: accepts any signed call, and records it. */
function operator(world: StubState, path: string, request: IncomingMessage, response: ServerResponse): void {
  const { searchParams } = new URL(request.url ?? '/', 'http://stub');
  world.calls.push({ what: `operator ${path}`, body: Object.fromEntries(searchParams) });
  const scripted = world.answers.get(`operator ${path}`);
  if (scripted !== undefined) return json(response, scripted.status, scripted.body);
  const found = /^Bearer \S+$/.test(request.headers.authorization ?? '') ? operatorsAnswer(path) : undefined;
  return json(response, found === undefined ? 404 : 200, found ?? { error: 'Nothing is here.' });
}

async function page(world: StubState, path: string, request: IncomingMessage, response: ServerResponse): Promise<void> {
  const what = `${request.method ?? ''} ${path}`;
  const body = await bodyOf(request);
  if (request.method !== 'GET') world.calls.push({ what, body });
  world.views.push(request.headers['rcpt-view']?.toString() ?? null);
  const scripted = world.answers.get(what);
  if (scripted !== undefined) return json(response, scripted.status, scripted.body);
  const known: Readonly<Record<string, () => unknown>> = {
    'GET me': () => (world.isSignedIn ? account.SIGNED_IN : account.SIGNED_OUT),
    'GET balance': () => account.balanceOf(world.credits),
    'GET keys': () => ({ keys: account.KEYS }),
    'POST sample': () =>
      resultOf(typeof body === 'object' && body !== null && 'email' in body ? String(body.email) : ''),
    'POST keys': () => account.newKey(isForTests(body) ? 'test' : 'live', 'Checkout'),
    'POST page-key': () => ({ key: 'svc_live_page', expiresAt: new Date(Date.now() + 900_000).toISOString() }),
    'GET statement': () => account.STATEMENT,
    'GET usage': () => account.USAGE,
    'GET requests': () => account.CALLS,
    'GET orders': () => ({ orders: account.ORDERS }),
    'GET orders/ord_77': () => ({ ...account.ORDERS[0], ...account.PAPERS }),
    'GET orders/ord_76': () => ({ ...account.ORDERS[1], ...account.PAPERS }),
    'POST billing': () => ({ url: 'https://cashier.test/billing' }),
    'GET me/ends': () => ({ accounts: [{ name: 'Shop', credits: world.credits, openOrders: 1 }], lastOwnerOf: null }),
    'GET people': () => account.PEOPLE,
    'GET sessions': () => ({ sessions: account.SESSIONS }),
    'GET passkeys': () => ({ passkeys: account.PASSKEYS }),
    'POST sign-in': () => ({ noGift: null }),
    'POST sign-in/look': () => ({ kind: 'sign_in', email: 'ann@shop.example', account: null, noGift: null }),
    'POST sign-in/confirm': () => {
      world.isSignedIn = true;
      return {};
    },
  };
  const found = known[what];
  return json(response, found === undefined && request.method === 'GET' ? 404 : 200, found?.() ?? {});
}

function isForTests(body: unknown): boolean {
  return typeof body === 'object' && body !== null && 'kind' in body && body.kind === 'test';
}

async function verify(world: StubState, request: IncomingMessage, response: ServerResponse): Promise<void> {
  const body = await bodyOf(request);
  const { authorization = '', cookie = null } = request.headers;
  world.proofs.push({ authorization, cookie });
  const scripted = world.answers.get('POST verify');
  if (scripted !== undefined) return json(response, scripted.status, scripted.body);
  const failure = world.failures.shift();
  if (failure !== undefined) {
    response.setHeader('retry-after', '1');
    return json(response, failure, { error: 'Scripted.', ...(failure === 429 ? { code: 'RATE_LIMITED' } : {}) });
  }
  const emails =
    typeof body === 'object' && body !== null && 'emails' in body && Array.isArray(body.emails) ? body.emails : [];
  const key = request.headers['idempotency-key']?.toString() ?? '';
  const paid = world.charged.get(key) ?? new Set<number>();
  world.charged.set(key, paid);
  const before = paid.size;
  if (emails.length - before > world.credits) {
    response.setHeader('rcpt-remaining', String(world.credits));
    return json(response, 402, { error: 'Too few credits.', code: 'NO_CREDITS' });
  }
  response.writeHead(200, {
    'content-type': 'application/x-ndjson',
    'rcpt-remaining': String(world.credits),
    'idempotency-charged': String(before),
    'x-content-type-options': 'nosniff',
  });
  if (world.lines !== null) {
    world.asked.push(...emails.map(String));
    return void response.end(
      world
        .lines(emails.map(String))
        .map((line) => `${line}\n`)
        .join(''),
    );
  }
  let charged = 0;
  let returned = 0;
  for (const [index, email] of emails.entries()) {
    if (world.lineMs > 0) await new Promise((resolve) => setTimeout(resolve, world.lineMs));
    if (world.stop?.line === index) await world.stop.until;
    if (response.destroyed) return;
    const found = resultOf(String(email));
    const result = found.retry_after === null ? found : { ...found, retry_after: world.waitS };
    world.asked.push(String(email));
    const isFree = result.reason === 'invalid_syntax' || result.reason === 'policy_rejected';
    if (result.reason === 'policy_rejected') returned += 1;
    if (!isFree && !paid.has(index)) {
      paid.add(index);
      charged += 1;
      world.credits -= 1;
    }
    response.write(`${JSON.stringify({ index, ...result })}\n`);
  }
  response.end(`${JSON.stringify({ done: true, charged, returned })}\n`);
}

async function bodyOf(request: IncomingMessage): Promise<unknown> {
  let text = '';
  for await (const chunk of request.setEncoding('utf8')) text += String(chunk);
  try {
    return JSON.parse(text);
  } catch {
    return null;
  }
}

function json(response: ServerResponse, status: number, body: unknown): void {
  response.writeHead(status, { 'content-type': 'application/json', 'cache-control': 'no-store' });
  response.end(JSON.stringify(body));
}
