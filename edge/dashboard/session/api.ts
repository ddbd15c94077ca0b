import { VIEW_HEADER } from '../../../schema/pages-api.ts';

// The pages' own API. The Worker that answers is published together with these pages and typed by the same file, so its
// answers are not proven once more here.

const BASE = '/app/v1/';

/** Why a call came to nothing, in words for the reader. */
export class Trouble extends Error {
  override readonly name = 'Trouble';
  /** HTTP status; null: there was no answer, because the browser is offline or the service cannot be reached. */
  readonly status: number | null;
  readonly retryAfterS: number | null;

  constructor(message: string, status: number | null = null, retryAfterS: number | null = null) {
    super(message);
    this.status = status;
    this.retryAfterS = retryAfterS;
  }
}

const onSignedOut = new Set<() => void>();

/** Calls this when the session has ended. */
export function whenSignedOut(listener: () => void): void {
  onSignedOut.add(listener);
}

const onOtherView = new Set<() => void>();

/** Calls this when the session has changed to another person or account, in another tab. */
export function whenOtherView(listener: () => void): void {
  onOtherView.add(listener);
}

let view: string | null = null;

/** What this page shows from now on: ids of person and account; null if nobody is signed in. */
export function showView(shown: string | null): void {
  view = shown;
}

export type Method = 'GET' | 'POST' | 'PUT' | 'DELETE';

/**
 * Calls the pages' API.
 * @param path below its base, such as `keys/key_1`
 * @throws Trouble
 */
export async function call<Answer>(method: Method, path: string, body?: object, signal?: AbortSignal): Promise<Answer> {
  const response = await fetch(BASE + path, {
    method,
    headers: {
      ...(view === null ? {} : { [VIEW_HEADER]: view }),
      ...(method === 'GET' ? {} : { 'content-type': 'application/json' }),
    },
    ...(method === 'GET' ? {} : { body: JSON.stringify(body ?? {}) }),
    ...(signal === undefined ? {} : { signal }),
  }).catch((error: unknown) => {
    if (signal?.aborted === true) throw error;
    throw new Trouble(navigator.onLine ? 'The service cannot be reached right now.' : 'You are offline.');
  });
  if (response.ok) return response.json();
  if (response.status === 401) for (const tell of onSignedOut) tell();
  if (response.status === 412) for (const tell of onOtherView) tell();
  throw new Trouble(await wordsOf(response), response.status, Number(response.headers.get('retry-after')) || null);
}

async function wordsOf(response: Response): Promise<string> {
  try {
    const body: unknown = await response.json();
    if (typeof body === 'object' && body !== null && 'error' in body && typeof body.error === 'string')
      return body.error;
  } catch {
    // Not an answer of ours: see below.
  }
  return 'The service did not answer as it should. Please try again in a minute.';
}

/** A message for the reader about anything that was thrown. */
export function troubleOf(error: unknown): Trouble {
  if (error instanceof Trouble) return error;
  return new Trouble(error instanceof Error ? error.message : 'Something went wrong on this page.', 0);
}
