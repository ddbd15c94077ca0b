import { setTimeout as sleep } from 'node:timers/promises';
import type { Seeded } from '../../base/seeded.ts';
import type { Account, Stage } from './stage.ts';
import { CROWD_DOMAINS, ZONE } from './fake-mail.ts';

// What is done to a service, one scene at a time: things that happen to its processes under load, and crowds of accounts
// beside one that asks for an address now and then.

/** What lists a crowd asks for, and with how many accounts. */
export type Crowd = {
  readonly accounts: number;
  readonly credits: 'bought' | 'none';
  /** Of each account at once. */
  readonly requests: number;
  readonly entries: number;
  /** Domains of one request. */
  readonly domains: number;
  /** Keys of each account, if it calls with several. */
  readonly keys?: number;
};

type Acting = { readonly stage: Stage; readonly random: Seeded; readonly kills: number };

type Common = {
  readonly what: string;
  /** How long a mail server takes for each RCPT. */
  readonly answersAfterMs: number;
  readonly crowd: Crowd;
};
/** Something happens to the service; every list must be answered truly all the same. */
export type Upheaval = Common & {
  readonly kind: 'upheaval';
  readonly hosts: readonly string[];
  /** How often an address may be asked about in one call. */
  readonly askedMost: number;
  /** Calls may break off or end with 500: what they are connected to is killed. */
  readonly breaksCalls?: true;
  readonly act: (acting: Acting) => Promise<void>;
};
/** Another account asks for single addresses beside a crowd. */
export type Beside = Common & {
  readonly kind: 'beside';
  /** How many of its calls must be refused while B asks, or it was no crowd. */
  readonly refusedLeast: number;
  readonly p99Ms: number;
};
export type Scene = Upheaval | Beside;

/** As the edge gives a lost job to another host: an address is asked once more each time. */
const ATTEMPTS = 4;
const LISTS: Crowd = { accounts: 3, credits: 'bought', requests: 4, entries: 8, domains: 2 };

export const SCENES: Readonly<Record<string, Scene>> = {
  rolled: {
    kind: 'upheaval',
    what: 'all hosts are rolled, one after the other: the new process first, then the old one drains',
    answersAfterMs: 300,
    crowd: LISTS,
    hosts: ['one', 'two'],
    askedMost: 1,
    async act({ stage }) {
      for (const id of ['one', 'two']) {
        const old = stage.hosts.running(id);
        await stage.hosts.start(id);
        await old.drain(60_000);
        const code = await old.ended;
        if (code !== 0) throw new Error(`${id} ended with ${code} when it was to drain`);
      }
    },
  },
  killed: {
    kind: 'upheaval',
    what: 'workerd, the only host or both are killed (SIGKILL) at random moments',
    answersAfterMs: 100,
    crowd: { ...LISTS, requests: 2 },
    hosts: ['only'],
    askedMost: ATTEMPTS,
    breaksCalls: true,
    async act({ stage, random, kills }) {
      for (let round = 0; round < kills; round += 1) {
        await sleep(random.whole(100, 1_500));
        const victim = random.oneOf(['workerd', 'host', 'both']);
        if (victim !== 'host') await stage.killWorkerd();
        if (victim === 'workerd') await stage.hosts.waitUntilHealthy('only');
        else {
          const host = stage.hosts.running('only');
          process.kill(host.pid, 'SIGKILL');
          await host.ended;
          await stage.hosts.waitUntilGone('only');
          await stage.hosts.start('only');
        }
      }
    },
  },
  flood: {
    kind: 'beside',
    what: 'six accounts without credits call with fifty keys each',
    answersAfterMs: 0,
    crowd: { accounts: 6, credits: 'none', requests: 1, entries: 1, domains: 1, keys: 50 },
    refusedLeast: 500,
    p99Ms: 1_000,
  },
};

/** The n-th list of a crowd: its mailboxes exist or not by their names, one stands there twice. */
export function listOf({ entries, domains }: Crowd, n: number): readonly string[] {
  const first = n * domains;
  const all = Array.from({ length: Math.max(1, entries - 1) }, (_, at) => {
    const kind = (n + at) % 2 === 0 ? 'y' : 'n';
    return `${kind}${n}-${at}@d${(first + (at % domains)) % CROWD_DOMAINS}.${ZONE}`;
  });
  return entries === 1 ? all : [...all, ...all.slice(0, 1)];
}

/** B's mailbox is at a server that the crowd does not ask. */
export function addressOfB(n: number): string {
  return `y${n}-b@d${CROWD_DOMAINS}.${ZONE}`;
}

/** The keys that a crowd's account calls with. */
export async function lanesOf(stage: Stage, crowd: Crowd): Promise<readonly Account[]> {
  const lanes: Account[] = [];
  for (let n = 0; n < crowd.accounts; n += 1) {
    const account = await stage.open(`crowd-${n}`, crowd.credits);
    for (let key = 1; key <= (crowd.keys ?? 1); key += 1) {
      const own = key === 1 ? account : { ...account, key: await stage.newKey(account.id) };
      for (let request = 0; request < crowd.requests; request += 1) lanes.push(own);
    }
  }
  return lanes;
}
