import * as z from 'zod';
import { parseAddress } from '../../../schema/address.ts';
import { portVariable, readVariables } from '../../base/config.ts';
import { ConfigError } from '../../base/config-error.ts';
import { parseEgresses, parseMailFrom } from '../../base/options.ts';
import { type ContactFacts, contactPageOf } from './contact-page.ts';
import { serveContactPage } from './serve.ts';

const envSchema = z.object({
  PAGE_OPERATOR: z
    .string('is missing: who is responsible for this machine, such as Example GmbH, Berlin')
    .regex(/^[^\p{Cc}]{1,200}$/u, 'must be one line of at most 200 characters'),
  PAGE_CONTACT: z
    .string('is missing: the address for opt-outs and complaints, such as postmaster@example.com')
    .refine((text) => parseAddress(text)?.domainKind === 'name', 'must be an email address'),
  PAGE_PORT: portVariable.default(80),
  EGRESS: z.string().default(''),
  MAIL_FROM: z.string().default(''),
});

/** The names of all variables that the page reads. */
export const PAGE_VARIABLES: readonly string[] = Object.keys(envSchema.shape);

type Variables = Readonly<Record<string, string | undefined>>;

/**
 * What the environment says of the page.
 * @throws ConfigError that names everything that is wrong
 */
export function readContactConfig(env: Variables): { readonly facts: ContactFacts; readonly port: number } {
  const { PAGE_OPERATOR, PAGE_CONTACT, PAGE_PORT, EGRESS, MAIL_FROM } = readVariables(envSchema, env);
  // The host itself refuses these two if they are wrong; the page then does without.
  const egresses = parseEgresses(EGRESS);
  const names = EGRESS !== '' && egresses.ok ? egresses.value.map(({ heloName }) => heloName) : [];
  const mailFrom = MAIL_FROM !== '' && parseMailFrom(MAIL_FROM).ok ? MAIL_FROM : null;
  return { facts: { operator: PAGE_OPERATOR, contact: PAGE_CONTACT, names, mailFrom }, port: PAGE_PORT };
}

/**
 * Serves the page until a signal ends the process.
 * @returns the port
 * @throws ConfigError if it cannot be had
 */
export async function contactPageCommand(env: Variables): Promise<number> {
  const { facts, port } = readContactConfig(env);
  const served = await serveContactPage(contactPageOf(facts), port);
  if ('failed' in served)
    throw new ConfigError(`PAGE_PORT: cannot listen on ${port} (${served.failed}); free the port, or choose another`);
  return served.port;
}
