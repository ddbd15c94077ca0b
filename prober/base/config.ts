import * as z from 'zod';
import type { Enrolment } from '../../schema/enrolment.ts';
import { ConfigError } from './config-error.ts';
import { readEnrolment } from './enrolment.ts';
import { DEFAULTS, type EngineSettings } from '../engine/ports/settings.ts';
import { BUILT_IN_CANARIES, type Canaries, NO_CANARIES } from './canaries.ts';
import {
  type Parsed,
  parseEgresses,
  parseHostNames,
  parseMailboxes,
  parseMailFrom,
  parseRoutes,
  parseServers,
  parseStubs,
  type Stub,
} from './options.ts';
import { ownHelo } from './own-helo.ts';

// A host's environment and enrolment file, parsed once: nothing else reads either.

export type Config = Settings & { readonly enrolment: Enrolment };

export type Settings = {
  readonly enrolmentFile: string;
  readonly settings: EngineSettings;
  /** Resolvers, `IP:PORT`; empty: the system's. */
  readonly dns: readonly string[];
  /** Zones with a server of their own, `IP:PORT`. */
  readonly stubs: readonly Stub[];
  readonly canaries: Canaries;
  /** Where metrics are served, on 127.0.0.1; null: nowhere. */
  readonly metricsPort: number | null;
  /** Which parts of the host's identity towards receivers had to be made up. */
  readonly undeclared: readonly ('EGRESS' | 'MAIL_FROM')[];
};

/** A variable in the operator's option syntax. */
function inForm<T>(parse: (text: string) => Parsed<T>) {
  return z.string().transform((text, context): T => {
    const parsed = parse(text);
    if (parsed.ok) return parsed.value;
    context.addIssue({ code: 'custom', message: parsed.problem });
    return z.NEVER;
  });
}

const A_PORT = 'must be a port of this machine, 1 to 65535';
const portVariable = z
  .string()
  .regex(/^\d{1,5}$/, A_PORT)
  .transform(Number)
  .pipe(z.int().min(1, A_PORT).max(65_535, A_PORT));

const envSchema = z.object({
  ENROLMENT: z.string('is missing: set it to the path of the file that `join` or `admin host add` wrote'),
  EGRESS: inForm(parseEgresses).default([]),
  MAIL_FROM: inForm(parseMailFrom).optional(),
  DNS: inForm(parseServers).default([]),
  STUB: inForm(parseStubs).default([]),
  ROUTE: inForm(parseRoutes).default([]),
  SANDBOX: z.enum(['', '0', '1'], 'must be 1 or 0').default(''),
  STARTTLS: z.enum(['when_demanded', 'always'], 'must be when_demanded or always').default('when_demanded'),
  CANARY_NAME: inForm(parseHostNames).optional(),
  CANARY_MISSING: inForm(parseHostNames).optional(),
  CANARY_HOST: inForm(parseHostNames).optional(),
  CANARY_MAILBOX: inForm(parseMailboxes).optional(),
  METRICS_PORT: portVariable.optional(),
});
type Values = z.infer<typeof envSchema>;
export const VARIABLES: readonly string[] = Object.keys(envSchema.shape);

type Variables = Readonly<Record<string, string | undefined>>;

/** An empty variable counts as missing. @throws ConfigError that names everything that is wrong */
function readVariables(env: Variables): Values {
  const parsed = envSchema.safeParse(Object.fromEntries(Object.entries(env).filter(([, value]) => value !== '')));
  if (parsed.success) return parsed.data;
  throw new ConfigError(parsed.error.issues.map((issue) => `${String(issue.path[0])}: ${issue.message}`).join('; '));
}

/** @throws ConfigError */
export function readConfig(env: Variables): Config {
  const settings = readSettings(env);
  return { ...settings, enrolment: readEnrolment(settings.enrolmentFile, env) };
}

/** All but the enrolment: a machine has its settings before it joins. @throws ConfigError */
export function readSettings(env: Variables): Settings {
  const values = readVariables(env);
  if (values.ROUTE.length > 0 && values.SANDBOX !== '1') {
    throw new ConfigError('ROUTE: private routes are allowed in sandboxes only; set SANDBOX=1 too, or unset ROUTE');
  }
  const settings = toSettings(values);
  return {
    enrolmentFile: values.ENROLMENT,
    settings,
    dns: values.DNS,
    stubs: values.STUB,
    canaries: toCanaries(values, settings.mailFrom),
    undeclared: undeclaredIn(values),
    metricsPort: values.METRICS_PORT ?? null,
  };
}

/** In a sandbox, receivers look at neither. */
function undeclaredIn({ SANDBOX, EGRESS, MAIL_FROM }: Values): Settings['undeclared'] {
  if (SANDBOX === '1') return [];
  return [
    ...(EGRESS.length === 0 ? (['EGRESS'] as const) : []),
    ...(MAIL_FROM === undefined ? (['MAIL_FROM'] as const) : []),
  ];
}

/** Given lists replace the built-in ones; a sandbox has none. Every mail domain has a postmaster (RFC 5321 §4.5.1). */
function toCanaries(values: Values, mailFrom: string): Canaries {
  const postmaster = `postmaster@${mailFrom.slice(mailFrom.lastIndexOf('@') + 1)}`;
  const { name, missing, host, refusing, mailbox } =
    values.SANDBOX === '1' ? NO_CANARIES : { ...BUILT_IN_CANARIES, mailbox: [postmaster] };
  return {
    name: values.CANARY_NAME ?? name,
    missing: values.CANARY_MISSING ?? missing,
    host: values.CANARY_HOST ?? host,
    refusing,
    mailbox: values.CANARY_MAILBOX ?? mailbox,
  };
}

function toSettings(values: Values): EngineSettings {
  const own = ownHelo();
  const [first, ...others] = values.EGRESS;
  return {
    ...DEFAULTS,
    egress: [first ?? { ip: null, heloName: own.heloName }, ...others],
    mailFrom: values.MAIL_FROM ?? `verify@${first?.heloName ?? own.mailDomain}`,
    routes: values.ROUTE,
    startTls: values.STARTTLS,
  };
}
