import { connect } from 'node:net';
import { given } from './service.ts';

/** A caller of POST verify who will hang up. */
export type LeavingCaller = {
  /** Resolves when the answer so far has this text. */
  readonly hears: (text: string) => Promise<void>;
  /** Resets the connection. */
  readonly leaves: () => void;
};

/** Sends the request on a connection of its own. */
export function leavingCaller(
  emails: readonly string[],
  key: string,
  accept = '*/*',
  headers: Readonly<Record<string, string>> = {},
): LeavingCaller {
  const { hostname, port, host } = new URL(given().url);
  const body = JSON.stringify({ emails });
  const head = [
    'POST /api/v1/verify HTTP/1.1',
    `Host: ${host}`,
    `Authorization: Bearer ${key}`,
    `Accept: ${accept}`,
    `Content-Length: ${Buffer.byteLength(body)}`,
    ...Object.entries(headers).map(([name, value]) => `${name}: ${value}`),
  ];
  const socket = connect(Number(port), hostname);
  let heard = '';
  socket.setEncoding('utf8').on('data', (text: string) => (heard += text));
  socket.on('error', () => undefined);
  socket.write(`${head.join('\r\n')}\r\n\r\n${body}`);
  return {
    hears: (text) =>
      new Promise((resolve, reject) => {
        const look = (): void => (heard.includes(text) ? resolve() : undefined);
        socket.on('data', look);
        socket.on('close', () => reject(new Error(`The answer ended: ${heard}`)));
        look();
      }),
    leaves: () => void socket.resetAndDestroy(),
  };
}
