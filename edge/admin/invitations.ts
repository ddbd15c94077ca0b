import { RequestError } from '../../schema/errors.ts';
import { endOthers, invite } from '../join/invitations.ts';
import { timeText } from '../base/time-text.ts';
import { type Done, done, type OfHost, type Services } from './operation.ts';

type InvitationBody = { readonly hash: string; readonly again?: boolean };

/** Lets the machine that presents the invitation with this hash become this host, once, within 15 minutes. */
export async function inviteHost({ db }: Services, params: OfHost, body: InvitationBody): Promise<Done> {
  const invited = await invite(db, params.host, body.hash);
  switch (invited.kind) {
    case 'invited':
      if (body.again === true) await endOthers(db, params.host, body.hash);
      return done({ id: params.host, expiresAt: timeText(invited.expiresAt) }, 201);
    case 'enrolled':
      throw new RequestError(
        'CONFLICT',
        `Host ${params.host} is already enrolled: remove it first, or choose another name.`,
      );
    case 'conflict':
      throw new RequestError('CONFLICT', 'This invitation was made for another host.');
  }
}
