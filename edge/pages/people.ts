import * as z from 'zod';
import { RequestError } from '../../schema/errors.ts';
import type { InvitationEntry, People } from '../../schema/pages-api.ts';
import { ROLES } from '../../schema/words/stored.ts';
import { signInAddressSchema } from '../../schema/sign-in-address.ts';
import type { Call } from '../base/call.ts';
import { logUnsent } from '../mail/mailer.ts';
import { invitationMail } from '../mail/texts.ts';
import { type Invitation, invite, listInvitations, withdrawInvitation } from '../people/invitations.ts';
import { type Changed, listPeople, setRole, removeMember } from '../people/people.ts';
import type { Session } from '../people/sessions.ts';
import { refuseUnreachable } from '../people/unreachable.ts';
import { timeText } from '../base/time-text.ts';
import { homeOfSession } from './account-home.ts';
import { countTry } from './limits.ts';
import { type Id, type JsonResponse, answer, idParams, ownersOnly, tooMany } from './route.ts';
import { sentBy } from './sent.ts';
import { mailer, pagesOrigin } from './sign-in.ts';

const role = z.enum(ROLES);
export const invitationBody = z.strictObject({ email: signInAddressSchema, role });
export const roleBody = z.strictObject({ role });
/** `keys`: what happens to the keys that the person made. */
export const leaverParams = idParams.extend({ keys: z.enum(['stay', 'end']).default('stay') });
type Leaver = z.infer<typeof leaverParams>;
type RoleBody = z.infer<typeof roleBody>;

export async function showPeople({ env }: Call, { account }: Session): Promise<JsonResponse> {
  const [people, invitations] = await Promise.all([
    listPeople(env.DB, account.id),
    listInvitations(env.DB, account.id),
  ]);
  return answer({
    people: people.map(({ joinedAt, ...person }) => ({ ...person, joinedAt: timeText(joinedAt) })),
    invitations: invitations.map(invitationEntry),
  } satisfies People);
}

export async function sendInvitation(
  call: Call,
  { account, person }: Session,
  _params: object,
  { email, role: as }: z.infer<typeof invitationBody>,
): Promise<JsonResponse> {
  const mail = mailer(call);
  await countTry(call);
  refuseUnreachable(call.config, email);
  const invited = await invite(
    call.env.DB,
    { accountId: account.id, email, role: as, invitedBy: person.id },
    await sentBy(call, email, account.id),
  );
  switch (invited.kind) {
    case 'not_owner':
      throw ownersOnly();
    case 'already_in':
      throw new RequestError('CONFLICT', 'This person already belongs to the account.');
    case 'too_many':
      throw tooMany('Too many invitations are open or were sent to this address. Try again later.', '3600');
    case 'invited': {
      const { invitation, token } = invited;
      try {
        await mail.send(invitationMail(pagesOrigin(call), email, token, invitation.invitedBy));
      } catch (error) {
        logUnsent('mail_failed', { requestId: call.id }, error);
        await withdrawInvitation(call.env.DB, account.id, invitation.id);
        throw new RequestError('UNAVAILABLE', 'The invitation could not be mailed. Try again in a few minutes.');
      }
      return answer(invitationEntry(invitation), 201);
    }
  }
}

function invitationEntry({ createdAt, expiresAt, ...invitation }: Invitation): InvitationEntry {
  return { ...invitation, createdAt: timeText(createdAt), expiresAt: timeText(expiresAt) };
}

export async function removeInvitation({ env }: Call, { account }: Session, { id }: Id): Promise<JsonResponse> {
  if (!(await withdrawInvitation(env.DB, account.id, id)))
    throw new RequestError('NOT_FOUND', 'This invitation was accepted or withdrawn, or never existed.');
  return answer();
}

export async function changeRole(
  { env }: Call,
  { account, person }: Session,
  { id }: Id,
  { role: as }: RoleBody,
): Promise<JsonResponse> {
  return outcome(await setRole(env.DB, account.id, id, as, person.id));
}

/** By an owner, or by the person themselves. */
export async function removePerson(call: Call, session: Session, { id, keys }: Leaver): Promise<JsonResponse> {
  const leaver = { accountId: session.account.id, personId: id, home: homeOfSession(call, session).db };
  return outcome(await removeMember(call.env.DB, leaver, session.person.id, keys));
}

function outcome(changed: Changed): JsonResponse {
  switch (changed) {
    case 'changed':
      return answer();
    case 'unknown':
      throw new RequestError('NOT_FOUND', 'This person does not belong to the account.');
    case 'not_owner':
      throw ownersOnly();
    case 'last_owner':
      throw new RequestError('CONFLICT', 'An account needs an owner. Make somebody else an owner first.');
  }
}
