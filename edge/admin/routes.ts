import * as z from 'zod';
import {
  accountBodySchema,
  accountIdSchema,
  correctionBodySchema,
  grantBodySchema,
  hostBodySchema,
  hostStateBodySchema,
  invitationBodySchema,
  keyBodySchema,
  keyIdSchema,
  optOutBodySchema,
  ownerBodySchema,
  purchaseIdSchema,
} from '../../schema/admin.ts';
import { hostIdSchema } from '../../schema/enrolment.ts';
import { type InputRoute, route } from '../base/route-input.ts';
import { accountsAsked, createAccount, listAccounts, setOwner, showAccount } from './accounts.ts';
import { correctCredits, grantCredits, showStatement, statementAsked } from './credits.ts';
import { addHost, listHosts, removeHost, setHostState } from './hosts.ts';
import { inviteHost } from './invitations.ts';
import { createKey, deleteKey } from './keys.ts';
import { addOptOut, listOptOuts, removeOptOut } from './opt-outs.ts';
import { listOrders, ordersAsked } from './orders.ts';
import type { Done, Services } from './operation.ts';
import { showOverview } from './overview.ts';

export const ADMIN_ROOT = '/admin/v1';

export type OperatorRoute = InputRoute<Services, Done>;

export const noBody = z.undefined({ error: 'this call takes no body' });

const none = z.strictObject({});
const account = z.strictObject({ account: accountIdSchema });
const key = z.strictObject({ key: keyIdSchema });
const host = z.strictObject({ host: hostIdSchema });
const purchase = z.strictObject({ account: accountIdSchema, purchase: purchaseIdSchema });

/** Polled by pages, `status` and rollouts. These change nothing and reveal nothing about customers. */
const POLLED: readonly string[] = [`${ADMIN_ROOT}/hosts`, `${ADMIN_ROOT}/overview`];

export function isPolled({ methods, path }: OperatorRoute): boolean {
  return methods.includes('GET') && POLLED.includes(path);
}

const call = <P, B>(
  method: 'GET' | 'PUT' | 'DELETE',
  path: string,
  params: z.ZodType<P>,
  body: z.ZodType<B>,
  operate: (services: Services, params: P, body: B) => Promise<Done>,
): OperatorRoute => route(method, ADMIN_ROOT + path, { params, body }, operate);

/** Everything an operator can do. PUT names what it creates, so that repeating it is harmless. */
export const ROUTES: readonly OperatorRoute[] = [
  call('GET', '/accounts', accountsAsked, noBody, listAccounts),
  call('PUT', '/accounts/:account', account, accountBodySchema, createAccount),
  call('GET', '/accounts/:account', account, noBody, showAccount),
  call('PUT', '/accounts/:account/owner', account, ownerBodySchema, setOwner),
  call('GET', '/accounts/:account/ledger', statementAsked, noBody, showStatement),
  call('PUT', '/accounts/:account/grants/:purchase', purchase, grantBodySchema, grantCredits),
  call('PUT', '/accounts/:account/corrections/:purchase', purchase, correctionBodySchema, correctCredits),
  call('PUT', '/keys/:key', key, keyBodySchema, createKey),
  call('DELETE', '/keys/:key', key, noBody, deleteKey),
  call('GET', '/orders', ordersAsked, noBody, listOrders),
  call('GET', '/hosts', none, noBody, listHosts),
  call('PUT', '/hosts/:host', host, hostBodySchema, addHost),
  call('PUT', '/hosts/:host/state', host, hostStateBodySchema, setHostState),
  call('PUT', '/hosts/:host/invitation', host, invitationBodySchema, inviteHost),
  call('GET', '/overview', none, noBody, showOverview),
  call('DELETE', '/hosts/:host', host, noBody, removeHost),
  // The domain is in the body, because paths are kept in the audit.
  call('GET', '/opt-outs', none, noBody, listOptOuts),
  call('PUT', '/opt-outs', none, optOutBodySchema, addOptOut),
  call('DELETE', '/opt-outs', none, optOutBodySchema, removeOptOut),
];
