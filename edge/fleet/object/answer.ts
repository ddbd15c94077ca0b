import type { FleetAnswer, FleetLine } from '../../base/fleet-protocol.ts';
import type { Sink } from '../batch/batch-answer.ts';
import type { Clock } from '../batch/services.ts';
import { createLineStream } from './line-stream.ts';

const NOTHING = (): void => {};

/**
 * An answer and the sink that fills it: all lines, if they arrive within `gathersMs`, else a stream that begins with
 * those that have.
 * @param onCancel called when the reader cancels a stream before its end
 */
export function createAnswer(
  gathersMs: number,
  clock: Pick<Clock, 'after'>,
  onCancel: () => void,
): { readonly answer: Promise<FleetAnswer>; readonly sink: Sink } {
  const { promise: answer, resolve } = Promise.withResolvers<FleetAnswer>();
  const gathered: FleetLine[] = [];
  let open: Sink | null = null;
  const begin = (): void => {
    const { stream, sink } = createLineStream(onCancel);
    if (gathered.length > 0) sink.write(gathered);
    open = sink;
    resolve(stream);
  };
  let stopGathering = NOTHING;
  if (gathersMs === 0) begin();
  else stopGathering = clock.after(gathersMs, begin);
  const sink: Sink = {
    get unread() {
      return open?.unread ?? 0;
    },
    write(lines) {
      if (open === null) gathered.push(...lines);
      else open.write(lines);
    },
    end() {
      if (open !== null) return open.end();
      stopGathering();
      resolve(gathered);
    },
  };
  return { answer, sink };
}
