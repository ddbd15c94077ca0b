import { Failure } from '../failure/failure.ts';
import { several } from '../words/words.ts';
import type { Environment } from '../environment/environment.ts';
import { type Connection, clientOf } from './connection.ts';

/** What stands for a key on the page that lists them: its kind, and its last four characters. */
export function shownKey(key: string): string {
  const kind = /^[a-z]+_[a-z]+_/.exec(key)?.[0] ?? '';
  return `${kind}…${key.length - kind.length < 20 ? '' : key.slice(-4)}`;
}

/**
 * Says in one glance which service is used, as whom, and what is left. Each line is written as it is known, so that a
 * failure is read below what still holds.
 * @throws Failure; RcptError
 */
export async function tellStatus(connection: Connection, isJson: boolean, environment: Environment): Promise<void> {
  const { url, apiKey } = connection;
  const key = shownKey(apiKey);
  const say = (text: string): unknown => !isJson && environment.output.write(text);
  say(`Service  ${url}\nKey      ${key}\n`);
  const credits = await clientOf(connection, environment, 'quick').credits({ signal: environment.stop });
  say(`Answer   the service is reached, and accepts the key\nBalance  ${several(credits, 'credit')}\n`);
  if (isJson) environment.output.write(`${JSON.stringify({ url, key, credits })}\n`);
  if (credits === 0 && !/^[a-z]+_test_/.test(apiKey))
    throw new Failure('credits', 'Nothing can be verified: the account has no credits, or they have expired.');
}
