import { expect, test } from 'vitest';
import type { Outcome } from '../../../schema/evidence.ts';
import { MailWorld } from '../../testing/mail-world.ts';
import { ACCEPTED, boxes, seeded, UNKNOWN } from '../../testing/one-domain.ts';
import { close, type Script, type SessionRecord, wait } from '../../testing/script.ts';

// Servers that know no mailbox, or reveal none, and refuse some recipients all the same.

const GONE = '550 5.1.1 no such user here\r\n';
const TAKEN = '250 2.1.5 ok\r\n';

function rcpts({ lines }: Pick<SessionRecord, 'lines'>): string[] {
  return lines.filter((line) => line.startsWith('RCPT'));
}

/** Refuses those recipients of a session, counted from 1, that `refuses` selects. */
function counting(refuses: (nth: number) => boolean): Script {
  return { rcpt: (_, session) => (refuses(rcpts(session).length) ? GONE : TAKEN) };
}

/** The worth of each acceptance: the result of the made-up mailbox. */
function worth(outcomes: readonly Outcome[]): readonly string[] {
  return outcomes.flatMap((one) => (one.kind === 'accepted' ? [one.madeUp.kind] : []));
}

async function probe(script: Script, count: number) {
  const world = new MailWorld();
  const server = world.domain('d.test', script);
  return { fates: new Set(worth(await world.outcomes(boxes(count)))), server };
}

test.each([
  ['every second', (nth: number) => nth % 2 === 0, [5, 9, 20, 100]],
  ['every third', (nth: number) => nth % 3 === 0, [8, 11, 20, 100]],
  ['everyone after three', (nth: number) => nth > 3, [6, 7, 20, 100]],
] as const)('acceptance by a server that refuses %s does not prove a mailbox', async (_what, refuses, counts) => {
  for (const count of counts) expect((await probe(counting(refuses), count)).fates).toEqual(new Set(['accepted']));
});

test('acceptance by a server that counts over all sessions does not prove one either', async () => {
  let nth = 0;
  const script: Script = {
    rcpt: () => {
      nth += 1;
      return nth % 2 === 0 ? GONE : TAKEN;
    },
  };
  expect((await probe(script, 5)).fates).toEqual(new Set(['accepted']));
});

test('chance alone proves few mailboxes of a long list', async () => {
  let [believed, all] = [0, 0];
  for (let run = 0; run < 200; run += 1) {
    const random = seeded(run);
    const world = new MailWorld();
    world.domain('d.test', { rcpt: () => (random() < 0.3 ? GONE : TAKEN) });
    const outcomes = await world.outcomes(boxes(20));
    believed += worth(outcomes).filter((fate) => fate === 'refused').length;
    all += outcomes.length;
  }
  // One made-up mailbox alone lets 18 % through.
  expect(believed / all).toBeLessThan(0.1);
});

test('a doubted refusal is confirmed in the next session, alone: it does not wait for the rest of a long list', async () => {
  const known = boxes(1);
  const world = new MailWorld();
  const server = world.domain('d.test', { mailboxes: known });
  const outcomes = await world.outcomes(boxes(6));
  expect(outcomes[0]).toEqual(ACCEPTED);
  const asked = server.sessions.map(rcpts);
  expect(asked.map((lines) => lines.length)).toEqual([5, 1, 2]);
  expect(asked[0]?.at(-1)).toMatch(/<[a-z]{18}@d\.test>/);
  expect(asked[1]?.[0]).toMatch(/<[a-z]{18}@d\.test>/);
  expect(asked[2]?.every((line) => line.includes('<u'))).toBe(true);
  expect(new Set(world.dialled.map(({ ip }) => ip)).size).toBe(1);
});

test('a list too long for a server that delays every reply has its acceptances proven all the same', async () => {
  const world = new MailWorld();
  world.domain('d.test', {
    greeting: '220 mx.test ESMTP Postfix\r\n',
    rcpt: (mailbox) => [wait(4_000), /^u\d*[02468]@/.test(mailbox) ? TAKEN : GONE],
  });
  const outcomes = await world.outcomes(boxes(200));
  const accepted = outcomes.filter(({ kind }) => kind === 'accepted');
  expect(accepted.length).toBeGreaterThan(30);
  expect(accepted).toEqual(accepted.map(() => ACCEPTED));
});

test('a server that ends each session before the made-up mailbox shows what it says to that all the same', async () => {
  const world = new MailWorld();
  const server = world.domain('d.test', {
    rcpt: (_, session) => (rcpts(session).length > 1 ? ['421 4.7.0 one at a time\r\n', close] : TAKEN),
  });
  const outcomes = await world.outcomes(boxes(300));
  expect(new Set(worth(outcomes))).toEqual(new Set(['accepted']));
  expect(rcpts(server.sessions[3] ?? { lines: [] })[0]).toMatch(/<[a-z]{18}@d\.test>/);
});

test('a made-up mailbox refused with words about rate is asked about once more', async () => {
  const known = boxes(2);
  const { fates, server } = await probe(
    { rcpt: (mailbox) => (known.includes(mailbox) ? TAKEN : '550 5.1.1 no such user, rate limit\r\n') },
    2,
  );
  expect(fates).toEqual(new Set(['not_learnt']));
  expect(server.sessions.map((session) => rcpts(session).length)).toEqual([3, 1]);
});

test.each([
  ['no other was refused', boxes(3)],
  ['one other was refused', ['u0@d.test', 'u2@d.test']],
  ['two others were refused', ['u0@d.test']],
])('an ordinary server costs one session if %s', async (_what, mailboxes) => {
  const { fates, server } = await probe({ mailboxes }, 3);
  expect(fates).toEqual(new Set(['refused']));
  expect(server.sessions).toHaveLength(1);
});

test('a made-up mailbox that cannot be asked about again is reported as such', async () => {
  const world = new MailWorld();
  world.domain('d.test', {
    mailboxes: ['u0@d.test'],
    on: (line, { number }) => (number === 1 && line.startsWith('MAIL') ? '451 4.3.0 later\r\n' : undefined),
  });
  expect((await world.outcomes(boxes(4)))[0]).toMatchObject({ madeUp: { kind: 'not_learnt', why: 'greylisting' } });
});

test('a made-up mailbox lost when it is asked about again leaves no recipient unasked', async () => {
  const world = new MailWorld();
  world.domain('d.test', {
    mailboxes: ['u0@d.test'],
    on: (line, { number }) => (number === 1 && line.startsWith('RCPT') ? [close] : undefined),
  });
  const [accepted, ...others] = await world.outcomes(boxes(7));
  expect(accepted).toMatchObject({ madeUp: { kind: 'not_learnt', why: 'connection_error' } });
  expect(others).toEqual(others.map(() => UNKNOWN));
});
