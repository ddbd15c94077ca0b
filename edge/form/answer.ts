import type { FormAnswer } from '../../schema/words/form.ts';
import { REASON_ROWS } from '../../schema/words/reasons.ts';
import type { Element } from '../verify/judge.ts';

const UNSURE: FormAnswer = { verdict: 'unsure', reason: null, did_you_mean: null };

/** The answer to a form for a result: only a certain result rejects a person. Pure. */
export function formAnswer(element: Element | undefined, rejectsDisposable: boolean): FormAnswer {
  if (element === undefined || 'error' in element) return UNSURE;
  const { result, reason, disposable, did_you_mean } = element;
  if (result === 'undeliverable') {
    const why = reason === null ? 'no_such_mailbox' : REASON_ROWS[reason].form;
    return { verdict: 'reject', reason: why, did_you_mean };
  }
  if (disposable && rejectsDisposable) return { verdict: 'reject', reason: 'disposable', did_you_mean };
  return { ...UNSURE, verdict: result === 'unknown' ? 'unsure' : 'accept', did_you_mean };
}
