import * as z from 'zod';
import { evidenceSchema, hostNameSchema, type Outcome } from './evidence.ts';
import { MX_RECORDS_MAX } from './host-name.ts';
import { OUTCOMES } from './outcomes.ts';
import { HELD_AGAINST } from './words/fleet-troubles.ts';

// The frames between a Fleet object and a probe host: JSON text over one WebSocket that the host opens.
// Both sides check every frame against these schemas; an unknown version or type is dropped and counted, and a field that is
// not in the schema is passed over: edge and hosts are deployed one after the other.
// Keep-alive is outside the frames: the host sends the text 'ping' and the object's runtime answers 'pong'.

export const LINK_VERSION = 1;
export const PING = 'ping';
export const PONG = 'pong';
export const PING_EVERY_MS = 10_000;
export const SILENT_AFTER_MS = 25_000;
export const ACK_WITHIN_MS = 2_000;
export const REPORT_EVERY_MS = 10_000;
/** A host counts a job's time from receipt and ends this much before the edge does. */
export const HOST_ENDS_EARLIER_MS = 2_000;
/** Of a frame that the edge sends: 500 addresses of the greatest length, each character escaped, are less. */
export const FRAME_BYTES_MAX = 1_048_576;
/** Of a frame that a host sends. Evidence that would not fit goes out in several frames. */
export const REPORT_BYTES_MAX = 131_072;
/** Jobs that a process runs at once, and names in its hello. */
export const RUNNING_MAX = 1_000;
/** Addresses of all of them. A host that claims more draws no more jobs than one that runs as many. */
export const SLOTS_MAX = 20_000;
/** Types in the headers of the two tokens, so that neither can pass for the other. */
export const HOST_TOKEN_TYPE = 'rcpt-host+jwt';
export const JOB_TOKEN_TYPE = 'rcpt-job+jws';
/** How long a token is valid; clocks may differ by this much. */
export const TOKEN_MAX_AGE_S = 60;
/** Why the edge closes a link: WebSocket close codes of our own. */
export const CLOSE = {
  /** The same process has dialled in anew. */
  replaced: 4000,
  /** An operator has removed the host. */
  removed: 4001,
  /** Silent for too long. */
  silent: 4002,
  /** The host declares private routes and this edge is not a sandbox. */
  routes: 4003,
  /** The host's first frame was not a hello that this edge understands, or came too late. */
  hello: 4004,
  /** The host sent more than it had to say. */
  flood: 4005,
  /** The enrolment has more links than processes of it may run: the one that was silent for longest goes. */
  crowded: 4006,
} as const;

const v = z.literal(LINK_VERSION);
/** What the host's program calls itself. */
export const versionSchema = z.string().regex(/^[A-Za-z0-9][A-Za-z0-9.+-]{0,31}$/);
/** Batch id + attempt. */
const jobId = z.string().regex(/^[A-Za-z0-9-]{1,64}\.\d{1,3}$/);
const seed = z.string().regex(/^[A-Za-z0-9_-]{43}$/);
const instance = z.string().regex(/^[A-Za-z0-9_-]{16,64}$/);
/** An address's place in the job that names it. */
const index = z.int().min(0).max(499);
/** The last moment of the year 9999: beyond what `Date` can hold, a list of hosts could not be shown. */
const DATE_MAX_MS = 253_402_300_799_999;
const count = z.int().min(0).max(100_000);
/** A list that is counted before its items are looked at: to say what is wrong with 60,000 of them costs. */
const list = <T extends z.ZodType>(item: T, min: number, max: number) =>
  z.array(z.unknown()).min(min).max(max).pipe(z.array(item));
/** Evidence names its MX by a number: the addresses of a domain, and the domains of a provider, share them. */
const mxNumber = z.int().min(0).max(499);

/** Published MX host names as in evidence, under a number that the host chose. Repeated, the first holds. */
export const mxRowSchema = z.object({
  n: mxNumber,
  mx: z.array(hostNameSchema).max(MX_RECORDS_MAX),
  mxFound: evidenceSchema.shape.mxFound,
});
export type MxRow = z.infer<typeof mxRowSchema>;

/** The first digit of the only codes that these can have been made of (RFC 5321 §4.2.1): callers read both. */
function fitsItsCode(outcome: Outcome): boolean {
  const { digit } = OUTCOMES[outcome.kind];
  if (digit === null || !('reply' in outcome) || outcome.reply === null) return true;
  return Math.floor(outcome.reply.code / 100) === digit;
}

/** Evidence as it travels: `mx` is the number of a row that came before it, or with it. Opt-outs are not a host's to report. */
export const linkEvidenceSchema = evidenceSchema.omit({ mx: true, mxFound: true }).extend({
  mx: mxNumber,
  outcome: evidenceSchema.shape.outcome.refine((outcome) => !OUTCOMES[outcome.kind].byEdge && fitsItsCode(outcome)),
});
export type LinkEvidence = z.infer<typeof linkEvidenceSchema>;

/** What a job asks: one pair per address, local part as it goes on the wire and A-label domain (or literal). */
export const jobPayloadSchema = z.object({
  addresses: z
    .array(z.tuple([z.string().min(1).max(64), z.string().min(1).max(255)]))
    .min(1)
    .max(500),
});
export type JobPayload = z.infer<typeof jobPayloadSchema>;

