import { LIMITS } from '../fleet/batch/limits.ts';
import { Links } from '../fleet/object/links.ts';

/** An object's end of a link, as far as the fleet uses it, and what happened to it. */
export type ScriptedSocket = Parameters<Links['forget']>[0] & {
  /** Frames. */
  readonly sent: unknown[];
  /** The codes that it was closed with. */
  readonly closed: number[];
  /** When the runtime answered its last ping; null for never. */
  pingedAt: number | null;
  readyState: number;
  deserializeAttachment(): unknown;
};

export function scriptedSocket(attachment: unknown = null): ScriptedSocket {
  let attached = structuredClone(attachment);
  const sent: unknown[] = [];
  const closed: number[] = [];
  return Object.assign(Object.create(null), {
    sent,
    closed,
    pingedAt: null,
    readyState: 1,
    send: (text: string) => sent.push(JSON.parse(text)),
    close: (code: number) => closed.push(code),
    serializeAttachment: (value: unknown) => {
      attached = structuredClone(value);
    },
    deserializeAttachment: () => structuredClone(attached),
  });
}

/** The runtime's side of an object's sockets: the object is constructed with it. */
export class ScriptedSockets {
  readonly #open: ScriptedSocket[] = [];
  /** The tags of each socket that was accepted. */
  readonly tags: unknown[] = [];

  constructor(...open: readonly ScriptedSocket[]) {
    this.#open.push(...open);
  }

  acceptWebSocket(socket: ScriptedSocket, tags: readonly string[]): void {
    this.#open.push(socket);
    this.tags.push(tags);
  }
  getWebSockets(): readonly ScriptedSocket[] {
    return this.#open;
  }
  getWebSocketAutoResponseTimestamp(socket: ScriptedSocket): Date | null {
    return socket.pingedAt === null ? null : new Date(socket.pingedAt);
  }
  /** An object waking from hibernation finds the sockets as they were, and nothing else. */
  wake(): ScriptedSockets {
    return new ScriptedSockets(
      ...this.#open.map((socket) =>
        Object.assign(scriptedSocket(socket.deserializeAttachment()), {
          pingedAt: socket.pingedAt,
          readyState: socket.readyState,
        }),
      ),
    );
  }
}

type Hello = Parameters<Links['greet']>[1];
type Status = Parameters<Links['update']>[1];

export function hello(instance: string, changes: Partial<Hello> = {}): Hello {
  const said = { routes: false, egress: ['192.0.2.1'], running: [], healthy: true, slots: 1_000, startedAt: 0 };
  return { v: 1, type: 'hello', instance, version: '1.0.0', ...said, ...changes };
}

export function status(changes: Partial<Status> = {}): Status {
  const none = { checked: false, failing: [], jobs: 0, cooling: 0, refusals: [], egressTroubles: [] };
  return { v: 1, type: 'status', draining: false, healthy: true, ...none, ...changes };
}

/** The links of an object that starts, or wakes with the sockets of one that hibernated. */
export function openLinks(runtime = new ScriptedSockets()) {
  const cut: string[] = [];
  const links = new Links(runtime, () => LIMITS);
  links.onCut = ({ instance }) => cut.push(instance);
  /** @throws if the host is not let in */
  const dial = (host: string, now = 0, ordered = false): ScriptedSocket => {
    const socket = scriptedSocket();
    if (!links.accept(socket, host, ordered, now)) throw new Error(`${host} was not let in`);
    return socket;
  };
  /** A host that has said hello. */
  const join = (host: string, instance: string, now = 0, changes: Partial<Hello> = {}): ScriptedSocket => {
    const socket = dial(host, now);
    links.greet(socket, hello(instance, changes), now);
    return socket;
  };
  return { runtime, links, cut, dial, join };
}
