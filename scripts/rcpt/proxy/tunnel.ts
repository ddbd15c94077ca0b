import * as http from 'node:http';
import * as https from 'node:https';
import type { Socket } from 'node:net';
import * as tls from 'node:tls';
import type { Proxy } from './proxy.ts';

// A connection to a service behind a proxy: a tunnel (CONNECT, RFC 9110 section 9.3.6), in which TLS is spoken with the
// service itself. Every way in which a proxy can fail is one error, once: nothing here tries again.

/** For a proxy to build a tunnel, and for the service to answer the handshake in it. */
const WAIT_MS = 30_000;

/**
 * @param service with its host and port
 * @returns a connection in which the service has proven who it is
 * @throws Error that says what the proxy did; the signal's reason
 */
export async function openTunnel(proxy: Proxy, service: URL, signal: AbortSignal | null): Promise<Socket> {
  const ended = AbortSignal.any([AbortSignal.timeout(WAIT_MS), ...(signal === null ? [] : [signal])]);
  try {
    return await secured(await connected(proxy, service, ended), service, ended);
  } catch (error) {
    signal?.throwIfAborted();
    const what = ended.aborted ? 'did not answer in time' : error instanceof Error ? error.message : String(error);
    throw new Error(`The proxy ${proxy.url.host} failed: ${what}.`, { cause: error });
  }
}

function connected({ url, authorization }: Proxy, service: URL, signal: AbortSignal): Promise<Socket> {
  const target = `${service.hostname}:${service.port === '' ? 443 : service.port}`;
  const request = requestFor(url)({
    ...placeOf(url),
    method: 'CONNECT',
    path: target,
    agent: false,
    signal,
    headers: { host: target, ...(authorization === null ? {} : { 'proxy-authorization': authorization }) },
  });
  return new Promise((done, failed) => {
    request
      .once('connect', ({ statusCode = 0 }, socket: Socket, rest) => {
        const isOpen = statusCode >= 200 && statusCode <= 299;
        // TLS lets the client speak first: what comes before that is not from the service.
        if (isOpen && rest.length === 0) {
          done(socket);
          return;
        }
        socket.destroy();
        failed(new Error(isOpen ? 'it spoke before the service' : refusalOf(statusCode)));
      })
      .once('error', failed)
      .once('close', () => failed(new Error('it closed the connection')))
      .end();
  });
}

function refusalOf(status: number): string {
  return status === 407 ? 'it wants another name and password than HTTPS_PROXY has (407)' : `it answered ${status}`;
}

function secured(socket: Socket, { hostname }: URL, signal: AbortSignal): Promise<Socket> {
  const host = hostname.replace(/^\[|\]$/g, '');
  const secure = tls.connect({
    socket,
    host,
    servername: /^[\d.]+$|:/.test(host) ? '' : host,
    ALPNProtocols: ['http/1.1'],
  });
  return new Promise((done, failed) => {
    const stop = (): void => {
      secure.destroy();
      failed(signal.reason);
    };
    signal.addEventListener('abort', stop);
    secure
      .once('secureConnect', () => {
        signal.removeEventListener('abort', stop);
        done(secure);
      })
      .once('error', failed)
      .once('close', () => failed(new Error('it closed the connection')));
  });
}

/** How a proxy, or a service, at this address is spoken to. */
export function requestFor({ protocol }: URL): typeof http.request {
  return protocol === 'https:' ? https.request : http.request;
}

export function placeOf({ hostname, port, protocol }: URL): { readonly host: string; readonly port: number } {
  return {
    host: hostname.replace(/^\[|\]$/g, ''),
    port: port === '' ? (protocol === 'https:' ? 443 : 80) : Number(port),
  };
}
