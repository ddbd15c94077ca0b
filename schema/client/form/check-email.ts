import { FORM_REASONS, FORM_VERDICTS, FORM_WAIT_S, type FormAnswer } from '../../words/form.ts';
import { isKnown } from '../../words/open.ts';
import { withoutStrayMarks } from '../../words/unseen.ts';
import { withoutEndSlashes } from '../base/end-slashes.ts';

/** What is asked. */
export type FormQuestion = {
  /** Where the service is, such as `https://verify.example.com`. */
  readonly baseURL: string;
  /** The key of the form, `svc_form_…`. It is public. */
  readonly key: string;
  readonly email: string;
  /** One of your own for each page and address: with it, asking again costs nothing. */
  readonly id?: string;
  /** Seconds until the answer at the latest: 1 to 10, 4 if you do not say. */
  readonly waitS?: number;
  readonly signal?: AbortSignal;
};

/** The answer, or `unsure` with what went wrong, for developers. */
export type FormCheck = FormAnswer & { readonly error: string | null };

const UNSURE = { verdict: 'unsure', reason: null, did_you_mean: null } as const;
/** Beyond the time that the service takes: for the way there and back. */
const MARGIN_MS = 2_000;

/**
 * Checks the address in a form, from a page of an origin that the form's key names. Any failure is `unsure`: a person is
 * never turned away for it.
 * @throws the signal's reason if it fires, and nothing else
 */
export async function checkEmail(question: FormQuestion): Promise<FormCheck> {
  const { baseURL, key, email, id, waitS: wait = FORM_WAIT_S.usual, signal } = question;
  signal?.throwIfAborted();
  const stop = new AbortController();
  const abort = (): void => stop.abort();
  signal?.addEventListener('abort', abort);
  const timer = setTimeout(abort, wait * 1_000 + MARGIN_MS);
  try {
    // A text and no header of ours: the browser sends it at once, without asking for leave first.
    const body = JSON.stringify({ key, email: withoutStrayMarks(email), id, wait });
    const url = `${withoutEndSlashes(baseURL)}/api/v1/form`;
    const response = await fetch(url, { method: 'POST', body, credentials: 'omit', signal: stop.signal });
    return readAnswer(await response.json());
  } catch (error) {
    signal?.throwIfAborted();
    return { ...UNSURE, error: String(error) };
  } finally {
    clearTimeout(timer);
    signal?.removeEventListener('abort', abort);
  }
}

/** A word that this version does not know says nothing to a person. */
function readAnswer(json: unknown): FormCheck {
  const { verdict, reason, did_you_mean, error }: Record<string, unknown> = Object(json);
  if (typeof verdict !== 'string') return { ...UNSURE, error: typeof error === 'string' ? error : 'no answer' };
  return {
    verdict: isKnown(FORM_VERDICTS, verdict) ? verdict : 'unsure',
    reason: typeof reason === 'string' && isKnown(FORM_REASONS, reason) ? reason : null,
    did_you_mean: typeof did_you_mean === 'string' ? did_you_mean : null,
    error: null,
  };
}
