import type { KeyKind } from '../../schema/words/stored.ts';
import { type Config, PAGE_KEY_PREFIX } from '../base/config.ts';
import { drawnFor } from '../base/databases.ts';
import { BASE62, hashKey, RANDOM_LENGTH, tagOf } from './key.ts';

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
  }
}

/**
 * A new API key: prefix, 30 random characters (174 bits) and the tag of both, made with the first secret.
 * @param database the number of the one that its account is in: the key is drawn until its hash says so
 */
export function mintKey(config: Form, kind: Exclude<KeyKind, 'page'> = 'live', database = 0): Promise<string> {
  return draw(config, () => prefixOf(kind, config) + randomBase62(RANDOM_LENGTH), database);
}

/**
 * A new key for the pages' own calls. Of its random part the first characters are always the same for one holder: by
 * them its calls are counted, so that a fresh key is no fresh allowance. 126 random bits remain.
 * @param holder who may be counted as one
 * @param database as for `mintKey`
 */
export async function mintPageKey(config: Form, holder: string, database = 0): Promise<string> {
  const counted = await tagOf(`holder:${holder}`, firstSecret(config));
  return draw(config, () => PAGE_KEY_PREFIX + counted + randomBase62(RANDOM_LENGTH - counted.length), database);
}

/** One key in sixteen is drawn for a database. */
async function draw(config: Form, stemOf: () => string, database: number): Promise<string> {
  const secret = firstSecret(config);
  for (;;) {
    const stem = stemOf();
    const key = stem + (await tagOf(stem, secret));
    if (drawnFor(await hashKey(key)) === database) return key;
  }
}

function firstSecret({ KEY_SECRETS }: Form): string {
  const [secret] = KEY_SECRETS;
  if (secret === undefined) throw new Error('KEY_SECRETS is empty');
  return secret;
}