/** The claims of the JWS that comes with every job; `payload` is the base64url SHA-256 of the payload's text. */
export const jobClaimsSchema = z.object({
  job: jobId,
  host: z.string().min(1).max(64),
  instance,
  iat: z.number(),
  /** Milliseconds left to the batch when the job was signed. */
  remainingMs: z.int().min(0).max(600_000),
  payload: z.string().regex(/^[A-Za-z0-9_-]{43}$/),
  /**
   * Whose batch it is, by a number that means nothing outside the object that signs: a host serves accounts in turn. It
   * stands here and not in the payload, so that an object that was reset asks for a job again by the same payload.
   */
  account: z.int().min(0).max(0xffff_ffff),
  /** What the names of made-up mailboxes are made with: the secret of the week of `iat`, then that of the week before. */
  seeds: z.tuple([seed, seed]),
});
export type JobClaims = z.infer<typeof jobClaimsSchema>;

/** Why a host does not take a job. */
const jobRefusalSchema = z.enum(['token', 'replay', 'draining', 'unhealthy', 'busy']);

/** Frames that the edge sends. */
export const toHostSchema = z.discriminatedUnion('type', [
  z.object({ v, type: z.literal('welcome'), draining: z.boolean() }),
  z.object({ v, type: z.literal('job'), token: z.string().max(2048), payload: z.string().max(FRAME_BYTES_MAX) }),
  z.object({ v, type: z.literal('cancel'), job: jobId }),
  z.object({ v, type: z.literal('drain'), draining: z.boolean() }),
  /** What a host must know of the edge, signed. */
  z.object({ v, type: z.literal('settings'), token: z.string().max(8_192) }),
]);
export type ToHost = z.infer<typeof toHostSchema>;

/** What a host's self-check asks for: a name that exists, one that does not, a mail server that greets, one that refuses a made-up mailbox. */
const canarySchema = z.enum(['name', 'missing', 'host', 'mailbox', 'resources']);
export type Canary = z.infer<typeof canarySchema>;

export const REFUSALS_MAX = 64;
/**
 * A large provider that says it blocks one of a host's addresses. `provider` is a name of our own and never a domain;
 * `egress` is the address's place in the hello.
 */
export const refusalSchema = z.object({
  provider: z.string().regex(/^[a-z0-9-]{1,32}$/),
  egress: z.int().min(0).max(63),
});
export type ProviderRefusal = Readonly<z.infer<typeof refusalSchema>>;

/**
 * What receivers hold against one of a host's addresses, beside refusals. `list` is a block list's name, as of a provider;
 * null: it is not about a list.
 */
export const egressTroubleSchema = refusalSchema.pick({ egress: true }).extend({
  what: z.enum(HELD_AGAINST),
  list: refusalSchema.shape.provider.nullable(),
});
export type EgressTrouble = Readonly<z.infer<typeof egressTroubleSchema>>;

/** How a host is. */
export const hostStatusSchema = z.object({
  draining: z.boolean(),
  healthy: z.boolean(),
  /** It has canaries for its resolver and its port 25, and has asked them. */
  checked: z.boolean(),
  /** What its self-check failed at. */
  failing: z.array(canarySchema).max(5),
  jobs: z.int().min(0).max(RUNNING_MAX),
  /** Mail servers' addresses that it leaves alone for now, counted at each of its own addresses. */
  cooling: count,
  /** Large providers that block it: one of our addresses is burned there. */
  refusals: list(refusalSchema, 0, REFUSALS_MAX),
  egressTroubles: list(egressTroubleSchema, 0, REFUSALS_MAX).default([]),
});
export type HostStatus = z.infer<typeof hostStatusSchema>;

/** Frames that a host sends. */
export const toEdgeSchema = z.discriminatedUnion('type', [
  z.object({
    v,
    type: z.literal('hello'),
    instance,
    /** Private routes are declared: only a sandbox edge takes such a host. */
    routes: z.boolean(),
    /** The addresses that receiving servers see, or 'default' if the system chooses. */
    egress: list(z.string().regex(/^(default|[0-9a-f.:]{2,45})$/), 1, 64),
    /** Jobs running, or just finished, from an earlier connection; their evidence follows again from the first address. */
    running: list(jobId, 0, RUNNING_MAX),
    healthy: z.boolean(),
    version: versionSchema,
    /** Addresses that it can run at once. */
    slots: count.transform((claimed) => Math.min(claimed, SLOTS_MAX)),
    /** When the process started, milliseconds since 1970 by its own clock: of two of one enrolment the newer gets the new jobs. */
    startedAt: z.int().min(0).max(DATE_MAX_MS),
  }),
  z.object({ v, type: z.literal('ack'), job: jobId }),
  z.object({ v, type: z.literal('refuse'), job: jobId, why: jobRefusalSchema }),
  z.object({
    v,
    type: z.literal('evidence'),
    job: jobId,
    mx: list(mxRowSchema, 0, 500),
    items: list(z.object({ index, evidence: linkEvidenceSchema }), 1, 500),
  }),
  /** The job still runs. */
  z.object({ v, type: z.literal('alive'), job: jobId }),
  /** The job ended without evidence of all its addresses; one of which all is known has ended by itself. */
  z.object({ v, type: z.literal('done'), job: jobId }),
  hostStatusSchema.extend({ v, type: z.literal('status') }),
]);
export type ToEdge = z.infer<typeof toEdgeSchema>;
/** What a host says of a job while its batch runs. */
export type JobFrame = Extract<ToEdge, { job: string }>;
