import { WebSocket } from 'ws';
import { FRAME_BYTES_MAX } from '../../schema/link.ts';
import type { Identity } from './identity.ts';
import { aheadOf, causeOf, type Ending } from './why-lost.ts';

/** A job frame's payload is text inside text: every quote in it is sent as two characters. */
const MESSAGE_BYTES_MAX = 3 * FRAME_BYTES_MAX;

/** Starts opening a WebSocket (RFC 6455) with these headers. */
export type Connect = (url: URL, headers: Readonly<Record<string, string>>, handshakeMs: number) => WebSocket;

export const connect: Connect = (url, headers, handshakeMs) =>
  new WebSocket(url, {
    headers: { ...headers },
    handshakeTimeout: handshakeMs,
    maxPayload: MESSAGE_BYTES_MAX,
    perMessageDeflate: false,
  });

type Dialled = {
  readonly opened: (socket: WebSocket) => void;
  /** How far this machine's clock is ahead of the edge's, in seconds, as its answer says. */
  readonly clockAhead: (seconds: number) => void;
  /** It is gone, or was never open. */
  readonly closed: (ending: Ending) => void;
};

/** Dials in to one Fleet object. @param token from `makeHostToken` @param on.wallClock milliseconds since 1970 */
export function dialIn(
  { origin, shard, token }: Pick<Identity, 'origin'> & { readonly shard: number; readonly token: string },
  on: { readonly connect: Connect; readonly handshakeMs: number; readonly wallClock: () => number },
  told: Dialled,
): WebSocket {
  const url = new URL(`/link?shard=${shard}`, origin);
  url.protocol = url.protocol === 'http:' ? 'ws:' : 'wss:';
  const socket = on.connect(url, { authorization: `Bearer ${token}` }, on.handshakeMs);
  let seen: Omit<Ending, 'code'> = { status: 0, cause: null, aheadS: null };
  const compare = (date: string | undefined): number | null => {
    const aheadS = aheadOf(date, on.wallClock());
    if (aheadS !== null) told.clockAhead(aheadS);
    return aheadS;
  };
  socket.on('error', (error) => {
    // 'close' follows, and continues there.
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
