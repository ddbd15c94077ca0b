import type { Writable } from 'node:stream';

/** Lines to a stream that may be slow, or gone. */
export class LineOutput {
  readonly #stream: Writable;
  #behind: Promise<void> | null = null;

  /** @param onGone the reader went away (EPIPE) or the stream broke: nothing more can be written */
  constructor(stream: Writable, onGone: (error: NodeJS.ErrnoException) => void) {
    this.#stream = stream;
    stream.on('error', onGone);
  }

  write(line: string): void {
    if (this.#stream.writable && !this.#stream.write(`${line}\n`)) this.#behind ??= this.#drained();
  }

  /** Null, or a promise for the time when the reader has caught up. */
  readonly behind = (): Promise<void> | null => this.#behind;

  /** Waits until all lines are with the system. */
  flush(): Promise<void> {
    return new Promise((resolve) => {
      if (!this.#stream.writable) resolve();
      else this.#stream.write('', () => resolve());
    });
  }

  #drained(): Promise<void> {
    return new Promise((resolve) => {
      const done = (): void => {
        for (const event of ['drain', 'error', 'close']) this.#stream.off(event, done);
        this.#behind = null;
        resolve();
      };
      for (const event of ['drain', 'error', 'close']) this.#stream.on(event, done);
    });
  }
}
