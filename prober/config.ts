import { readFileSync, statSync } from 'node:fs';
import { isIP } from 'node:net';
import ipaddr from 'ipaddr.js';
import * as z from 'zod';
import { hostNameSchema } from '../schema/evidence.ts';
import { type Enrolment, enrolmentSchema } from '../schema/enrolment.ts';
import { parseJson } from '../schema/parse-json.ts';
import { DEFAULTS, type Egress, type EngineSettings } from './engine/ports/settings.ts';
import type { Canaries } from './health/canaries.ts';
import { ownHelo } from './own-helo.ts';

// A host's environment and enrolment file, parsed once: nothing else reads either.

export type Config = {
  readonly enrolment: Enrolment;
  readonly settings: EngineSettings;
  /** Resolvers, `IP:PORT`; empty: the system's. */
  readonly dns: readonly string[];
  /** Zones with a server of their own, `IP:PORT`. */
  readonly stubs: ReadonlyArray<{ readonly zone: string; readonly server: string }>;
  readonly canaries: Canaries;
};

/** What is wrong with the environment, in words for the one who can mend it. */
export class ConfigError extends Error {
  override readonly name = 'ConfigError';
}

const DNS_PORT = 53;
const PORT_MAX = 65_535;

const ip = z
  .string()
  .refine((text) => isIP(text) !== 0, 'is no IP address')
  .transform((text) => text.toLowerCase());
const name = z
  .string()
  .transform((text) => text.toLowerCase().replace(/\.$/, ''))
  .pipe(hostNameSchema);
const fqdn = name.refine((text) => text.includes('.'), 'must be a full domain name');

/** `IP`, `IP:PORT` or `[IPv6]:PORT`; always with its port afterwards. */
const server = z.string().transform((text, context): string => {
  const match = /^(?:\[([0-9a-f:.]+)\]|([0-9.]+))(?::(\d{1,5}))?$/i.exec(text);
  const address = match?.[1] ?? match?.[2] ?? text;
  const port = Number(match?.[3] ?? DNS_PORT);
  if (isIP(address) !== 0 && port >= 1 && port <= PORT_MAX) {
    return address.includes(':') ? `[${address}]:${port}` : `${address}:${port}`;
  }
  context.addIssue({ code: 'custom', message: `${text} is no IP:PORT` });
  return z.NEVER;
});

/** A comma-separated list of `LEFT=RIGHT`. */
function pairs<L, R>(left: z.ZodType<L, string>, right: z.ZodType<R, string>, form: string) {
  return items(
    z
      .string()
      .transform((text) => text.split('='))
      .pipe(z.tuple([z.string(), z.string()], `must be a list of ${form}`))
      .pipe(z.tuple([left, right])),
  );
}

function items<T>(item: z.ZodType<T, string>) {
  return z
    .string()
    .transform((text) => text.split(',').map((part) => part.trim()))
    .pipe(z.array(item).min(1).max(64));
}

/** Loopback and RFC 1918 only: nothing that a stranger's DNS could point us at. */
const ROUTABLE_BY_DECLARATION = ['127.0.0.0/8', '10.0.0.0/8', '172.16.0.0/12', '192.168.0.0/16', '::1/128'];
const cidr = z
  .string()
  .refine(isPrivateRange, 'must be a range of loopback or RFC 1918 addresses, such as 127.0.0.0/8');
const port = z
  .string()
  .regex(/^\d{1,5}$/, 'is no port')
  .transform(Number)
  .pipe(z.int().min(1).max(PORT_MAX));

const envSchema = z.object({
  ENROLMENT: z.string('is missing: the path of the file that `admin host add` wrote'),
  EGRESS: pairs(ip, fqdn, 'IP=HELO').optional(),
  MAIL_FROM: z
    .string()
    .max(254)
    .regex(/^[a-z0-9._+=-]{1,64}@[a-z0-9.-]+$/i, 'must be an address, such as verify@probe.example')
    .optional(),
  DNS: items(server).default([]),
  STUB: pairs(name, server, 'ZONE=IP:PORT').default([]),
  ROUTE: pairs(cidr, port, 'CIDR=PORT').default([]),
  SANDBOX: z.enum(['', '0', '1'], 'must be 1 or 0').default(''),
  STARTTLS: z.enum(['when_demanded', 'always'], 'must be when_demanded or always').default('when_demanded'),
  CANARY_NAME: name.optional(),
  CANARY_MISSING: name.optional(),
  CANARY_HOST: name.optional(),
});
type Settings = z.infer<typeof envSchema>;

/**
 * Reads what the environment says; an empty variable is as good as none.
 * @throws ConfigError that names everything that is wrong
 */
export function readConfig(env: Readonly<Record<string, string | undefined>>): Config {
  const given = Object.fromEntries(Object.entries(env).filter(([, value]) => value !== ''));
  const parsed = envSchema.safeParse(given);
  if (!parsed.success) {
    throw new ConfigError(parsed.error.issues.map((issue) => `${String(issue.path[0])}: ${issue.message}`).join('; '));
  }
  const values = parsed.data;
  if (values.ROUTE.length > 0 && values.SANDBOX !== '1') {
    throw new ConfigError('ROUTE: private routes are for sandboxes; set SANDBOX=1 too, or unset ROUTE');
  }
  return {
    enrolment: readEnrolment(values.ENROLMENT),
    settings: toSettings(values),
    dns: values.DNS,
    stubs: values.STUB.map(([zone, at]) => ({ zone, server: at })),
    canaries: {
      name: values.CANARY_NAME ?? null,
      missing: values.CANARY_MISSING ?? null,
      host: values.CANARY_HOST ?? null,
    },
  };
}

function toSettings(values: Settings): EngineSettings {
  const [first, ...others] = (values.EGRESS ?? []).map(([address, heloName]): Egress => ({ ip: address, heloName }));
  const own = ownHelo();
  const egress = first ?? { ip: null, heloName: own.heloName };
  return {
    ...DEFAULTS,
    egress: [egress, ...others],
    mailFrom: values.MAIL_FROM?.toLowerCase() ?? `verify@${first?.heloName ?? own.mailDomain}`,
    routes: values.ROUTE.map(([range, to]) => ({ cidr: range, port: to })),
    startTls: values.STARTTLS,
  };
}

function readEnrolment(path: string): Enrolment {
  let text: string;
  try {
    // Whoever can read the key can be this host.
    if ((statSync(path).mode & 0o077) !== 0) throw new ConfigError(`ENROLMENT: others can read ${path}; chmod 600 it`);
    text = readFileSync(path, 'utf8');
  } catch (error) {
    if (error instanceof ConfigError) throw error;
    throw new ConfigError(`ENROLMENT: cannot read ${path}; it is the file that \`admin host add\` wrote`);
  }
  const enrolment = enrolmentSchema.safeParse(parseJson(text));
  if (enrolment.success) return enrolment.data;
  throw new ConfigError(`ENROLMENT: ${path} is no enrolment file; enrol the host again with \`admin host add\``);
}

function isPrivateRange(text: string): boolean {
  if (!ipaddr.isValidCIDR(text)) return false;
  const [address, bits] = ipaddr.parseCIDR(text);
  return ROUTABLE_BY_DECLARATION.some((range) => {
    const [base, width] = ipaddr.parseCIDR(range);
    return address.kind() === base.kind() && bits >= width && address.match(base, width);
  });
}
