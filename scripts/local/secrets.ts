import { createHash, randomBytes } from 'node:crypto';
import { join } from 'node:path';
import * as z from 'zod';
import { privateJwkSchema, publicHalf } from '../../schema/jwk.ts';
import type { Operator } from '../admin/connection/client.ts';
import { newKeyPair } from '../admin/keys/key-pair.ts';
import { operatorKeyFileSchema } from '../admin/connection/operator-key.ts';
import { readStateFile, writeStateFile } from './state-file.ts';

const secretsSchema = z.object({ keySecret: z.string().min(32), edgeKey: privateJwkSchema });

type LocalSecrets = {
  readonly operator: Operator;
  /** Path of the operator's key, for `admin --operator-key`. */
  readonly operatorKeyFile: string;
  /** The Worker's secrets, as it reads them. */
  readonly variables: Readonly<
    Record<'KEY_SECRETS' | 'OPERATOR_KEYS' | 'EDGE_SIGNING_KEY' | 'OPT_OUT_SECRET' | 'WELCOME_SECRET', string>
  >;
};

/** The secrets of a local service: made at its first start and kept. */
export async function readSecrets(folder: string): Promise<LocalSecrets> {
  const operatorKeyFile = join(folder, 'operator.json');
  const operator = await remembered(operatorKeyFile, operatorKeyFileSchema, async () => ({
    name: 'local',
    privateKey: await newKeyPair(),
  }));
  const { keySecret, edgeKey } = await remembered(join(folder, 'secrets.json'), secretsSchema, async () => ({
    keySecret: randomBytes(32).toString('base64url'),
    edgeKey: await newKeyPair(),
  }));
  const derive = (what: string): string => createHash('sha256').update(`${what} ${keySecret}`).digest('base64url');
  return {
    operator,
    operatorKeyFile,
    variables: {
      KEY_SECRETS: keySecret,
      OPERATOR_KEYS: JSON.stringify({ [operator.name]: publicHalf(operator.privateKey) }),
      EDGE_SIGNING_KEY: JSON.stringify(edgeKey),
      OPT_OUT_SECRET: derive('opt-out'),
      WELCOME_SECRET: derive('welcome'),
    },
  };
}

async function remembered<T extends object>(path: string, schema: z.ZodType<T>, make: () => Promise<T>): Promise<T> {
  const known = await readStateFile(path, schema);
  if (known !== null) return known;
  const made = await make();
  await writeStateFile(path, made);
  return made;
}
