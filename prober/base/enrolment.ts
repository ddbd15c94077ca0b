import { readFileSync, statSync } from 'node:fs';
import { dirname, resolve } from 'node:path';
import { type Enrolment, enrolmentSchema } from '../../schema/enrolment.ts';
import { parseJson } from '../../schema/parse-json.ts';
import { ConfigError } from './config-error.ts';
import { readKept } from './settings-file.ts';

/** Any other user that may read the key can impersonate this host. */
const OTHERS = 0o077;
/** systemd passes a credential of a dynamic user as 0440, in a folder that no one else can enter (systemd#29435). */
const OTHERS_OF_A_CREDENTIAL = 0o037;

type Variables = Readonly<Record<string, string | undefined>>;

/** The enrolment at a path, with what the host has since learnt about its edge. @throws ConfigError */
export function readEnrolment(path: string, env: Variables): Enrolment {
  const enrolment = enrolmentSchema.safeParse(parseJson(readText(path, env)));
  if (!enrolment.success)
    throw new ConfigError(
      `ENROLMENT: ${path} is damaged or not an enrolment file; invite the host and join again, or run \`admin host add\``,
    );
  return { ...enrolment.data, ...readKept(enrolment.data, path, env) };
}

function readText(path: string, env: Variables): string {
  try {
    const isCredential = dirname(resolve(path)) === env['CREDENTIALS_DIRECTORY'];
    if ((statSync(path).mode & (isCredential ? OTHERS_OF_A_CREDENTIAL : OTHERS)) !== 0)
      throw new ConfigError(`ENROLMENT: other users can read ${path}; run chmod 600 on it`);
    return readFileSync(path, 'utf8');
  } catch (error) {
    if (error instanceof ConfigError) throw error;
    const code = error instanceof Error && 'code' in error ? error.code : null;
    if (code === 'EACCES')
      throw new ConfigError(`ENROLMENT: this user cannot read ${path}; run as its owner, or chown the file`);
    throw new ConfigError(`ENROLMENT: cannot read ${path}; run join, or copy the file that \`admin host add\` wrote`);
  }
}
