import type { KeyKind } from '../../schema/words/stored.ts';
import { type Config, FORM_KEY_PREFIX, FORM_TEST_KEY_PREFIX, PAGE_KEY_PREFIX } from '../base/config.ts';
import { accountPartOf, BASE62, STEM_LENGTH, tagOf } from './key.ts';

/** What a page's key says of its holder, behind the account's part. */
export const HOLDER_LENGTH = 6;

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

/** What a key of a kind begins with. */
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

/** Whose key it is. `database`: the number of the one that the account is in. */
type Owner = { readonly accountId: string; readonly database: number };

/** A new API key, its tag made with the first secret. By the account's part all keys of an account are counted together. */
export function mintKey(config: Form, owner: Owner, kind: Exclude<KeyKind, 'page'> = 'live'): Promise<string> {
  return draw(config, prefixOf(kind, config), '', owner);
}

/**
 * A new key for the pages' own calls: one person's have the same characters behind the account's, by which they are
 * counted, so that a fresh key is no fresh allowance. 95 random bits remain.
 */
export async function mintPageKey(config: Form, owner: Owner, personId: string): Promise<string> {
  const holder = await tagOf(`holder:${personId}`, firstSecret(config));
  return draw(config, PAGE_KEY_PREFIX, holder.slice(0, HOLDER_LENGTH), owner);
}

async function draw(config: Form, prefix: string, holder: string, { accountId, database }: Owner): Promise<string> {
  const known = (await accountPartOf(accountId, database)) + holder;
  const stem = prefix + known + randomBase62(STEM_LENGTH - known.length);
  return stem + (await tagOf(stem, firstSecret(config)));
}

function firstSecret({ KEY_SECRETS }: Form): string {
  const [secret] = KEY_SECRETS;
  if (secret === undefined) throw new Error('KEY_SECRETS is empty');
  return secret;
}
