import { EventEmitter } from 'node:events';

// Stands for `ws` on a host: one end of a link of the simulated network.

type Wire = {
  /** The host sends a text. */
  readonly send: (text: string) => void;
  /** It closes in good order. */
  readonly close: (code: number) => void;
  /** It lets go without a word. */
  readonly drop: () => void;
};

export class WebSocket extends EventEmitter {
  static readonly OPEN = 1;
  readyState = 0;
  wire: Wire = { send: () => undefined, close: () => undefined, drop: () => undefined };

  send(text: string): void {
    if (this.readyState === WebSocket.OPEN) this.wire.send(text);
  }

  close(code: number): void {
    this.wire.close(code);
  }

  terminate(): void {
    this.wire.drop();
    this.ended(1006);
  }

  opened(): void {
    this.readyState = 1;
    this.emit('open');
  }

  /** A text has arrived. */
  heard(text: string): void {
    if (this.readyState === WebSocket.OPEN) this.emit('message', Buffer.from(text), false);
  }

  ended(code: number): void {
    if (this.readyState === 3) return;
    this.readyState = 3;
    this.emit('close', code);
  }
}
