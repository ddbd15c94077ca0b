import type { FleetLine } from './protocol.ts';
import type { Sink } from './world.ts';

const utf8 = new TextEncoder();

/**
 * A byte stream of NDJSON and the sink that fills it.
 * @param onCancel called when the reader lets go before the end
 */
export function createLineStream(onCancel: (sink: Sink) => void): {
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
      onCancel(sink);
    },
  });
  // Lines of one turn go out together: each chunk is a trip of its own to the Worker. At most 500 lines of at most some
  // 3 kB: no need to wait for the reader.
  let waiting = '';
  const flush = (): void => {
    if (waiting !== '') controller?.enqueue(utf8.encode(waiting));
    waiting = '';
  };
  const sink: Sink = {
    write(lines) {
      if (waiting === '') queueMicrotask(flush);
      waiting += lines.map((line: FleetLine) => `${JSON.stringify(line)}\n`).join('');
    },
    end() {
      flush();
      controller?.close();
      // A reader that brought its own buffer waits for it until it is handed back.
      controller?.byobRequest?.respond(0);
      controller = null;
    },
    abandon() {
      controller?.error(new Error('The batch is answered on another stream'));
      controller = null;
    },
  };
  return { stream, sink };
}
