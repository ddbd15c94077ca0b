import { randomBytes, randomUUID } from 'node:crypto';
import { type ClientRequest, type IncomingMessage, request } from 'node:http';
import { fileURLToPath } from 'node:url';
import type { WebSocket } from 'ws';
import type { Engine } from '../../../prober/engine/batch.ts';
import { connect } from '../../../prober/link/connect.ts';
import { Host, type HostDeps } from '../../../prober/link/host.ts';
import { identify } from '../../../prober/link/identity.ts';
import { TIMINGS } from '../../../prober/link/timings.ts';
import { createNodePorts } from '../../../prober/node/ports.ts';
import { type Enrolment, enrolmentSchema } from '../../../schema/enrolment.ts';
import { type PrivateJwk, publicHalf } from '../../../schema/jwk.ts';
import { bundleEdge } from '../../../edge/local/bundle-edge.ts';
import { type LocalEdge, startLocalEdge } from '../../../edge/local/miniflare.ts';
import { MxRows } from '../../../edge/verify/mx-rows.ts';
import { type ConnectedHost, fleetLineSchema } from '../../../edge/base/fleet-protocol.ts';
import { type WholeLine, wholeLines } from '../../../edge/testing/scripted-world.ts';
import { makeKey } from '../../../schema/testing/make-key.ts';

const WORKER = fileURLToPath(new URL('../../../edge/testing/worker/fleet-only.ts', import.meta.url));
/** Nobody listens there. */
const NOWHERE = new URL('ws://127.0.0.1:1/');
const { clock, random } = createNodePorts({ dns: [], stubs: [] });

type HostLog = Array<{ readonly event: string; readonly [field: string]: unknown }>;
export type TestHost = {
  readonly host: Host;
  readonly log: HostLog;
  /** Ends as a killed process does: no goodbye, and no coming back. */
  readonly kill: () => void;
  /** Breaks the link; the host dials in again. */
  readonly cut: () => void;
};

/** A Worker with the fleet alone, and the hosts that a test lets dial in. */
export class FleetHarness {
  readonly url: URL;
  readonly logs: string[];
  readonly #edge: LocalEdge;
  readonly #edgeKey: PrivateJwk;
  /** By host: one enrolled anew with another key is refused for as long as its old one is remembered. */
  readonly #keys = new Map<string, PrivateJwk>();
  readonly #hosts: TestHost[] = [];

  private constructor(edge: LocalEdge, edgeKey: PrivateJwk, logs: string[]) {
    this.#edge = edge;
    this.url = edge.url;
    this.#edgeKey = edgeKey;
    this.logs = logs;
  }

  static async start(vars: Readonly<Record<string, string>> = {}): Promise<FleetHarness> {
    const edgeKey = makeKey();
    const logs: string[] = [];
    const edge = await startLocalEdge({
      script: await bundleEdge(WORKER),
      port: 0,
      state: null,
      vars: {
        KEY_SECRETS: 'test'.repeat(8),
        // Tests count who was asked about what.
        COMPARE_EVERY: '0',
        OPERATOR_KEYS: '{}',
        EDGE_SIGNING_KEY: JSON.stringify([edgeKey, makeKey()]),
        ...vars,
      },
      onLog: (_level, message) => logs.push(message),
    });
    return new FleetHarness(edge, edgeKey, logs);
  }

  async stop(): Promise<void> {
    await this.dismiss();
    await this.#edge.mf.dispose();
  }

