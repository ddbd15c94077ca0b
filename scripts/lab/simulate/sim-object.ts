import { createHash } from 'node:crypto';
import * as z from 'zod';
import type { FleetJob } from '../../../edge/base/fleet-protocol.ts';
import { PING, PONG } from '../../../schema/link.ts';
import { ObjectSocket } from './sim-link.ts';
import type { Owner, SimTime } from './sim-time.ts';

/** As much of the Fleet class as the platform calls. */
type FleetObject = {
  fetch(request: { readonly headers: Headers }): Promise<{ readonly status: number }>;
  dispatch(job: FleetJob): Promise<ReadableStream<Uint8Array>>;
  webSocketMessage(socket: ObjectSocket, text: string): Promise<void>;
  webSocketClose(socket: ObjectSocket, code: number): Promise<void>;
};
type FleetClass = new (ctx: object, env: object) => FleetObject;
const moduleSchema = z.object({ Fleet: z.custom<FleetClass>((value) => typeof value === 'function') });

/** Loads the real class. Its types are the platform's, which nothing here has. */
export async function loadFleet(): Promise<FleetClass> {
  return moduleSchema.parse(await import(new URL('../../../edge/fleet/object/fleet.ts', import.meta.url).href)).Fleet;
}

class StubResponse {
  readonly status: number;

  constructor(_body: null, init: { readonly status: number }) {
    this.status = init.status;
  }
}

let paired: ObjectSocket | null = null;
class SocketPair {
  readonly 0 = null;
  readonly 1 = (paired = new ObjectSocket());
}
/** The texts that the platform answers by itself: the object's `heard` does so. */
class AutoResponse {
  readonly request: string;
  readonly response: string;

  constructor(request: string, response: string) {
    this.request = request;
    this.response = response;
  }
}

/** The platform's own answer comes from another thread, at a moment of its own. */
async function digest(_algorithm: string, data: Uint8Array): Promise<Uint8Array> {
  return createHash('sha256').update(data).digest();
}

/** What the Fleet class takes from the platform's globals. */
export function installPlatform(): void {
  for (const [name, value] of Object.entries({
    Response: StubResponse,
    WebSocketPair: SocketPair,
    WebSocketRequestResponsePair: AutoResponse,
  }))
    Object.defineProperty(globalThis, name, { value, configurable: true, writable: true });
  Object.defineProperty(crypto.subtle, 'digest', { value: digest, configurable: true });
}

/** Sooner than live, where it is 10 s, so that it happens between the batches of a run. */
const SLEEPS_AFTER_MS = 1_000;

/** The Fleet object as the platform runs it: its storage outlives it, its sockets and streams do not outlive a reset. */
export class SimObject {
  readonly #time: SimTime;
  readonly #Fleet: FleetClass;
  readonly #env: object;
  readonly #kv = new Map<string, unknown>();
  /** By the end that was accepted: as the object sees it since it slept last. */
  readonly #sockets = new Map<ObjectSocket, ObjectSocket>();
  readonly #breaks = new Set<() => void>();
  #owner: Owner = { alive: true, timers: 0 };
  #awakeSince = 0;
  #fleet: FleetObject;

  constructor(time: SimTime, Fleet: FleetClass, env: object) {
    this.#time = time;
    this.#Fleet = Fleet;
    this.#env = env;
    this.#fleet = this.#start();
  }

  /** An upgrade that the Worker let pass. @returns the object's end; null if it was refused */
  async accept(host: string): Promise<ObjectSocket | null> {
    const headers = new Headers({ 'x-rcpt-host': host, 'x-rcpt-host-state': 'active' });
    headers.set('upgrade', 'websocket');
    const fleet = this.#fleet;
    const answering = this.#run(() => fleet.fetch({ headers }));
    // Made before the call gave way to anything else.
    const socket = paired;
    return (await answering).status === 101 ? socket : null;
  }

  /** A text has arrived. Pings are answered by the platform, whether the object is awake or not. */
  heard(end: ObjectSocket, text: string): void {
    const socket = this.#sockets.get(end);
    if (socket === undefined) return;
    if (text === PING) {
      socket.pongedAt = this.#time.wallClock();
      socket.send(PONG);
      return;
    }
    void this.#run(() => this.#fleet.webSocketMessage(socket, text));
  }

  closed(end: ObjectSocket, code: number): void {
    const socket = this.#sockets.get(end);
    if (socket === undefined) return;
    this.#sockets.delete(end);
    socket.readyState = 3;
    void this.#run(() => this.#fleet.webSocketClose(socket, code));
  }

  /** The Worker's call: its stream breaks if the object is reset. */
  async dispatch(job: FleetJob): Promise<ReadableStream<Uint8Array>> {
    const stream = await this.#run(() => this.#fleet.dispatch(job));
    const reader = stream.getReader();
    let broken = false;
    const { promise: isBroken, reject } = Promise.withResolvers<never>();
    isBroken.catch(() => undefined);
    const breakOff = (): void => {
      broken = true;
      reject(new Error('reset'));
    };
    this.#breaks.add(breakOff);
    return new ReadableStream({
      pull: async (controller) => {
        const { done, value } = await Promise.race([reader.read(), isBroken]);
        if (!done) return controller.enqueue(value);
        this.#breaks.delete(breakOff);
        controller.close();
      },
      cancel: () => {
        this.#breaks.delete(breakOff);
        return broken ? undefined : this.#run(() => reader.cancel());
      },
    });
  }

  /**
   * Hibernation: an object that nobody has asked anything for a while, that answers nobody and waits for nothing, loses
   * its memory and keeps its connections.
   */
  sleepIfIdle(): void {
    const isIdle = this.#breaks.size === 0 && this.#owner.timers === 0;
    if (!isIdle || this.#time.now() - this.#awakeSince < SLEEPS_AFTER_MS) return;
    this.#awakeSince = Infinity;
    this.#owner.alive = false;
    this.#owner = { alive: true, timers: 0 };
    for (const [end, socket] of this.#sockets) this.#sockets.set(end, socket.woken());
    this.#fleet = this.#start();
  }

  /** A deploy or an eviction: every link and stream breaks, and what was in memory is gone. */
  reset(): void {
    this.#owner.alive = false;
    this.#owner = { alive: true, timers: 0 };
    for (const breakOff of this.#breaks) breakOff();
    this.#breaks.clear();
    for (const socket of this.#sockets.values()) socket.onClose(1006);
    this.#sockets.clear();
    this.#fleet = this.#start();
  }

  #run<T>(run: () => T): T {
    this.#awakeSince = this.#time.now();
    return this.#time.as(this.#owner, run);
  }

  #start(): FleetObject {
    const kv = this.#kv;
    const ctx = {
      acceptWebSocket: (socket: ObjectSocket) => this.#sockets.set(socket, socket),
      getWebSockets: () => [...this.#sockets.values()],
      setWebSocketAutoResponse: () => undefined,
      getWebSocketAutoResponseTimestamp: (socket: ObjectSocket) =>
        socket.pongedAt === 0 ? null : new Date(socket.pongedAt),
      waitUntil: () => undefined,
      storage: {
        kv: {
          list: ({ prefix = '' }: { readonly prefix?: string } = {}) =>
            [...kv].filter(([key]) => key.startsWith(prefix)),
          get: (key: string) => structuredClone(kv.get(key)),
          put: (key: string, value: unknown) => void kv.set(key, structuredClone(value)),
          delete: (key: string) => kv.delete(key),
        },
      },
    };
    return this.#time.as(this.#owner, () => new this.#Fleet(ctx, this.#env));
  }
}
