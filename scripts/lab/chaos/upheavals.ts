import { setTimeout as sleep } from 'node:timers/promises';
import { whyNoFarPlace } from './place.ts';
import type { Host } from './host.ts';
import type { FarSite, Stage } from './stage.ts';

// What is done to a service under load, one at a time.

/** As the edge gives a lost job to another host (`lossesMax`): an address is asked once more each time. */
const ATTEMPTS = 4;

export type Scene = {
  readonly stage: Stage;
  /** The code of an older host. */
  readonly older: string | null;
  /** How long what is stopped or cut stays so. */
  readonly lastsMs: number;
  /** One line of what was done. */
  readonly say: (what: string) => void;
};

/** Begins before the load: hosts come up. It gives what is done under the load. */
type Upheaval = {
  readonly what: string;
  /** How often an address may be asked about in one call. */
  readonly askedMost: number;
  /** Calls may break off: what they are connected to is killed. */
  readonly breaksCalls?: true;
  /** What is missing to do it; null: nothing. */
  readonly lacks?: () => string | null;
  readonly prepare: (scene: Scene) => Promise<() => Promise<void>>;
};

const twoHosts = async ({ stage }: Scene): Promise<[Host, Host]> => [
  await stage.startHost('one', stage.here),
  await stage.startHost('two', stage.here),
];

/** One host beside the service, and one behind a link that delays each packet one way and loses a share of them. */
async function oneFarHost({ stage }: Scene, delayMs: number, lossPercent: number): Promise<FarSite> {
  const far = await stage.openFarSite(delayMs, lossPercent);
  await stage.startHost('here', stage.here);
  await stage.startHost('far', far);
  return far;
}

export const UPHEAVALS = {
  calm: {
    what: 'nothing is done: what the other rows are to be compared with',
    askedMost: 1,
    async prepare(scene) {
      await twoHosts(scene);
      return () => sleep(scene.lastsMs / 2);
    },
  },
  frozen: {
    what: 'one of two hosts is stopped (SIGSTOP), and goes on later',
    askedMost: ATTEMPTS,
    async prepare(scene) {
      const [host] = await twoHosts(scene);
      return async () => {
        host.signal('SIGSTOP');
        scene.say(`${host.name} is stopped`);
        await sleep(scene.lastsMs);
        host.signal('SIGCONT');
        scene.say(`${host.name} goes on`);
      };
    },
  },
  cut: {
    what: 'the link of one of two hosts is cut without a FIN, and joined later',
    askedMost: ATTEMPTS,
    lacks: whyNoFarPlace,
    async prepare(scene) {
      const far = await oneFarHost(scene, 1, 0);
      return async () => {
        far.place.cut();
        scene.say('the link is cut');
        await sleep(scene.lastsMs);
        far.place.join();
        scene.say('the link is joined');
      };
    },
  },
  slow: {
    what: 'the link of one of two hosts takes 200 ms each way and loses 1 % of its packets',
    askedMost: ATTEMPTS,
    lacks: whyNoFarPlace,
    async prepare(scene) {
      await oneFarHost(scene, 200, 1);
      return () => sleep(scene.lastsMs / 2);
    },
  },
  rolled: {
    what: 'all hosts are rolled, one after the other',
    askedMost: 1,
    async prepare(scene) {
      const hosts = await twoHosts(scene);
      return async () => {
        for (const [n, host] of hosts.entries()) await roll(scene, n === 0 ? 'one' : 'two', host);
      };
    },
  },
  restarted: {
    what: 'workerd is killed (SIGKILL) three times',
    askedMost: ATTEMPTS,
    breaksCalls: true,
    async prepare(scene) {
      await twoHosts(scene);
      return async () => {
        for (let n = 0; n < 3; n += 1) {
          await scene.stage.killWorkerd();
          scene.say('workerd is killed');
          await sleep(scene.lastsMs / 3);
        }
      };
    },
  },
  older: {
    what: 'one of two hosts speaks an older link, and is rolled to today’s',
    askedMost: 1,
    async prepare(scene) {
      await scene.stage.startHost('today', scene.stage.here);
      const old = await scene.stage.startHost('older', scene.stage.here, scene.older ?? undefined);
      return async () => {
        await sleep(scene.lastsMs / 2);
        await roll(scene, 'older', old);
      };
    },
  },
} satisfies Readonly<Record<string, Upheaval>>;

export type UpheavalName = keyof typeof UPHEAVALS;
export const NAMES = [
  'calm',
  'frozen',
  'cut',
  'slow',
  'rolled',
  'restarted',
  'older',
] as const satisfies readonly UpheavalName[];

/** As an operator does it: the new process first, then the old one ends once its batches have. */
async function roll({ stage, say }: Scene, id: string, old: Host): Promise<void> {
  const fresh = await stage.startHost(id, stage.here);
  old.signal('SIGTERM');
  const code = await old.ended;
  say(`${old.name} is rolled to ${fresh.name}, and ended with ${code}`);
  if (code !== 0) throw new Error(`${old.name} ended with ${code} when it was to drain`);
}
