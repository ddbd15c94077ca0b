import { RcptError } from '../base/errors.ts';
import { isCount, parseRecord } from './read-line.ts';
import { readRequestId, readRetryAfterMs } from './headers.ts';
import { type Means, readFailure, readStart, send } from './service.ts';
import { sleepUntil } from '../base/sleep.ts';

/** GET credits, again after a failure that may pass. @throws RcptError; the signal's reason */
export async function readCredits({ service, pace, maxRetries }: Means, signal: AbortSignal | null): Promise<number> {
  for (let failures = 0; ;) {
    await sleepUntil(service.clock, pace.nextMs, signal);
    signal?.throwIfAborted();
    let headers: Headers | null = null;
    try {
      return await send(
        service,
        { path: '/api/v1/credits', accept: 'application/json', attempt: failures + 1 },
        signal,
        async (response) => {
          headers = response.headers;
          return await readBalance(response);
        },
      );
    } catch (error) {
      failures += 1;
      if (!(error instanceof RcptError) || !error.retryable || failures > maxRetries) throw error;
      pace.rest(failures, headers === null ? 0 : readRetryAfterMs(headers, service.clock.wallMs()));
    }
  }
}

async function readBalance(response: Response): Promise<number> {
  if (!response.ok) throw (await readFailure(response)).error;
  const credits = parseRecord(await readStart(response))?.['credits'];
  if (isCount(credits)) return credits;
  const { status, headers } = response;
  throw new RcptError('BAD_ANSWER', 'The response does not contain the number of credits.', {
    status,
    requestId: readRequestId(headers),
  });
}
