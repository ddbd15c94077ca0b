import { DurableObject } from 'cloudflare:workers';
import { PING, PONG } from '../../../schema/link.ts';

// The floor that the bench of the edge compares the Worker with: the same trips to D1, to one object that writes and to
// one that asks a host over a WebSocket, and nothing else. No key is checked, nothing is validated, nothing is signed.

export { Alarms } from '../../alarms/alarms.ts';

type FloorEnv = {
  readonly DB: D1Database;
  readonly FLEET: DurableObjectNamespace<Fleet>;
  readonly LIMITER: DurableObjectNamespace<Limiter>;
};

export class Limiter extends DurableObject<FloorEnv> {
  readonly #sql: SqlStorage;
  #used = 0;

  constructor(ctx: DurableObjectState, env: FloorEnv) {
    super(ctx, env);
    this.#sql = ctx.storage.sql;
    this.#sql.exec('CREATE TABLE IF NOT EXISTS used (id INTEGER PRIMARY KEY, used INTEGER NOT NULL)');
  }

  write(): number {
    this.#used += 1;
    this.#sql.exec('INSERT OR REPLACE INTO used (id, used) VALUES (1, ?)', this.#used);
    return this.#used;
  }
}

export class Fleet extends DurableObject<FloorEnv> {
  readonly #waiting = new Map<string, (answer: string) => void>();
  #next = 0;

  constructor(ctx: DurableObjectState, env: FloorEnv) {
    super(ctx, env);
    ctx.setWebSocketAutoResponse(new WebSocketRequestResponsePair(PING, PONG));
  }

  echo(text: string): Promise<string> {
    this.#next += 1;
    const id = String(this.#next);
    const [socket] = this.ctx.getWebSockets();
    if (socket === undefined) throw new Error('No host');
    return new Promise((resolve) => {
      this.#waiting.set(id, resolve);
      socket.send(`${id} ${text}`);
    });
  }

  override fetch(): Response {
    const { 0: theirs, 1: ours } = new WebSocketPair();
    this.ctx.acceptWebSocket(ours);
    return new Response(null, { status: 101, webSocket: theirs });
  }

  override webSocketMessage(_socket: WebSocket, message: string | ArrayBuffer): void {
    const text = typeof message === 'string' ? message : '';
    const id = text.slice(0, text.indexOf(' '));
    this.#waiting.get(id)?.(text);
    this.#waiting.delete(id);
  }
}

const HOLD = `
  INSERT INTO holds (id, account_id, credits, opened_at, expires_at)
  SELECT ?1, a.id, ?2, 0, 0 FROM api_keys k JOIN accounts a ON a.id = k.account_id WHERE k.hash = +?3 AND a.balance >= ?2`;
const TAKE = 'UPDATE accounts SET balance = balance - ?1 WHERE changes() = 1 AND id = ?2';
const WRITE =
  "INSERT INTO ledger (account_id, ref_id, kind, delta, at) SELECT ?2, ?3, 'hold', -?1, 0 WHERE changes() = 1";

/** One D1 batch: the fewest statements that take credits and leave a row. */
async function hold(db: D1Database, lane: string): Promise<string> {
  const id = crypto.randomUUID();
  await db.batch([
    db.prepare(HOLD).bind(id, 1, lane),
    db.prepare(TAKE).bind(1, lane),
    db.prepare(WRITE).bind(1, lane, id),
  ]);
  return id;
}

const CLOSE = "UPDATE holds SET closed_by = 'settle', returned = 0 WHERE id = ?1 AND closed_by IS NULL";

/** What is due after the answer: the hold closed. */
async function settle(db: D1Database, id: string): Promise<void> {
  await db.batch([db.prepare(CLOSE).bind(id)]);
}

export default {
  async fetch(request, env, ctx): Promise<Response> {
    const { pathname, searchParams } = new URL(request.url);
    const lane = searchParams.get('lane') ?? '';
    switch (pathname) {
      case '/link':
        return env.FLEET.getByName('floor').fetch(request);
      case '/verify':
      case '/verify-and-settle': {
        await env.LIMITER.getByName(lane).write();
        const id = await hold(env.DB, lane);
        if (pathname === '/verify-and-settle') ctx.waitUntil(settle(env.DB, id));
        return Response.json({ echo: await env.FLEET.getByName('floor').echo(await request.text()) });
      }
      default:
        return new Response(null, { status: 404 });
    }
  },
} satisfies ExportedHandler<FloorEnv>;
