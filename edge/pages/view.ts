import { RequestError } from '../../schema/errors.ts';
import { VIEW_HEADER } from '../../schema/pages-api.ts';
import type { Session } from '../people/sessions.ts';

/**
 * Refuses a call from a page that shows another person or account than its session has now: tabs of one browser share
 * its cookie, and someone may have signed in, or switched the account, in another tab.
 * @throws RequestError OTHER_VIEW
 */
export function checkView(request: Request, { person, account }: Session): void {
  const shown = request.headers.get(VIEW_HEADER);
  if (shown === null || shown === `${person.id} ${account.id}`) return;
  throw new RequestError(
    'OTHER_VIEW',
    'This browser is now signed in to another account than this page shows. Nothing was done.',
  );
}
