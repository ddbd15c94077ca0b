import * as fc from 'fast-check';
import { describe, expect, test } from 'vitest';
import { withoutFooter, withoutListings } from './footer.ts';
import { gistOf } from './gist.ts';

describe('a footer', () => {
  test.each([
    ' contact postmaster if IP blocked . ',
    ' contact support with your IP . ',
    ' if you not agree your HOST LIST . ',
  ])('behind a plain "no such mailbox" is left out: %s', (footer) => {
    expect(withoutFooter(` BOX gone .${footer}`).startsWith(' BOX gone . ')).toBe(true);
    expect(withoutFooter(` BOX gone .${footer}`)).not.toMatch(/IP|HOST|LIST/);
  });

  test.each([
    ' BOX gone . contact provider IP LIST . ',
    ' BOX gone . details IP blocked . ',
    ' BOX gone . help SENDER refused . ',
    ' IP LIST . BOX gone . contact postmaster if IP blocked . ',
    ' BOX away . if IP blocked contact postmaster . ',
    ' BOX blocked . contact postmaster if IP blocked . ',
    ' BOX gone . contact postmaster if IP blocked SENDER CHECK failed . ',
    ' BOX gone or IP blocked . contact postmaster . ',
    ' your BOX gone . contact CLIENT . ',
  ])('stays if it blames us, or if what stands before it is not plainly about the mailbox: %s', (gist) => {
    expect(withoutFooter(gist)).toBe(gist);
  });

  test('is never made longer, and what stands before it stays', () => {
    const words = fc.constantFrom('BOX', 'gone', '.', 'if', 'contact', 'IP', 'blocked', 'LIST', 'you', 'exist', 'not');
    fc.assert(
      fc.property(fc.array(words, { maxLength: 20 }), (tokens) => {
        const gist = ` ${tokens.join(' ')} . `;
        const left = withoutFooter(gist);
        expect(gist.startsWith(left.trimEnd())).toBe(true);
      }),
    );
  });
});

describe('a list of who asked when', () => {
  test('is left out, if it has two items or more', () => {
    const footer = 'time (Jan 4 15:42:00), client (192.168.1.248) and server (mail1.example.com).';
    expect(withoutListings(`User unknown. ${footer}`).trim()).toBe('User unknown.');
    expect(withoutListings('User unknown; client=192.0.2.1; helo=mx.example').trim()).toBe('User unknown;');
    expect(withoutListings('Client host (192.0.2.1) blocked')).toBe('Client host (192.0.2.1) blocked');
    expect(gistOf(`User unknown. ${footer}`)).toBe(' BOX gone . . ');
  });
});
