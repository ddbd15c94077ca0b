import * as http from 'node:http';
import { Readable } from 'node:stream';
import type { Proxy } from './proxy.ts';
import { openTunnel, placeOf, requestFor } from './tunnel.ts';

/**
 * As much of fetch as the client uses, through a proxy: Node's own reads no proxy from the environment before version 24,
 * and then calls one that closes its connections again and again, thousands of times a second, until the time is out.
 */
export function proxiedFetch(proxy: Proxy): typeof fetch {
  return async (input, init) => {
    const request = new Request(input, init);
    const body = request.body === null ? null : Buffer.from(await request.arrayBuffer());
    const url = new URL(request.url);
    const headers = { ...Object.fromEntries(request.headers), host: url.host, ...lengthOf(body) };
    const signal = init?.signal ?? null;
    try {
      return await send(await outgoing(proxy, url, { method: request.method, headers }, signal), body);
    } catch (error) {
      signal?.throwIfAborted();
      throw new TypeError('fetch failed', { cause: error });
    }
  };
}

type Head = { readonly method: string; readonly headers: Readonly<Record<string, string>> };

async function outgoing(proxy: Proxy, url: URL, head: Head, signal: AbortSignal | null): Promise<http.ClientRequest> {
  const options = { ...head, ...(signal === null ? {} : { signal }) } as const;
  if (url.protocol === 'https:') {
    const socket = await openTunnel(proxy, url, signal);
    return http.request({ ...options, path: `${url.pathname}${url.search}`, createConnection: () => socket });
  }
  const { authorization } = proxy;
  const headers = { ...head.headers, ...(authorization === null ? {} : { 'proxy-authorization': authorization }) };
  return requestFor(proxy.url)({ ...options, agent: false, ...placeOf(proxy.url), headers, path: url.href });
}

function send(request: http.ClientRequest, body: Buffer | null): Promise<Response> {
  return new Promise((done, failed) => {
    request
      .once('response', (response) => {
        const { statusCode: status = 500, rawHeaders } = response;
        const pairs = rawHeaders.flatMap((name, at) =>
          at % 2 === 0 ? [[name, rawHeaders[at + 1] ?? ''] as const] : [],
        );
        const headers = new Headers();
        for (const [name, value] of pairs) headers.append(name, value);
        const isEmpty = [204, 205, 304].includes(status);
        if (isEmpty) response.resume();
        done(new Response(isEmpty ? null : Readable.toWeb(response), { status, headers }));
      })
      .once('error', failed)
      .once('close', () => failed(new Error('The connection was closed.')))
      .end(body ?? undefined);
  });
}

function lengthOf(body: Buffer | null): Readonly<Record<string, string>> {
  return body === null ? {} : { 'content-length': String(body.length) };
}
