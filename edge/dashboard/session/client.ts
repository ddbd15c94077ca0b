import { Rcpt } from '../../../schema/client/index.ts';
import { call, Trouble } from './api.ts';
import { forgetPageKey, pageKey } from './page-key.ts';
import { noteAnswer } from './service-state.ts';

/** Stands where the client wants a key: the one that is sent is looked up for each request, because it ends sooner. */
const LOOKED_UP = 'looked-up-for-each-request';

/** By its code the client knows that nothing left the browser, so that nothing can have been charged. */
class NeverSent extends Error {
  readonly code = 'ENETUNREACH';
}

/** Calls the public API with the page's key of the moment; one that was refused is not used again. */
async function fetchWithPageKey(...[url, init]: Parameters<typeof fetch>): Promise<Response> {
  let status: number | null = null;
  try {
    let response = await send(url, init);
    if (response.status === 401) {
      forgetPageKey();
      response = await send(url, init);
    }
    ({ status } = response);
    return response;
  } finally {
    if (init?.signal?.aborted !== true) noteAnswer(status);
  }
}

/** @throws NeverSent; what fetch throws */
async function send(...[url, init]: Parameters<typeof fetch>): Promise<Response> {
  const headers = new Headers(init?.headers);
  try {
    // A browser without a network may still reach a service on its own machine: that is tried before anything is asked.
    if (!navigator.onLine) await call('GET', 'me');
    headers.set('authorization', `Bearer ${await pageKey()}`);
  } catch (error) {
    // Without a key there is no call: the client gets the refusal of the key as its answer.
    if (error instanceof Trouble && error.status !== null) return refusal(error, error.status);
    throw new NeverSent('Nothing was sent.', { cause: error });
  }
  return fetch(url, { ...init, headers, credentials: 'omit' });
}

function refusal({ message, retryAfterS }: Trouble, status: number): Response {
  const headers = retryAfterS === null ? {} : { 'retry-after': String(retryAfterS) };
  return Response.json({ error: message }, { status, headers });
}

/** All verification on these pages shares one client, and so one rate limit. Runs that it gives up are retried by the pages. */
export const client = new Rcpt({
  apiKey: LOOKED_UP,
  baseURL: location.origin,
  fetch: fetchWithPageKey,
  maxRetries: 2,
});
