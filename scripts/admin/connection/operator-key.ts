import * as z from 'zod';
import { operatorNameSchema } from '../../../schema/admin.ts';
import { privateJwkSchema } from '../../../schema/jwk.ts';
import { parseJson } from '../../../schema/parse-json.ts';
import type { Operator } from './client.ts';
import { readSecretFile } from '../keys/secret-file.ts';
import { UsageError } from '../../base/usage-error.ts';

/** An operator's key file: name and private key. The public key is in the secret OPERATOR_KEYS. */
export const operatorKeyFileSchema = z.object({ name: operatorNameSchema, privateKey: privateJwkSchema });

/** @throws UsageError that says what to do */
export async function readOperatorKey(path: string): Promise<Operator> {
  const text = await readSecretFile(
    path,
    'name your key with --operator-key, or generate one with operator-key NAME --out',
  );
  const parsed = operatorKeyFileSchema.safeParse(parseJson(text));
  if (!parsed.success)
    throw new UsageError(`${path} is not an operator key: generate one with operator-key NAME --out FILE`);
  return parsed.data;
}
