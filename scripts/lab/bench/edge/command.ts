import { Command, Option } from 'commander';
import type { Shot } from './caller.ts';
import { compare, type Rounds } from './compare.ts';
import { mintKey, setStage, type Stage } from './stage.ts';
import { measureValidation } from './validation.ts';

const LANES = 32;
const ONE: Rounds = { parallel: 1, rounds: 20, perRound: 60 };
const MANY: Rounds = { parallel: LANES, rounds: 16, perRound: 384 };
const VERIFY_RATIO_MAX = 1.5;
const REFUSAL_RATIO_MAX = 1.2;
const VALIDATION_MAX_MS = 5;
const BODY = JSON.stringify({ emails: ['someone@bench.test'] });

type Row = {
  readonly what: string;
  readonly measured: string;
  readonly floor: string;
  readonly bound: string;
  readonly holds: boolean;
};

const NAMES = ['verify', '401', 'validate'] as const;
const PARTS: Readonly<Record<(typeof NAMES)[number], () => Promise<readonly Row[]>>> = {
  verify: verification,
  '401': withoutKey,
  validate: async () => [validation()],
};

/** `bench edge`: the Worker beside a floor that makes the same trips, in the same run. */
export function edgeCommand(): Command {
  return new Command('edge')
    .description('the time of an answer, beside a Worker that makes the same trips and does nothing else')
    .addOption(new Option('--only <name>', 'one part').choices(NAMES))
    .action(async ({ only }: { only?: (typeof NAMES)[number] }) => {
      const rows: Row[] = [];
      for (const name of only === undefined ? NAMES : [only]) rows.push(...(await PARTS[name]()));
      process.stdout.write(table(rows));
      if (rows.some((row) => !row.holds)) process.exitCode = 1;
    });
}

async function verification(): Promise<readonly Row[]> {
  const stage = await setStage(LANES);
  try {
    const product = { ...verifyShot(stage, 200), body: BODY };
    const floor = floorShot(stage, product, '/verify', 200);
    const rows: Row[] = [];
    const settling = floorShot(stage, product, '/verify-and-settle', 200);
    for (const rounds of [ONE, MANY]) {
      const what = `verify, ${rounds.parallel} at once`;
      rows.push(await measure(what, product, floor, rounds, VERIFY_RATIO_MAX));
      rows.push(await measure(`${what}; the floor settles too`, product, settling, rounds, VERIFY_RATIO_MAX));
    }
    return rows;
  } finally {
    await stage.stop();
  }
}

async function withoutKey(): Promise<readonly Row[]> {
  const stage = await setStage(LANES);
  try {
    const refused = { ...verifyShot(stage, 401), body: BODY };
    const constant = floorShot(stage, refused, '/constant', 401);
    const headers = fromEverywhere(another(await mintKey('no secret of ours')));
    const [shot, floor] = [
      { ...refused, headers },
      { ...constant, headers },
    ];
    const rows: Row[] = [];
    for (const rounds of [ONE, MANY])
      rows.push(await measure(`401, a wrong key, ${rounds.parallel} at once`, shot, floor, rounds, REFUSAL_RATIO_MAX));
    return rows;
  } finally {
    await stage.stop();
  }
}

/** Keys of the right form, each with a random part of its own, whose tags are wrong. */
function another(key: string): () => string {
  let made = 0;
  return () => {
    made += 1;
    return key.slice(0, 10) + String(made).padStart(10, '0') + key.slice(20);
  };
}

function validation(): Row {
  const { p50Ms, p99Ms } = measureValidation();
  return {
    what: 'validate 500 addresses (p50, p99)',
    measured: `${p50Ms.toFixed(2)} ms, ${p99Ms.toFixed(2)} ms`,
    floor: '',
    bound: `${VALIDATION_MAX_MS} ms`,
    holds: p99Ms <= VALIDATION_MAX_MS,
  };
}

function verifyShot({ edge, keys }: Stage, status: number): Shot {
  return {
    url: edge,
    method: 'POST',
    headers: (lane) => ({ authorization: `Bearer ${keys[lane]}` }),
    path: () => '/api/v1/verify',
    body: null,
    status,
  };
}

/** Each call from another network, so that the shield, which knows callers by theirs, is asked about each anew. */
function fromEverywhere(keyOf: () => string): Shot['headers'] {
  let call = 0;
  return () => {
    call += 1;
    const ip = `10.${(call >> 16) & 255}.${(call >> 8) & 255}.${call & 255}`;
    return { 'cf-connecting-ip': ip, authorization: `Bearer ${keyOf()}` };
  };
}

/** The same request, sent to the floor. */
function floorShot({ floor }: Stage, product: Shot, path: string, status: number): Shot {
  return { ...product, url: floor, path: (lane) => `${path}?lane=${lane}`, status };
}

async function measure(what: string, product: Shot, floor: Shot, rounds: Rounds, most: number): Promise<Row> {
  const { p50Ms, floorMs, ratio } = await compare(product, floor, rounds);
  return {
    what,
    measured: `${p50Ms.toFixed(2)} ms, ${ratio.toFixed(2)} x`,
    floor: `${floorMs.toFixed(2)} ms`,
    bound: `${most} x`,
    holds: ratio <= most,
  };
}

function table(rows: readonly Row[]): string {
  const lines = rows.map(
    ({ what, measured, floor, bound, holds }) =>
      `| ${what} | ${measured} | ${floor} | ${bound} | ${holds ? 'yes' : 'NO'} |`,
  );
  return ['| what | measured (p50) | floor | bound | holds |', '|---|---|---|---|---|', ...lines, ''].join('\n');
}
