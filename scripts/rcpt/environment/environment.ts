import type { RcptOptions } from '../../../schema/client/index.ts';

/** All that the command knows of the machine: tests bring their own. */
export type Environment = {
  readonly env: Readonly<Record<string, string | undefined>>;
  /** In a clone of the repository: where `npm start` keeps its state. */
  readonly localState: string | null;
  readonly input: Input;
  readonly output: Terminal;
  /** Standard error. */
  readonly messages: Terminal;
  /** Fires when the user wants it to end. Its reason is an Interrupted. */
  readonly stop: AbortSignal;
  /** Of the client, for tests. */
  readonly client: Pick<RcptOptions, 'fetch' | 'clock' | 'timeoutMs'>;
};

export type Input = NodeJS.ReadableStream & AsyncIterable<Uint8Array> & { readonly isTTY?: boolean };

export type Terminal = NodeJS.WritableStream & { readonly isTTY?: boolean; readonly columns?: number };

/** What is drawn on a terminal's last line goes. */
export const CLEAR_LINE = '\r\u001B[K';

/** Waits no longer than the user does. @throws the signal's reason */
export async function unlessStopped<T>(stop: AbortSignal, work: Promise<T>): Promise<T> {
  stop.throwIfAborted();
  const over = new AbortController();
  const stopped = new Promise<never>((_, failed) => {
    stop.addEventListener('abort', () => failed(stop.reason), { signal: over.signal });
  });
  try {
    return await Promise.race([work, stopped]);
  } finally {
    over.abort();
  }
}
