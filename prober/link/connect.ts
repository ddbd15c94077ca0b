import { WebSocket } from 'ws';
import { FRAME_BYTES_MAX } from '../../schema/link.ts';

/** A job frame's payload is text inside text: every quote of it is sent as two characters. */
const MESSAGE_BYTES_MAX = 3 * FRAME_BYTES_MAX;

/** Begins to open a WebSocket (RFC 6455) with these headers. */
export type Connect = (url: URL, headers: Readonly<Record<string, string>>, handshakeMs: number) => WebSocket;

export const connect: Connect = (url, headers, handshakeMs) =>
  new WebSocket(url, {
    headers: { ...headers },
    handshakeTimeout: handshakeMs,
    maxPayload: MESSAGE_BYTES_MAX,
    perMessageDeflate: false,
  });
