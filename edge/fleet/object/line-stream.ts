import type { FleetLine } from '../../base/fleet-protocol.ts';
import type { Sink } from '../batch/batch-answer.ts';

const utf8 = new TextEncoder();
/** Three batches of 500 with the longest possible MX names: a Worker reads as fast as it can. */
const UNREAD_MAX = 4_194_304;

/**
 * A byte stream of NDJSON and the sink that fills it. For a reader that is far behind, the stream breaks.
 * @param onCancel called when the reader cancels before the end
 */
export function createLineStream(onCancel: () => void): {
  readonly stream: ReadableStream;
  readonly sink: Sink;
} {
  let controller: ReadableByteStreamController | null = null;
  const stream = new ReadableStream({
    type: 'bytes',
    start(given) {
      controller = given;
    },
    cancel() {
      controller = null;
      onCancel();
    },
  });
  // Lines of one turn are sent together: each chunk is a separate trip to the Worker.
  let waiting = '';
  const flush = (): void => {
    if (waiting !== '') controller?.enqueue(utf8.encode(waiting));
    waiting = '';
  };
  const breakOff = (why: string): void => {
    controller?.error(new Error(why));
    controller = null;
    waiting = '';
  };
  const sink: Sink = {
    get unread() {
      return waiting.length - (controller?.desiredSize ?? 0);
    },
    write(lines) {
      if (controller === null) return;
      if (sink.unread > UNREAD_MAX) return breakOff('The reader is too slow');
      if (waiting === '') queueMicrotask(flush);
      waiting += lines.map((line: FleetLine) => `${JSON.stringify(line)}\n`).join('');
    },
    end() {
      flush();
      controller?.close();
      // A reader that brought its own buffer waits until it is handed back.
      controller?.byobRequest?.respond(0);
      controller = null;
    },
  };
  return { stream, sink };
}
