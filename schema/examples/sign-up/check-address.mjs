// Asks about one address while a person waits: call it from the route of your form, then send the confirmation mail, and queue
// the address again if askAgainS is not null. Runs in Workers, Node 20 or newer, Bun and Deno.

/** What a person waits for without leaving, in seconds. */
const WAIT_S = 4;

/** What to do if nothing could be learnt: let the person in, and ask again later. */
const LET_IN = { accept: true, message: null, suggestion: null, askAgainS: 60 };

/**
 * @param {unknown} email as it was sent
 * @param {{ url: string, apiKey: string }} service where it is, and the key, which never leaves your server
 * @returns {Promise<{ accept: boolean, message: string | null, suggestion: string | null, askAgainS: number | null }>}
 *   what to tell the person, and after how many seconds to ask again in the background (null: no need)
 */
export async function checkAddress(email, { url, apiKey }) {
  if (typeof email !== 'string' || email.length > 320) return decide({ status: 'invalid', reason: 'invalid_syntax' });
  try {
    const response = await fetch(`${url}/api/v1/verify`, {
      method: 'POST',
      headers: { authorization: `Bearer ${apiKey}`, 'content-type': 'application/json', prefer: `wait=${WAIT_S}` },
      body: JSON.stringify({ emails: [email] }),
      signal: AbortSignal.timeout((WAIT_S + 1) * 1000),
    });
    // 402, 429 or 500 is your trouble or ours, never the person's.
    if (!response.ok) return LET_IN;
    const [result] = await response.json();
    return decide(result);
  } catch {
    return LET_IN;
  }
}

/** Only a certain no turns somebody away. */
function decide({ status, reason, retry_after, did_you_mean }) {
  if (status === 'invalid') {
    const message =
      reason === 'invalid_syntax'
        ? 'This is not an email address.'
        : 'This address does not exist. Is it spelled right?';
    return { accept: false, message, suggestion: did_you_mean ?? null, askAgainS: null };
  }
  const message = did_you_mean === null ? null : `Did you mean ${did_you_mean}?`;
  return { accept: true, message, suggestion: did_you_mean, askAgainS: status === 'unknown' ? retry_after : null };
}
