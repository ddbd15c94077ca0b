import { expect, test } from 'vitest';
import { ROUTES } from '../../edge/app.ts';
import { routeOf } from '../../edge/dashboard/route/paths.ts';
import { expiryMail, invitationMail, lowBalanceMail, signInMail } from '../../edge/mail/texts.ts';

// Pages and Worker share one host: a path is a view of the one or a route of the other, for every method.

const ORIGIN = 'https://verify.test';

test.each(ROUTES.map(({ path }) => path))('%s is the Worker’s own, and no view', (path) => {
  expect(routeOf(path)).toEqual({ view: 'nowhere' });
});

test.each([
  ['sign-in', signInMail(ORIGIN, 'ann@a.test', 'token')],
  ['invitation', invitationMail(ORIGIN, 'ann@a.test', 'token', 'bob@a.test')],
  ['buy', lowBalanceMail(ORIGIN, 'ann@a.test', 'Shop', 5)],
  ['balance', expiryMail(ORIGIN, 'ann@a.test', 'Shop', 5, 0)],
])('the link of a mail leads to the view %s', (view, { text }) => {
  const link = /^https:\S+$/m.exec(text)?.[0] ?? '';
  expect(routeOf(new URL(link).pathname)).toEqual({ view });
});
