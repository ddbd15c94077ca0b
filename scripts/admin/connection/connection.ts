import type { Command } from 'commander';
import * as z from 'zod';
import { type AdminApi, adminApi } from './api.ts';
import type { Connection } from './client.ts';
import { readOperatorKey } from './operator-key.ts';
import { isThisMachine } from '../../base/this-machine.ts';
import { checked, UsageError } from '../../base/usage-error.ts';

export const DEFAULT_URL = 'http://127.0.0.1:8787';
export const DEFAULT_OPERATOR_KEY = '.local/operator.json';

/** The options that every command takes. */
export const globalOptionsSchema = z.object({
  url: z.string().default(DEFAULT_URL),
  operatorKey: z.string().min(1).default(DEFAULT_OPERATOR_KEY),
  json: z.boolean().default(false),
});

/** The deployment's origin. Plain HTTP only on this machine: answers carry new API keys. @throws UsageError */
export function readOrigin(text: string): string {
  const url = URL.parse(text);
  const isHttp = url?.protocol === 'http:' || url?.protocol === 'https:';
  if (url === null || !isHttp || url.username !== '' || url.pathname !== '/' || url.search !== '' || url.hash !== '')
    throw new UsageError('--url must have a scheme, a name and a port only, as in https://verify.example.com');
  if (url.protocol === 'http:' && !isThisMachine(url))
    throw new UsageError('--url must be https: plain http is allowed on this machine only');
  return url.origin;
}

/** Whom to call and as whom, from a command's options. @throws UsageError */
export async function connectionOf(command: Command): Promise<Connection> {
  const options = checked(globalOptionsSchema, command.optsWithGlobals(), 'options');
  return { origin: readOrigin(options.url), operator: await readOperatorKey(options.operatorKey) };
}

/** The operator's API, as the command's options name it. @throws UsageError */
export async function apiOf(command: Command): Promise<AdminApi> {
  return adminApi(await connectionOf(command));
}
