import type { Engine } from '../../../prober/engine/batch.ts';
import type { Evidence } from '../../../schema/evidence.ts';
import { liveBytes, residentBytes } from './isolate.ts';
import { type Address, letGo, type OpenBatch, Stage, until } from './stage.ts';

/** A batch of 500 whose hosts have answered all but the last address. */
export type Load = {
  readonly name: 'ordinary' | 'worst';
  readonly batches: number;
  readonly addressOf: (batch: number, index: number) => Address;
  readonly mxOf: (domain: string) => readonly string[];
};

export type MemoryFigures = { readonly perBatch: number; readonly all: number; readonly resident: number };

const ADDRESSES = 500;
/** What one host runs at once. */
const BATCHES_PER_HOST = 40;
/** Batches begun at a time: the bench process is a host and a caller too. */
const AT_ONCE = 10;

export const ORDINARY: Load = {
  name: 'ordinary',
  batches: 400,
  addressOf: (batch, index) => [`firstname.lastname${index}`, `company-${batch}-${index}.example`],
  mxOf: (domain) => [`mx1.${domain}`, `mx2.${domain}`],
};
export const WORST: Load = {
  name: 'worst',
  batches: 100,
  addressOf: (batch, index) => [`x${index}`.padEnd(64, 'y'), longName(`d${batch}-${index}`)],
  mxOf: (domain) => Array.from({ length: 10 }, (_, n) => longName(`m${n}-${domain.slice(0, 40)}`)),
};

/** Of 253 octets, as long as a name may be. */
function longName(label: string): string {
  const rest = [63, 63, 63].map((length) => 'z'.repeat(length)).join('.');
  return `${label.padEnd(253 - rest.length - 1, 'a')}.${rest}`;
}

/** Opens so many batches in one object and measures what lives in its isolate for them. */
export async function measureMemory(load: Load): Promise<MemoryFigures> {
  const stage = await Stage.set();
  try {
    const names = Array.from({ length: Math.ceil(load.batches / BATCHES_PER_HOST) }, (_, n) => `host-${n}`);
    const hosts = (await stage.enrol(names)).map((identity) => stage.dialIn(identity, allButLast(load)));
    await until(
      () => 'every host is connected',
      async () => (await stage.hosts()).length === hosts.length,
    );
    // Code that ran once stays compiled.
    const warm = stage.ask(addressesOf(load, load.batches));
    await filled([warm]);
    letGo(warm);
    await until(
      () => 'the first batch has ended',
      async () => (await stage.hosts()).every(({ jobs }) => jobs === 0),
    );
    const before = await liveBytes(stage.inspector, stage.url);
    const open: OpenBatch[] = [];
    let resident = 0;
    while (open.length < load.batches) {
      const some = Array.from({ length: Math.min(AT_ONCE, load.batches - open.length) }, (_, n) =>
        stage.ask(addressesOf(load, open.length + n)),
      );
      open.push(...some);
      await filled(some);
      resident = Math.max(resident, residentBytes(stage.pid));
    }
    const after = await liveBytes(stage.inspector, stage.url);
    if (!open.every(isFilled)) throw new Error('Not every batch was still open at the end');
    open.forEach(letGo);
    for (const { socket } of hosts) socket()?.terminate();
    return { perBatch: (after - before) / load.batches, all: after, resident };
  } finally {
    await stage.stop();
  }
}

function addressesOf(load: Load, batch: number): readonly Address[] {
  return Array.from({ length: ADDRESSES }, (_, index) => load.addressOf(batch, index));
}

function filled(batches: readonly OpenBatch[]): Promise<void> {
  return until(
    () => `all but one address answered, not ${batches.map((b) => `${b.evidence} ${b.state}`).join(', ')}`,
    () => batches.every(isFilled),
  );
}

function isFilled({ evidence, state }: OpenBatch): boolean {
  return state === 'open' && evidence === ADDRESSES - 1;
}

/** Knows every answer but the last, which it never gives. */
function allButLast({ mxOf }: Load): Engine {
  return {
    probe: ({ recipients, report, signal }) => {
      for (const [index, { domain }] of recipients.slice(0, -1).entries()) report(index, evidenceOf(mxOf(domain)));
      return new Promise((resolve) => signal.addEventListener('abort', () => resolve()));
    },
  };
}

function evidenceOf(mx: readonly string[]): Evidence {
  return {
    mx: [...mx],
    mxFound: true,
    signals: { disposable: false, free: false, role: false, typoOf: null },
    outcome: { kind: 'accepted', reply: { code: 250, enhanced: '2.1.5' }, madeUp: { kind: 'refused' } },
  };
}
