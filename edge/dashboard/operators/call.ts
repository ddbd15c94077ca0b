import { Trouble } from '../session/api.ts';
import { type OperatorKey, signCall } from './key.ts';

const ROOT = '/admin/v1';

/**
 * Makes one call of the operator's API, signed here. It is typed by the file that the Worker proves it with.
 * @param path below the API's root
 * @throws Trouble
 */
export async function callAdmin<Answer>(key: OperatorKey, path: string): Promise<Answer> {
  const token = await signCall(key, ROOT + path);
  const response = await fetch(ROOT + path, {
    headers: { authorization: `Bearer ${token}` },
    credentials: 'omit',
    redirect: 'error',
  }).catch(() => {
    throw new Trouble(navigator.onLine ? 'The service cannot be reached right now.' : 'You are offline.');
  });
  if (response.ok) return response.json();
  const body: unknown = await response.json().catch(() => null);
  const said = typeof body === 'object' && body !== null && 'error' in body ? String(body.error) : 'The call failed.';
  throw new Trouble(said, response.status);
}
