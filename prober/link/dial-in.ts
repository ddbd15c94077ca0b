import type { WebSocket } from 'ws';
import type { Connect } from './connect.ts';
import type { Identity } from './identity.ts';
import { aheadOf, causeOf, type Ending } from './why-lost.ts';

/** What is told of one connection to the edge. */
type Dialled = {
  readonly opened: (socket: WebSocket) => void;
  /** How far this machine's clock is ahead of the edge's, in seconds, as its answer says. */
  readonly clockAhead: (seconds: number) => void;
  /** It is gone, or never stood. */
  readonly closed: (ending: Ending) => void;
};

/**
 * Dials in to one Fleet object.
 * @param token from `makeHostToken`
 * @param wallClock milliseconds since 1970
 */
export function dialIn(
  { origin, shard, token }: Pick<Identity, 'origin'> & { readonly shard: number; readonly token: string },
  { connect, handshakeMs, wallClock }: { connect: Connect; handshakeMs: number; wallClock: () => number },
  told: Dialled,
): WebSocket {
  const url = new URL(`/link?shard=${shard}`, origin);
  url.protocol = url.protocol === 'http:' ? 'ws:' : 'wss:';
  const socket = connect(url, { authorization: `Bearer ${token}` }, handshakeMs);
  let seen: Omit<Ending, 'code'> = { status: 0, cause: null, aheadS: null };
  const compare = (date: string | undefined): number | null => {
    const aheadS = aheadOf(date, wallClock());
    if (aheadS !== null) told.clockAhead(aheadS);
    return aheadS;
  };
  socket.on('error', (error) => {
    // 'close' follows, and that is where it goes on.
    seen = { ...seen, cause: seen.cause ?? causeOf(error) };
  });
  socket.on('unexpected-response', (request, response) => {
    seen = { ...seen, status: response.statusCode ?? 0, aheadS: compare(response.headers.date) };
    request.destroy();
    socket.terminate();
  });
  socket.on('upgrade', ({ headers }) => compare(headers.date));
  socket.on('open', () => told.opened(socket));
  socket.once('close', (code) => told.closed({ ...seen, code }));
  return socket;
}
