import type { Config } from '../config.ts';
import { BASE62, RANDOM_LENGTH, tagOf } from './key.ts';

/** The largest multiple of 62 in a byte: values from here on would favour the first letters and are drawn again. */
const FAIR_BELOW = 248;

/** `length` letters and digits, each equally likely (5.95 bits apiece). */
export function randomBase62(length: number): string {
  let text = '';
  while (text.length < length) {
    const bytes = crypto.getRandomValues(new Uint8Array(length));
    text += Array.from(bytes, (byte) => (byte < FAIR_BELOW ? BASE62.charAt(byte % BASE62.length) : '')).join('');
  }
  return text.slice(0, length);
}

/** A new API key: prefix, 30 random characters (178 bits) and the tag of both, made with the first secret. */
export async function mintKey(config: Pick<Config, 'KEY_PREFIX' | 'KEY_SECRETS'>): Promise<string> {
  const [secret] = config.KEY_SECRETS;
  if (secret === undefined) throw new Error('KEY_SECRETS is empty');
  const stem = config.KEY_PREFIX + randomBase62(RANDOM_LENGTH);
  return stem + (await tagOf(stem, secret));
}