  /** Ends every host at once, and forgets every batch. */
  async dismiss(): Promise<void> {
    for (const host of this.#hosts.splice(0)) host.kill();
    await this.reset();
    await this.until((hosts) => hosts.length === 0);
  }

  async enrol(host: string, state: 'active' | 'draining' | 'removed' = 'active'): Promise<Enrolment> {
    const key = this.#keys.get(host) ?? makeKey();
    this.#keys.set(host, key);
    await this.#edge.db
      .prepare('INSERT OR REPLACE INTO hosts (id, public_key, state, created_at) VALUES (?, ?, ?, 0)')
      .bind(host, JSON.stringify(publicHalf(key)), state)
      .run();
    return enrolmentSchema.parse({
      v: 1,
      host,
      origin: this.url.origin,
      shards: 1,
      privateKey: key,
      edgeKeys: [publicHalf(this.#edgeKey)],
    });
  }

  /** Lets one process of an enrolment dial in. */
  dialIn(enrolment: Enrolment, engine: Engine, options: Partial<HostDeps> & { startedAt?: number } = {}): TestHost {
    const log: HostLog = [];
    const instance = randomBytes(16).toString('base64url');
    const sockets: WebSocket[] = [];
    let isDead = false;
    const { startedAt, ...deps } = options;
    const host = new Host({
      identity: identify(enrolment, instance, startedAt ?? Date.now()),
      connect(url, headers, handshakeMs) {
        const socket = connect(isDead ? NOWHERE : url, headers, handshakeMs);
        sockets.push(socket);
        return socket;
      },
      egress: ['default'],
      routes: false,
      version: '1.0.0',
      engine,
      trust: { healthy: true, checked: true, failing: [], failed: 0, confirm: () => Promise.resolve(true) },
      clock,
      random,
      wallClock: () => Date.now(),
      timings: { ...TIMINGS, aliveMs: 200, statusMs: 20, refusedMs: 200 },
      log: (event, fields) => log.push({ event, ...fields }),
      onFatal: (hint) => log.push({ event: 'fatal', hint }),
      onBug: (error) => log.push({ event: 'bug', error: String(error) }),
      ...deps,
    });
    host.open();
    const testHost = {
      host,
      log,
      kill() {
        isDead = true;
        for (const socket of sockets) socket.terminate();
        void host.drain();
      },
      cut: () => sockets.at(-1)?.terminate(),
    };
    this.#hosts.push(testHost);
    return testHost;
  }

  /** Enrols a host, lets it dial in and waits until the fleet knows it. */
  async join(
    name: string,
    engine: Engine,
    options: Partial<HostDeps> & { startedAt?: number } = {},
  ): Promise<TestHost> {
    const host = this.dialIn(await this.enrol(name), engine, options);
    await this.until((hosts) => hosts.some((h) => h.id === name));
    return host;
  }

  async hosts(): Promise<HostEntry[]> {
    const response = await fetch(new URL('/hosts', this.url));
    return JSON.parse(await response.text());
  }

  /** Waits until the roster is as it should be. */
  async until(holds: (hosts: HostEntry[]) => boolean): Promise<void> {
    const endsAt = performance.now() + 10_000;
    while (!holds(await this.hosts())) {
      if (performance.now() > endsAt) throw new Error(`the roster stays ${JSON.stringify(await this.hosts())}`);
      await new Promise((wake) => setTimeout(wake, 10));
    }
  }

  async order(host: string, state: 'active' | 'draining' | 'removed'): Promise<void> {
    await fetch(new URL(`/state?host=${host}&state=${state}`, this.url));
  }

  async reset(): Promise<void> {
    await fetch(new URL('/reset', this.url)).catch(() => {});
  }

  /** Puts the object to sleep while its sockets stay. */
  async hibernate(): Promise<void> {
    await this.#edge.mf.unsafeEvictDurableObject('edge', 'Fleet', { name: 'fleet-0', webSockets: 'hibernate' });
  }

  /** Asks for a batch. */
  ask(
    addresses: ReadonlyArray<readonly [string, string]>,
    job: Partial<{ batchId: string; remainingMs: number; account: string }> = {},
  ): Asked {
    const { batchId = randomUUID(), account = batchId } = job;
    const whose = { batchId, account, accountClass: 'free' };
    const body = JSON.stringify({ addresses, remainingMs: 20_000, ...job, ...whose });
    return new Asked(new URL('/dispatch', this.url), body);
  }
}

type HostEntry = Pick<ConnectedHost, 'id' | 'instances' | 'draining' | 'healthy' | 'jobs'>;

/** The answer to a batch, read as it comes. */
export class Asked {
  readonly lines: WholeLine[] = [];
  /** Resolves when the stream ends; rejects when it breaks. */
  readonly ended: Promise<readonly WholeLine[]>;
  readonly #request: ClientRequest;
  #arrived: Array<() => void> = [];
  readonly #rows = new MxRows();

  constructor(url: URL, body: string) {
    this.#request = request(url, { method: 'POST' });
    this.ended = new Promise<IncomingMessage>((resolve, reject) => {
      this.#request.once('response', resolve).once('error', reject);
    }).then((response) => this.#read(response));
    this.ended.catch(() => {});
    this.#request.end(body);
  }

  /** Waits for this many lines. */
  async count(n: number): Promise<readonly WholeLine[]> {
    while (this.lines.length < n) {
      await Promise.race([new Promise<void>((resolve) => this.#arrived.push(resolve)), this.ended]);
    }
    return this.lines;
  }

  /** Goes away. A reset, because workerd notices no more than that while it waits. */
  letGo(): void {
    this.#request.socket?.resetAndDestroy();
  }

  async #read(response: IncomingMessage): Promise<readonly WholeLine[]> {
    if (response.statusCode !== 200) throw new Error(`status ${response.statusCode}`);
    response.setEncoding('utf8');
    let rest = '';
    for await (const chunk of response) {
      const texts = `${rest}${String(chunk)}`.split('\n');
      rest = texts.pop() ?? '';
      this.lines.push(
        ...wholeLines(
          this.#rows,
          texts.map((text) => fleetLineSchema.parse(JSON.parse(text))),
        ),
      );
      for (const wake of this.#arrived.splice(0)) wake();
    }
    return this.lines;
  }
}
