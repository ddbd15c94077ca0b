import type { KeyKind } from '../../schema/words/stored.ts';
import { type Config, FORM_KEY_PREFIX, FORM_TEST_KEY_PREFIX, PAGE_KEY_PREFIX } from '../base/config.ts';
import { accountPartOf, BASE62, STEM_LENGTH, tagOf } from './key.ts';

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

type Form = Pick<Config, 'KEY_PREFIX' | 'TEST_KEY_PREFIX' | 'KEY_SECRETS'>;

export function prefixOf(kind: KeyKind, config: Pick<Form, 'KEY_PREFIX' | 'TEST_KEY_PREFIX'>): string {
  switch (kind) {
    case 'live':
      return config.KEY_PREFIX;
    case 'test':
      return config.TEST_KEY_PREFIX;
    case 'page':
      return PAGE_KEY_PREFIX;
    case 'form':
      return FORM_KEY_PREFIX;
    case 'formtest':
      return FORM_TEST_KEY_PREFIX;
  }
}

/** The owner of a key. `database`: the number of the one that its account is in. */
type Owner = { readonly accountId: string; readonly database: number };

/**
 * A new API key, its tag made with the first secret. The account's part lets all keys of an account be counted
 * together.
 */
export async function mintKey(config: Form, { accountId, database }: Owner, kind: KeyKind = 'live'): Promise<string> {
  const [secret] = config.KEY_SECRETS;
  if (secret === undefined) throw new Error('KEY_SECRETS is empty');
  const account = await accountPartOf(accountId, database);
  const stem = prefixOf(kind, config) + account + randomBase62(STEM_LENGTH - account.length);
  return stem + (await tagOf(stem, secret));
}
