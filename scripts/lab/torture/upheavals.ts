import { setTimeout as sleep } from 'node:timers/promises';
import type { Random } from '../random.ts';
import type { Host } from './host.ts';
import { whyNoFarPlace } from './place.ts';
import type { Stage } from './stage.ts';

// What is done to a service under load, one at a time.

/** As the edge gives a lost job to another host (`lossesMax`): an address is asked once more each time. */
const ATTEMPTS = 4;

export type Scene = {
  readonly stage: Stage;
  /** The code of an older host. */
  readonly older: string | null;
  /** How long what is stopped or cut stays so. */
  readonly lastsMs: number;
  /** How often something is killed, what, and when. */
  readonly kills: number;
  readonly random: Random;
  /** One line of what was done. */
  readonly say: (what: string) => void;
};

type Prepared = {
  readonly hosts: readonly Host[];
  /** What is done under the load; `watch`: nothing, and whether anything grows is looked at. */
  readonly act: (() => Promise<void>) | 'watch';
};

export type Upheaval = {
  readonly what: string;
  /** How often an address may be asked about in one call. */
  readonly askedMost: number;
  /** Calls may break off or end with 500: what they are connected to is killed. */
  readonly breaksCalls?: boolean;
  /** What is missing to do it; null: nothing. */
  readonly lacks?: () => string | null;
  /** Begins before the load: hosts come up. */
  readonly prepare: (scene: Scene) => Promise<Prepared>;
};

export const NAMES = ['calm', 'frozen', 'cut', 'slow', 'rolled', 'restarted', 'older', 'killed', 'long'] as const;
export type UpheavalName = (typeof NAMES)[number];

export const UPHEAVALS: Readonly<Record<UpheavalName, Upheaval>> = {
  calm: {
    what: 'nothing is done: what the other rows are to be compared with',
    askedMost: 1,
    async prepare(scene) {
      return { hosts: await twoHosts(scene), act: () => sleep(scene.lastsMs / 2) };
    },
  },
  frozen: {
    what: 'one of two hosts is stopped (SIGSTOP), and goes on later',
    askedMost: ATTEMPTS,
    async prepare(scene) {
      const hosts = await twoHosts(scene);
      const act = async (): Promise<void> => {
        hosts[0].signal('SIGSTOP');
        scene.say(`${hosts[0].name} is stopped`);
        await sleep(scene.lastsMs);
        hosts[0].signal('SIGCONT');
        scene.say(`${hosts[0].name} goes on`);
      };
      return { hosts, act };
    },
  },
  cut: {
    what: 'the link of one of two hosts is cut without a FIN, and joined later',
    askedMost: ATTEMPTS,
    lacks: whyNoFarPlace,
    async prepare(scene) {
      const { place, hosts } = await oneFarHost(scene, 1, 0);
      const act = async (): Promise<void> => {
        place.cut();
        scene.say('the link is cut');
        await sleep(scene.lastsMs);
        place.join();
        scene.say('the link is joined');
      };
      return { hosts, act };
    },
  },
  slow: {
    what: 'the link of one of two hosts takes 200 ms each way and loses 1 % of its packets',
    askedMost: ATTEMPTS,
    lacks: whyNoFarPlace,
    async prepare(scene) {
      const { hosts } = await oneFarHost(scene, 200, 1);
      return { hosts, act: () => sleep(scene.lastsMs / 2) };
    },
  },
  rolled: {
    what: 'all hosts are rolled, one after the other',
    askedMost: 1,
    async prepare(scene) {
      const hosts = await twoHosts(scene);
      const act = async (): Promise<void> => {
        for (const [n, host] of hosts.entries()) await roll(scene, n === 0 ? 'one' : 'two', host);
      };
      return { hosts, act };
    },
  },
  restarted: {
    what: 'workerd is killed (SIGKILL) three times',
    askedMost: ATTEMPTS,
    breaksCalls: true,
    async prepare(scene) {
      const hosts = await twoHosts(scene);
      const act = async (): Promise<void> => {
        for (let n = 0; n < 3; n += 1) {
          await killWorkerd(scene.stage);
          scene.say('workerd is killed');
          await sleep(scene.lastsMs / 3);
        }
      };
      return { hosts, act };
    },
  },
  older: {
    what: 'one of two hosts speaks an older link, and is rolled to today’s',
    askedMost: 1,
    async prepare(scene) {
      const { hosts, here } = scene.stage;
      const today = await hosts.start('today', here);
      const old = await hosts.start('older', here, scene.older ?? undefined);
      const act = async (): Promise<void> => {
        await sleep(scene.lastsMs / 2);
        await roll(scene, 'older', old);
      };
      return { hosts: [today, old], act };
    },
  },
  killed: {
    what: 'workerd, the only host or both are killed (SIGKILL) at random moments',
    askedMost: ATTEMPTS,
    breaksCalls: true,
    async prepare(scene) {
      const host = await scene.stage.hosts.start('only', scene.stage.here);
      return { hosts: [host], act: () => killAgainAndAgain(scene, host) };
    },
  },
  long: {
    what: 'nothing is done for a long time, and nothing may grow',
    askedMost: 1,
    async prepare(scene) {
      return { hosts: await twoHosts(scene), act: 'watch' };
    },
  },
};

async function twoHosts({ stage: { hosts, here } }: Scene): Promise<readonly [Host, Host]> {
  return [await hosts.start('one', here), await hosts.start('two', here)];
}

/** One host beside the service, and one behind a link that delays each packet one way and loses a share of them. */
async function oneFarHost({ stage }: Scene, delayMs: number, lossPercent: number) {
  const far = await stage.openFarSite(delayMs, lossPercent);
  const hosts = [await stage.hosts.start('here', stage.here), await stage.hosts.start('far', far)] as const;
  return { place: far.place, hosts };
}

/** As an operator does it: the new process first, then the old one ends once its batches have. */
async function roll({ stage, say }: Scene, id: string, old: Host): Promise<void> {
  const fresh = await stage.hosts.start(id, stage.here);
  old.signal('SIGTERM');
  const code = await old.ended;
  say(`${old.name} is rolled to ${fresh.name}, and ended with ${code}`);
  if (code !== 0) throw new Error(`${old.name} ended with ${code} when it was to drain`);
}

async function killAgainAndAgain({ stage, random, kills, say }: Scene, first: Host): Promise<void> {
  let host = first;
  for (let round = 1; round <= kills; round += 1) {
    await sleep(random.whole(100, 1_500));
    const victim = random.oneOf(['workerd', 'host', 'both']);
    if (victim !== 'host') await killWorkerd(stage);
    if (victim === 'workerd') await stage.hosts.waitUntil('only', 'healthy');
    else {
      host.signal('SIGKILL');
      await host.ended;
      await stage.hosts.waitUntil('only', 'gone');
      host = await stage.hosts.start('only', stage.here);
    }
    say(`${round}/${kills} ${victim}`);
  }
}

/** SIGKILL. The service starts it again by itself. */
async function killWorkerd(stage: Stage): Promise<void> {
  for (const pid of await stage.workerd()) process.kill(pid, 'SIGKILL');
}
