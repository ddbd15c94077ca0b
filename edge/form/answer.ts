import type { FormAnswer, FormReason } from '../../schema/words/form.ts';
import type { Element } from '../verify/judge.ts';

const UNSURE: FormAnswer = { verdict: 'unsure', reason: null, did_you_mean: null };

/** The answer to a form for a result: only a certain result rejects a person. Pure. */
export function formAnswer(element: Element | undefined, rejectsDisposable: boolean): FormAnswer {
  if (element === undefined || 'error' in element) return UNSURE;
  const { result, reason, disposable, did_you_mean } = element;
  if (result === 'undeliverable') return { verdict: 'reject', reason: whyRejected(reason), did_you_mean };
  if (disposable && rejectsDisposable) return { verdict: 'reject', reason: 'disposable', did_you_mean };
  return { ...UNSURE, verdict: result === 'unknown' ? 'unsure' : 'accept', did_you_mean };
}

function whyRejected(reason: string | null): FormReason {
  if (reason === null) return 'no_such_mailbox';
  return reason === 'invalid_syntax' ? 'invalid_syntax' : 'no_mail_domain';
}
