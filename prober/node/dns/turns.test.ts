import * as fc from 'fast-check';
import { expect, test } from 'vitest';
import { Turns } from './turns.ts';

/** What runs, by the account's letter and a number, in the order in which it began. */
function play(places: number) {
  const turns = new Turns<string>(places);
  const began: string[] = [];
  const leave = new Map<string, (() => void) | null>();
  const ask = (...names: string[]): void => {
    for (const name of names)
      leave.set(
        name,
        turns.take(name.charAt(0), () => began.push(name)),
      );
  };
  return { turns, began, leave, ask, end: (name: string) => turns.giveBack(name.charAt(0)) };
}

test('an account that is alone leaves a fifth, and a newcomer begins at once', () => {
  const { began, ask } = play(10);
  ask(...Array.from({ length: 20 }, (_, n) => `a${n}`));
  expect(began).toHaveLength(8);
  ask('b1', 'c1', 'd1');
  expect(began.slice(8)).toEqual(['b1', 'c1']);
});

test('a single place goes from account to account, and within one in the order of asking', () => {
  const { began, ask, end } = play(1);
  ask('a1', 'a2', 'a3', 'b1', 'b2', 'c1');
  for (const name of ['a1', 'b1', 'c1', 'a2', 'b2']) end(name);
  expect(began).toEqual(['a1', 'b1', 'c1', 'a2', 'b2', 'a3']);
});

test('the next place is for the account that holds the fewest, whatever another has queued', () => {
  const { began, ask, end } = play(4);
  ask(...Array.from({ length: 1_000 }, (_, n) => `a${n}`), 'b1', 'b2', 'b3');
  expect(began).toEqual(['a0', 'a1', 'a2', 'b1']);
  end('a0');
  expect(began.at(-1)).toBe('b2');
});

test('what has left the queue never runs', () => {
  const { began, leave, ask, end, turns } = play(1);
  ask('a1', 'b1', 'c1');
  leave.get('b1')?.();
  end('a1');
  expect(began).toEqual(['a1', 'c1']);
  end('c1');
  expect(turns.accounts).toBe(0);
});

test('after any history no place is lost or given twice, and nobody is remembered', () => {
  const steps = fc.array(fc.tuple(fc.constantFrom('take', 'take', 'end', 'leave'), fc.nat(1_000)), { maxLength: 120 });
  fc.assert(
    fc.property(fc.integer({ min: 1, max: 9 }), steps, (places, taken) => {
      const { turns, began, leave, ask, end } = play(places);
      const ended = new Set<string>();
      const running = (): string[] => began.filter((name) => !ended.has(name));
      const waiting = new Set<string>();
      for (const [n, [what, who]] of taken.entries()) {
        if (what === 'take') {
          const name = `${'abcd'.charAt(who % 4)}${n}`;
          waiting.add(name);
          ask(name);
        }
        const one = what === 'end' ? running()[who % Math.max(1, running().length)] : undefined;
        if (one !== undefined) {
          ended.add(one);
          end(one);
        }
        for (const name of began) waiting.delete(name);
        const gone = what === 'leave' ? [...waiting][who % Math.max(1, waiting.size)] : undefined;
        if (gone !== undefined) {
          waiting.delete(gone);
          leave.get(gone)?.();
        }
        expect(running().length).toBeLessThanOrEqual(places);
        const held = (account: string): number => running().filter((name) => name.startsWith(account)).length;
        // Who waits while a place is free has four fifths of them.
        if (running().length < places)
          for (const name of waiting)
            expect(held(name.charAt(0))).toBeGreaterThanOrEqual(Math.max(1, Math.floor(places * 0.8)));
      }
      for (let [one] = running(); one !== undefined; [one] = running()) {
        ended.add(one);
        end(one);
      }
      expect([turns.accounts, began.length]).toEqual([0, ended.size]);
    }),
  );
});
