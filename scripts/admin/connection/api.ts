import { randomBytes } from 'node:crypto';
import type * as z from 'zod';
import {
  accountSchema,
  accountsSchema,
  type correctionBodySchema,
  deletedKeySchema,
  enrolledSchema,
  grantSchema,
  hostsSchema,
  hostStateSchema,
  invitedSchema,
  type capsSchema,
  newKeySchema,
  optOutSchema,
  optOutsSchema,
  ordersSchema,
  overviewSchema,
  ownerSchema,
  removedOptOutSchema,
  statementSchema,
} from '../../../schema/admin.ts';
import { ORDER_FILTERS } from '../../../schema/words/stored.ts';
import type { PublicJwk } from '../../../schema/jwk.ts';
import { type AdminRequest, callAdmin, type Connection } from './client.ts';

/** An id for a new account or key, made here so that a call whose answer was lost can be repeated. */
export function newId(kind: 'acc' | 'key' | 'grant' | 'correction'): string {
  return `${kind}_${randomBytes(10).toString('hex')}`;
}

function newNonce(): string {
  return randomBytes(16).toString('base64url');
}

type AccountsPage = {
  readonly limit: number;
  readonly after?: string | undefined;
  readonly search?: string | undefined;
};
type OrdersPage = {
  readonly limit: number;
  readonly account?: string | undefined;
  readonly state?: (typeof ORDER_FILTERS)[number] | undefined;
  readonly before?: string | undefined;
};

function queryOf(parameters: Readonly<Record<string, string | number | undefined>>): string {
  const query = new URLSearchParams();
  for (const [name, value] of Object.entries(parameters)) if (value !== undefined) query.set(name, String(value));
  return query.toString();
}

/** The operator's API as functions. Ids go into paths: check them with the schemas of `schema/admin.ts` before. */
export function adminApi(connection: Connection) {
  const call = <T>(method: AdminRequest['method'], path: string, schema: z.ZodType<T>, body?: object): Promise<T> =>
    callAdmin(connection, { method, path, ...(body === undefined ? {} : { body }) }, schema);
  return {
    createAccount: (id: string, name: string) => call('PUT', `/accounts/${id}`, accountSchema, { name }),
    listAccounts: (page: AccountsPage) => call('GET', `/accounts?${queryOf(page)}`, accountsSchema),
    listOrders: (page: OrdersPage) => call('GET', `/orders?${queryOf(page)}`, ordersSchema),
    showAccount: (id: string) => call('GET', `/accounts/${id}`, accountSchema),
    setOwner: (id: string, email: string) => call('PUT', `/accounts/${id}/owner`, ownerSchema, { email }),
    statement: (id: string, limit: number, before: string | undefined) => {
      return call('GET', `/accounts/${id}/ledger?${queryOf({ limit, before })}`, statementSchema);
    },
    createKey: (id: string, accountId: string, label: string, caps?: z.infer<typeof capsSchema>) =>
      call('PUT', `/keys/${id}`, newKeySchema, { accountId, label, caps }),
    deleteKey: (id: string) => call('DELETE', `/keys/${id}`, deletedKeySchema),
    grant: (accountId: string, purchaseId: string, credits: number) =>
      call('PUT', `/accounts/${accountId}/grants/${purchaseId}`, grantSchema, { credits }),
    correct: (accountId: string, correctionId: string, body: z.infer<typeof correctionBodySchema>) =>
      call('PUT', `/accounts/${accountId}/corrections/${correctionId}`, grantSchema, body),
    listHosts: () => call('GET', '/hosts', hostsSchema),
    addHost: (id: string, publicKey: PublicJwk) => call('PUT', `/hosts/${id}`, enrolledSchema, { publicKey }),
    inviteHost: (id: string, hash: string, again: boolean) =>
      call('PUT', `/hosts/${id}/invitation`, invitedSchema, again ? { hash, again } : { hash }),
    setHostState: (id: string, state: 'active' | 'draining') =>
      call('PUT', `/hosts/${id}/state`, hostStateSchema, { state }),
    removeHost: (id: string) => call('DELETE', `/hosts/${id}`, hostStateSchema),
    showOverview: () => call('GET', '/overview', overviewSchema),
    listOptOuts: () => call('GET', '/opt-outs', optOutsSchema),
    addOptOut: (domain: string) => call('PUT', '/opt-outs', optOutSchema, { domain, nonce: newNonce() }),
    removeOptOut: (domain: string) => call('DELETE', '/opt-outs', removedOptOutSchema, { domain, nonce: newNonce() }),
  };
}
export type AdminApi = ReturnType<typeof adminApi>;
