import { fileURLToPath } from 'node:url';
import { publicHalf, type PublicJwk } from '../../schema/jwk.ts';
import { makeKey } from '../../schema/testing/make-key.ts';
import { bundleEdge } from '../local/bundle-edge.ts';
import { startLocalEdge } from '../local/miniflare.ts';
import { newOperator, type Operator, operatorKeys, token } from './operator.ts';

// The operator's side on workerd: real Worker, D1 and objects; Fleet objects scripted by a test.

const ENTRY = fileURLToPath(new URL('./worker/admin.ts', import.meta.url));

type Started = Awaited<ReturnType<typeof startLocalEdge>>;
export type Answered = { readonly status: number; readonly body: unknown; readonly headers: Headers };
export type AuditRow = {
  readonly operator: string;
  readonly token_id: string;
  readonly method: string;
  readonly path: string;
  readonly body_hash: string;
  readonly status: number | null;
};

export type AdminEdge = {
  readonly origin: string;
  readonly operator: Operator;
  readonly edgeKeys: readonly PublicJwk[];
  readonly logs: string[];
  /** One call, properly signed. */
  call(method: string, path: string, body?: unknown): Promise<Answered>;
  /** One call with any token, or none. */
  send(method: string, path: string, token: string | null, body?: string): Promise<Answered>;
  /** What the Fleet objects do next: see `worker/admin.ts`. */
  script(script: object): Promise<void>;
  /** What a Fleet object was told since the last call. */
  told(shard: number): Promise<unknown>;
  rows<T>(sql: string, ...bound: readonly unknown[]): Promise<readonly T[]>;
  lastAudit(): Promise<AuditRow | undefined>;
  stop(): Promise<void>;
};

export async function startAdminEdge(vars: Readonly<Record<string, string>> = {}): Promise<AdminEdge> {
  const operator = newOperator('ann');
  const signing = [makeKey(), makeKey()];
  const logs: string[] = [];
  const { mf, url, db } = await startLocalEdge({
    script: await bundleEdge(ENTRY),
    port: 0,
    state: null,
    vars: {
      KEY_SECRETS: `${'first secret'.padEnd(32, '.')},${'second secret'.padEnd(32, '.')}`,
      OPERATOR_KEYS: operatorKeys(operator),
      EDGE_SIGNING_KEY: JSON.stringify(signing),
      ...vars,
    },
    onLog: (_level, message) => logs.push(message),
  });
  const { origin } = url;
  const send = async (method: string, path: string, bearer: string | null, body?: string): Promise<Answered> => {
    const answer = await fetch(origin + path, {
      method,
      headers: bearer === null ? {} : { authorization: `Bearer ${bearer}` },
      ...(body === undefined ? {} : { body }),
    });
    const text = await answer.text();
    const json: unknown = text === '' ? undefined : JSON.parse(text);
    return { status: answer.status, body: json, headers: answer.headers };
  };
  const edge: AdminEdge = {
    origin,
    operator,
    edgeKeys: signing.map(publicHalf),
    logs,
    send,
    async call(method, path, body) {
      const text = body === undefined ? undefined : JSON.stringify(body);
      const request = { origin, method, path, ...(text === undefined ? {} : { body: text }) };
      return send(method, path, await token(operator, request), text);
    },
    async script(script) {
      await fetch(`${origin}/testing/script`, { method: 'POST', body: JSON.stringify(script) });
    },
    async told(shard) {
      const answer = await fetch(`${origin}/testing/told/fleet-${shard}`);
      return answer.json();
    },
    rows: <T>(sql: string, ...bound: readonly unknown[]) => readRows<T>(db, sql, bound),
    lastAudit: async () => (await readRows<AuditRow>(db, 'SELECT * FROM audit ORDER BY id DESC LIMIT 1', []))[0],
    stop: () => mf.dispose(),
  };
  return edge;
}

async function readRows<T>(db: Started['db'], sql: string, bound: readonly unknown[]): Promise<readonly T[]> {
  const { results } = await db
    .prepare(sql)
    .bind(...bound)
    .all<T>();
  return results;
}
