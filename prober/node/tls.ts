import { constants } from 'node:crypto';
import { isIP, type Socket } from 'node:net';
import { connect, createSecureContext, type SecureContext, type TLSSocket } from 'node:tls';

let context: SecureContext | null = null;

/** Mail servers are old, and the alternative is plain text. One context serves all; creating one is slow. */
function permissiveContext(): SecureContext {
  context ??= createSecureContext({
    minVersion: 'TLSv1',
    ciphers: 'DEFAULT@SECLEVEL=0',
    secureOptions: constants.SSL_OP_LEGACY_SERVER_CONNECT,
  });
  return context;
}

/** The owner of the socket frees it on failure. @returns the one to go on with, paused, with an `error` listener */
export function secure(plain: Socket, serverName: string, chunkBytesMax: number): Promise<TLSSocket | 'failed'> {
  return new Promise((resolve) => {
    const options = {
      socket: plain,
      secureContext: permissiveContext(),
      rejectUnauthorized: false,
      checkServerIdentity: () => undefined,
      highWaterMark: chunkBytesMax,
      ...(isIP(serverName) === 0 && serverName !== '' ? { servername: serverName } : {}),
    };
    const socket = connect(options);
    socket.pause();
    const settle = (answer: TLSSocket | 'failed'): void => {
      socket.off('secureConnect', onSecure);
      socket.off('close', onFail);
      if (answer === 'failed') socket.destroy();
      resolve(answer);
    };
    const onSecure = (): void => settle(socket);
    const onFail = (): void => settle('failed');
    socket.on('secureConnect', onSecure);
    socket.on('error', onFail);
    socket.on('close', onFail);
  });
}
