import { randomBytes, randomUUID } from 'node:crypto';
import { type ClientRequest, request } from 'node:http';
import { fileURLToPath } from 'node:url';
import type { WebSocket } from 'ws';
import * as z from 'zod';
import { bundleEdge, startLocalEdge } from '../../../edge/local/miniflare.ts';
import type { Engine } from '../../../prober/engine/batch.ts';
import { connect } from '../../../prober/link/connect.ts';
import { Host } from '../../../prober/link/host.ts';
import { identify, type Identity } from '../../../prober/link/identity.ts';
import { TIMINGS } from '../../../prober/link/timings.ts';
import { createNodePorts } from '../../../prober/node/ports.ts';
import { publicHalf } from '../../../schema/jwk.ts';
import { newKeyPair } from '../../admin/key-pair.ts';
import { freePort } from '../../local/port.ts';
import { workerdPid } from './isolate.ts';

// One Fleet object in a workerd of its own, with its live waiting times, and hosts that are the prober's own link
// around an engine of the bench.

const WORKER = fileURLToPath(new URL('../../../edge/testing/worker/fleet-live.ts', import.meta.url));
const { clock, random } = createNodePorts({ dns: [], stubs: [] });
const hostsSchema = z.array(z.object({ id: z.string(), instances: z.number(), jobs: z.number() }));

type KeyPair = Awaited<ReturnType<typeof newKeyPair>>;
export type BenchHost = { readonly host: Host; readonly socket: () => WebSocket | undefined };
export type Address = readonly [local: string, domain: string];

/** The answer to one batch, read as it comes and counted. */
export type OpenBatch = { evidence: number; state: 'open' | 'ended' | 'broken'; readonly outgoing: ClientRequest };

export class Stage {
  readonly url: URL;
  readonly inspector: URL;
  readonly pid: number;
  readonly #mf: Awaited<ReturnType<typeof startLocalEdge>>['mf'];
  readonly #edgeKey: KeyPair;

  private constructor(started: Awaited<ReturnType<typeof startLocalEdge>>, inspectorPort: number, edgeKey: KeyPair) {
    this.#mf = started.mf;
    this.url = started.url;
    this.inspector = new URL(`http://127.0.0.1:${inspectorPort}`);
    this.pid = workerdPid();
    this.#edgeKey = edgeKey;
  }

  static async set(): Promise<Stage> {
    const edgeKey = await newKeyPair();
    const inspectorPort = await freePort();
    const started = await startLocalEdge({
      script: await bundleEdge(WORKER),
      port: 0,
      state: null,
      vars: {
        KEY_SECRETS: 'a secret of the bench: 32 bytes or more',
        OPERATOR_KEYS: '{}',
        EDGE_SIGNING_KEY: JSON.stringify([edgeKey]),
      },
      onLog: (level, line) => {
        if (level === 'error') process.stderr.write(`${line}\n`);
      },
      inspectorPort,
    });
    return new Stage(started, inspectorPort, edgeKey);
  }

  async stop(): Promise<void> {
    await this.#mf.dispose();
  }

  /** Enrols hosts in one go. */
  async enrol(names: readonly string[]): Promise<readonly Identity[]> {
    const key = await newKeyPair();
    const db = await this.#mf.getD1Database('DB');
    const row = db.prepare("INSERT INTO hosts (id, public_key, state, created_at) VALUES (?, ?, 'active', 0)");
    await db.batch(names.map((name) => row.bind(name, JSON.stringify(publicHalf(key)))));
    return names.map((host) =>
      identify(
        {
          v: 1,
          host,
          origin: this.url.origin,
          shards: 1,
          privateKey: key,
          edgeKeys: [publicHalf(this.#edgeKey)],
        },
        randomBytes(16).toString('base64url'),
        Date.now(),
      ),
    );
  }

  /** Lets a host dial in. */
  dialIn(identity: Identity, engine: Engine): BenchHost {
    let socket: WebSocket | undefined;
    const host = new Host({
      identity,
      connect: (url, headers, handshakeMs) => (socket = connect(url, headers, handshakeMs)),
      egress: ['default'],
      routes: false,
      engine,
      trust: { healthy: true, checked: true, failing: [], failed: 0, confirm: () => Promise.resolve(true) },
      clock,
      random,
      wallClock: () => Date.now(),
      timings: { ...TIMINGS, handshakeMs: 60_000 },
      log: () => {},
      onFatal: (hint) => process.stderr.write(`${hint}\n`),
    });
    host.open();
    return { host, socket: () => socket };
  }

  async hosts(): Promise<z.infer<typeof hostsSchema>> {
    return hostsSchema.parse(await (await fetch(new URL('/hosts', this.url))).json());
  }

  /** Asks for a batch and reads its answer. */
  ask(addresses: readonly Address[]): OpenBatch {
    const outgoing = request(new URL('/dispatch', this.url), { method: 'POST', agent: false });
    const batch: OpenBatch = { evidence: 0, state: 'open', outgoing };
    outgoing.on('error', () => (batch.state = 'broken'));
    outgoing.on('response', (response) => {
      let rest = '';
      response.setEncoding('latin1');
      response.on('data', (chunk: string) => {
        const lines = (rest + chunk).split('\n');
        rest = lines.pop() ?? '';
        batch.evidence += lines.filter((line) => line.startsWith('{"type":"evidence"')).length;
      });
      response.on('end', () => (batch.state = 'ended'));
      response.on('error', () => (batch.state = 'broken'));
    });
    outgoing.end(JSON.stringify({ v: 1, batchId: randomUUID(), addresses, remainingMs: 600_000 }));
    return batch;
  }
}

/** Goes away with a reset: workerd notices no less while it waits. */
export function letGo({ outgoing }: OpenBatch): void {
  outgoing.socket?.resetAndDestroy();
}

/** Waits until something holds. @throws Error with what it waited for */
export async function until(
  what: () => string,
  holds: () => boolean | Promise<boolean>,
  withinMs = 120_000,
): Promise<void> {
  const endsAt = performance.now() + withinMs;
  while (!(await holds())) {
    if (performance.now() > endsAt) throw new Error(`The subject of the bench did not happen: ${what()}`);
    await new Promise((wake) => setTimeout(wake, 50));
  }
}
