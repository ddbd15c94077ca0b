import type { CallEntry, CallLog } from '../../../schema/pages-api.ts';

/** What the statuses of answers mean to their reader. */
export const ANSWERS: ReadonlyMap<number, string> = new Map([
  [200, 'Answered'],
  [400, 'Bad request'],
  [401, 'Key refused'],
  [402, 'Too few credits, or a cap'],
  [409, 'Repeated too early'],
  [413, 'Too large'],
  [422, 'Repeated with another body'],
  [429, 'Too many requests'],
  [499, 'Caller left'],
  [500, 'Failed on our side'],
]);

export function answerWords({ status, charged }: Pick<CallEntry, 'status' | 'charged'>): string {
  if (status === null) return charged === null ? 'In progress' : 'Lost, and refunded';
  return ANSWERS.get(status) ?? 'Refused';
}

export function keyWords({ key, hint }: Pick<CallEntry, 'key' | 'hint'>, labels: CallLog['labels']): string {
  if (key === 'page') return 'These pages';
  if (key !== null) return labels[key] ?? 'A deleted key';
  return hint === null ? 'A deleted key' : `A deleted key, …${hint}`;
}
