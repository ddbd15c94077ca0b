import { RequestError } from '../../schema/errors.ts';
import type { SessionEntry } from '../../schema/pages-api.ts';
import type { Call } from '../base/call.ts';
import { listSessions, type Session } from '../people/sessions.ts';
import { endOneOf } from './account-home.ts';
import { noCookie } from './cookie.ts';
import { type Id, type JsonResponse, answer } from './route.ts';
import { dayText } from '../base/time-text.ts';

export async function showSessions({ env }: Call, session: Session): Promise<JsonResponse> {
  const rows = await listSessions(env.DB, session.person.id);
  const sessions = rows.map(({ id, lastUsedDay, openedBy, device }): SessionEntry => ({
    id,
    current: id === session.id,
    lastUsed: dayText(lastUsedDay),
    by: openedBy,
    device,
  }));
  return answer({ sessions });
}

export async function removeSession(call: Call, session: Session, { id }: Id): Promise<JsonResponse> {
  if (!(await endOneOf(call, session, id))) throw new RequestError('NOT_FOUND', 'This session has already ended.');
  return id === session.id ? { ...answer(), headers: noCookie() } : answer();
}
