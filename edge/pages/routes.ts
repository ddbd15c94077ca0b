import { keyBody, keyChange, makeKey, makePageKey, removeKey, showKeys, updateKey } from './keys.ts';
import {
  accountChange,
  accountChoice,
  chooseAccount,
  deleteMe,
  exportMe,
  ownAddress,
  showEnds,
  showMe,
  updateAccount,
} from './me.ts';
import { showBalance, showStatement, showUsage, statementParams, usageParams } from './money.ts';
import { makeOrder, openBilling, orderBody, removeOrder, showOrder, showOrders } from './orders.ts';
import {
  challengeForNew,
  challengeForSignIn,
  dropPasskey,
  makePasskey,
  passkeyBody,
  showPasskeys,
  signInBody,
  signInWithPasskey,
} from './passkeys.ts';
import {
  changeRole,
  invitationBody,
  leaverParams,
  removeInvitation,
  removePerson,
  roleBody,
  sendInvitation,
  showPeople,
} from './people.ts';
import { idParams, noParams, nothing, open, type PageRoute, signedIn } from './route.ts';
import { requestParams, showRequests } from './requests.ts';
import { sampleBody, showSample } from './sample.ts';
import { removeSession, showSessions } from './sessions.ts';
import { confirmLink, linkBody, previewLink, requestLink, signOut, tokenBody } from './sign-in.ts';

export const PAGES_ROOT = '/app/v1';

const plain = { params: noParams, body: nothing };
const named = { params: idParams, body: nothing };

/** Everything that the pages can do for people. */
export const ROUTES: readonly PageRoute[] = [
  open('GET', `${PAGES_ROOT}/me`, plain, showMe),
  open('POST', `${PAGES_ROOT}/sample`, { params: noParams, body: sampleBody }, showSample),
  open('POST', `${PAGES_ROOT}/sign-in`, { params: noParams, body: linkBody }, requestLink),
  open('POST', `${PAGES_ROOT}/sign-in/look`, { params: noParams, body: tokenBody }, previewLink),
  open('POST', `${PAGES_ROOT}/sign-in/confirm`, { params: noParams, body: tokenBody }, confirmLink),
  open('POST', `${PAGES_ROOT}/sign-in/passkey/challenge`, plain, challengeForSignIn),
  open('POST', `${PAGES_ROOT}/sign-in/passkey`, { params: noParams, body: signInBody }, signInWithPasskey),
  signedIn('person', 'POST', `${PAGES_ROOT}/sign-out`, plain, signOut),
  signedIn('person', 'PUT', `${PAGES_ROOT}/me/account`, { params: noParams, body: accountChoice }, chooseAccount),
  signedIn('person', 'GET', `${PAGES_ROOT}/me/export`, plain, exportMe),
  signedIn('person', 'GET', `${PAGES_ROOT}/me/ends`, plain, showEnds),
  signedIn('person', 'DELETE', `${PAGES_ROOT}/me`, { params: noParams, body: ownAddress }, deleteMe),
  signedIn('owner', 'PUT', `${PAGES_ROOT}/account`, { params: noParams, body: accountChange }, updateAccount),
  signedIn('person', 'GET', `${PAGES_ROOT}/sessions`, plain, showSessions),
  signedIn('person', 'DELETE', `${PAGES_ROOT}/sessions/:id`, named, removeSession),
  signedIn('person', 'GET', `${PAGES_ROOT}/passkeys`, plain, showPasskeys),
  signedIn('person', 'POST', `${PAGES_ROOT}/passkeys/challenge`, plain, challengeForNew),
  signedIn('person', 'POST', `${PAGES_ROOT}/passkeys`, { params: noParams, body: passkeyBody }, makePasskey),
  signedIn('person', 'DELETE', `${PAGES_ROOT}/passkeys/:id`, named, dropPasskey),
  signedIn('person', 'GET', `${PAGES_ROOT}/keys`, plain, showKeys),
  signedIn('person', 'POST', `${PAGES_ROOT}/keys`, { params: noParams, body: keyBody }, makeKey),
  signedIn('person', 'PUT', `${PAGES_ROOT}/keys/:id`, { params: idParams, body: keyChange }, updateKey),
  signedIn('person', 'DELETE', `${PAGES_ROOT}/keys/:id`, named, removeKey),
  signedIn('person', 'POST', `${PAGES_ROOT}/page-key`, plain, makePageKey),
  signedIn('person', 'GET', `${PAGES_ROOT}/balance`, plain, showBalance),
  signedIn('person', 'GET', `${PAGES_ROOT}/statement`, { params: statementParams, body: nothing }, showStatement),
  signedIn('person', 'GET', `${PAGES_ROOT}/usage`, { params: usageParams, body: nothing }, showUsage),
  signedIn('person', 'GET', `${PAGES_ROOT}/requests`, { params: requestParams, body: nothing }, showRequests),
  signedIn('person', 'GET', `${PAGES_ROOT}/orders`, plain, showOrders),
  signedIn('owner', 'POST', `${PAGES_ROOT}/orders`, { params: noParams, body: orderBody }, makeOrder),
  signedIn('person', 'GET', `${PAGES_ROOT}/orders/:id`, named, showOrder),
  signedIn('owner', 'DELETE', `${PAGES_ROOT}/orders/:id`, named, removeOrder),
  signedIn('owner', 'POST', `${PAGES_ROOT}/billing`, plain, openBilling),
  signedIn('person', 'GET', `${PAGES_ROOT}/people`, plain, showPeople),
  signedIn('person', 'DELETE', `${PAGES_ROOT}/people/:id`, { params: leaverParams, body: nothing }, removePerson),
  signedIn('owner', 'PUT', `${PAGES_ROOT}/people/:id/role`, { params: idParams, body: roleBody }, changeRole),
  signedIn('owner', 'POST', `${PAGES_ROOT}/invitations`, { params: noParams, body: invitationBody }, sendInvitation),
  signedIn('owner', 'DELETE', `${PAGES_ROOT}/invitations/:id`, named, removeInvitation),
];
