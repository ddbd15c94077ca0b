import { describe, expect, test } from 'vitest';
import { DOMAINS, type Crowd, type Figures } from './crowd.ts';
import { problemsOf } from './judge.ts';

const PEERS = ['AfterShip 1.4.1', 'Reacher 0.11.11'];

type Brief = {
  readonly wallMs?: number;
  readonly cpuMs?: number;
  readonly right?: number;
  readonly conversed?: boolean;
};

function figures({ wallMs = 500, cpuMs = 500, right = DOMAINS, conversed = true }: Brief = {}): Figures {
  return {
    withStart: { wallMs: wallMs + 100, cpuMs: cpuMs + 100, rssMiB: 50 },
    work: { wallMs, cpuMs },
    right,
    heldAtMost: 20,
    conversed,
  };
}

function crowd(programs: Readonly<Record<string, Brief>>): Crowd {
  const all = { rcpt: {}, 'bare client': {}, ...programs };
  const seen = Object.entries(all).map(([name, brief]) => [name, figures(brief)] as const);
  return { concurrency: 20, figures: new Map(seen), othersPercent: null };
}

const bothWith = (aftership: Brief, reacher: Brief): Readonly<Record<string, Brief>> => ({
  'AfterShip 1.4.1': aftership,
  'Reacher 0.11.11': reacher,
});

describe('wall time', () => {
  test('may be a tenth above that of the fastest peer, and no more', () => {
    const peers = bothWith({ wallMs: 900 }, { wallMs: 500 });
    expect(problemsOf(crowd({ ...peers, rcpt: { wallMs: 549 } }), PEERS)).toEqual([]);
    expect(problemsOf(crowd({ ...peers, rcpt: { wallMs: 551 } }), PEERS)).toEqual([
      'wall above 1.1 x the fastest peer',
    ]);
  });

  test('is not compared with that of a peer which did not do the work', () => {
    const peers = bothWith({ wallMs: 100, right: DOMAINS - 1 }, { wallMs: 100, conversed: false });
    expect(problemsOf(crowd({ ...peers, rcpt: { wallMs: 551 } }), PEERS)).toEqual(['no peer did the work']);
    expect(problemsOf(crowd({ ...peers, 'Reacher 0.11.11': { wallMs: 510 }, rcpt: { wallMs: 551 } }), PEERS)).toEqual(
      [],
    );
  });
});

test('processor time is not above that of AfterShip, whatever another peer takes', () => {
  const peers = bothWith({ cpuMs: 500 }, { cpuMs: 300 });
  expect(problemsOf(crowd({ ...peers, rcpt: { cpuMs: 500 } }), PEERS)).toEqual([]);
  expect(problemsOf(crowd({ ...peers, rcpt: { cpuMs: 501 } }), PEERS)).toEqual(["CPU above AfterShip's"]);
});

test('rcpt and its floor do all of the work, and the server says so', () => {
  const short = { rcpt: { right: DOMAINS - 1 }, 'bare client': { conversed: false } };
  expect(problemsOf(crowd({ ...bothWith({}, {}), ...short }), PEERS)).toEqual([
    `rcpt: ${DOMAINS - 1} of ${DOMAINS} right`,
    `bare client: ${DOMAINS} of ${DOMAINS} right, and not all were asked about`,
  ]);
});

test('where no peer is installed nothing is compared', () => {
  expect(problemsOf(crowd({ rcpt: { wallMs: 9_000, cpuMs: 9_000 } }), [])).toEqual([]);
  expect(problemsOf(crowd({ rcpt: { right: 0 } }), [])).toEqual([`rcpt: 0 of ${DOMAINS} right`]);
});

test('without AfterShip processor time is not compared', () => {
  const peers = { 'Reacher 0.11.11': { cpuMs: 300 } };
  expect(problemsOf(crowd({ ...peers, rcpt: { cpuMs: 900 } }), ['Reacher 0.11.11'])).toEqual([]);
});
