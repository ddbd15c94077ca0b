import { WebSocket as HostSocket } from './stand-ins/ws.ts';
import type { SimTime } from './sim-time.ts';

/** What an object sees of a socket: as much of the platform's as the Fleet uses. */
export class ObjectSocket {
  readyState = 1;
  pongedAt = 0;
  onSend: (text: string) => void = () => undefined;
  onClose: (code: number) => void = () => undefined;
  #attachment: unknown = null;

  send(text: string): void {
    this.onSend(text);
  }

  close(code = 1000): void {
    if (this.readyState !== 1) return;
    this.readyState = 2;
    this.onClose(code);
  }

  serializeAttachment(value: unknown): void {
    this.#attachment = structuredClone(value);
  }

  deserializeAttachment(): unknown {
    return structuredClone(this.#attachment);
  }

  /** The same connection as an object sees it that has slept: of what it knew, the attachment is left. */
  woken(): ObjectSocket {
    const woken = new ObjectSocket();
    woken.readyState = this.readyState;
    woken.pongedAt = this.pongedAt;
    woken.onSend = this.onSend;
    woken.onClose = this.onClose;
    woken.#attachment = this.#attachment;
    return woken;
  }
}

type LinkEnds = {
  readonly host: HostSocket;
  readonly object: ObjectSocket;
  /** Runs something on the host's machine, once that is able to. */
  readonly onHost: (run: () => void) => void;
  readonly toObject: { readonly text: (text: string) => void; readonly closed: (code: number) => void };
  readonly delayMs: () => number;
};

/** One connection: frames arrive in order, each after a delay, or never once it is cut. */
export class SimLink {
  readonly #time: SimTime;
  readonly #ends: LinkEnds;
  #isCut = false;
  #isOver = false;
  readonly #arrived = { host: 0, object: 0 };

  constructor(time: SimTime, ends: LinkEnds) {
    this.#time = time;
    this.#ends = ends;
    const { host, object, toObject, onHost } = ends;
    host.wire = {
      send: (text) => this.#travel('object', () => toObject.text(text)),
      close: (code) => this.#travel('object', () => this.#finish(code)),
      drop: () => this.#travel('object', () => this.#finish(1006)),
    };
    object.onSend = (text) => this.#travel('host', () => onHost(() => host.heard(text)));
    object.onClose = (code) =>
      this.#travel('host', () => {
        this.#isOver = true;
        onHost(() => host.ended(code));
      });
  }

  /** From now on nothing arrives, and neither end notices. */
  cut(): void {
    this.#isCut = true;
  }

  /** Both ends find the connection broken, and what was on its way is lost. */
  reset(): void {
    if (this.#isOver) return;
    this.#isOver = true;
    this.#isCut = true;
    const { delayMs, host, onHost, toObject } = this.#ends;
    this.#time.after(delayMs(), () => toObject.closed(1006));
    this.#time.after(delayMs(), () => onHost(() => host.ended(1006)));
  }

  #finish(code: number): void {
    if (this.#isOver) return;
    this.#isOver = true;
    this.#ends.toObject.closed(code);
    this.#travel('host', () => this.#ends.onHost(() => this.#ends.host.ended(code)));
  }

  #travel(to: 'host' | 'object', arrive: () => void): void {
    const at = Math.max(this.#arrived[to], this.#time.now() + this.#ends.delayMs());
    this.#arrived[to] = at;
    this.#time.after(at - this.#time.now(), () => {
      if (!this.#isCut) arrive();
    });
  }
}
