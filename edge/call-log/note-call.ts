import type { Bearer } from '../access/known-keys.ts';
import { homeOf } from '../access/key-home.ts';
import type { Call } from '../base/call.ts';
import { describe, log } from '../base/log.ts';
import { pause } from '../base/pause.ts';
import type { CallRing } from '../../schema/words/stored.ts';
import { keepCalls, type RingCall, type RingName } from './ring.ts';

// Calls that held no credits are collected in the isolate and written once a second and ring, after their answers. So a
// flood of refusals costs D1 one row a second, and a lost isolate loses what it had collected. Only issued keys come
// here: nobody can choose the name of a ring.

const TOGETHER_MS = 1_000;
const LOST_AFTER_MS = 30_000;
/** Of one second, that are kept one by one. From there on, those alike are counted. */
const APART_MAX = 20;
/** Of one second. */
const NOTED_MAX = 100;
/** That are collected for at once; calls for others are not noted. */
const RINGS_MAX = 1_000;

type Noted = Pick<RingCall, 'status' | 'code' | 'entries' | 'ms'>;
type Gathered = { calls: RingCall[]; readonly dueByMs: number };

const gathered = new Map<string, Gathered>();

/** Notes a call of a key that was once issued, in its account's log. */
export function noteCall(call: Call, bearer: Bearer, noted: Noted): void {
  const name = { account: bearer.limiter, ring: ringOf(bearer, noted.status) };
  const key = `${name.ring} ${name.account}`;
  const nowMs = Date.now();
  const open = gathered.get(key);
  const mine = { ...noted, at: call.startedMs, id: call.id, hint: bearer.hint, times: 1 };
  if (open !== undefined && nowMs < open.dueByMs) {
    open.calls = added(open.calls, mine);
    return;
  }
  if (open === undefined && gathered.size >= RINGS_MAX) return;
  gathered.set(key, { calls: added(open?.calls ?? [], mine), dueByMs: nowMs + LOST_AFTER_MS });
  call.waitUntil(write(call, bearer, name, key));
}

/** Too many calls, or one whose caller left early, are refused before D1 is asked whether their key still exists. */
function ringOf({ opens, owner }: Bearer, status: number): CallRing {
  if (status === 401) return 'strangers';
  if (opens === 'form') return 'form';
  return owner === null ? 'strangers' : 'own';
}

/** With one call more. Pure. */
export function added(calls: readonly RingCall[], call: RingCall): RingCall[] {
  if (call.status === 429 || calls.length >= APART_MAX) {
    const alike = calls.findLast(
      ({ hint, status, code }) => hint === call.hint && status === call.status && code === call.code,
    );
    if (alike !== undefined)
      return [...calls.filter((one) => one !== alike), { ...call, times: alike.times + call.times }];
  }
  return calls.length >= NOTED_MAX ? [...calls] : [...calls, call];
}

async function write(call: Call, bearer: Bearer, name: RingName, key: string): Promise<void> {
  await pause(TOGETHER_MS);
  const calls = gathered.get(key)?.calls ?? [];
  gathered.delete(key);
  try {
    await keepCalls(homeOf(call, bearer).db, name, calls).run();
  } catch (error) {
    log('warn', 'calls_not_logged', { requestId: call.id, ...describe(error) });
  }
}
