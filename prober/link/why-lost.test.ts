import { describe, expect, it } from 'vitest';
import { CLOSE } from '../../schema/link.ts';
import { aheadOf, causeOf, type Ending, explainEnding } from './why-lost.ts';

const GONE: Ending = { code: 1006, status: 0, cause: null, aheadS: null };

describe('explainEnding', () => {
  it.each([
    ['nothing listens', { cause: 'ECONNREFUSED' }, false, /nothing listens there/],
    ['an unknown name', { cause: 'ENOTFOUND' }, false, /no such name/],
    ['a silent resolver', { cause: 'EAI_AGAIN' }, false, /resolver does not answer/],
    ['an expired certificate', { cause: 'CERT_HAS_EXPIRED' }, false, /certificate.*clock/],
    ['a removed host', { code: CLOSE.removed }, true, /admin host invite/],
    ['too many processes', { code: CLOSE.crowded }, true, /more than four/],
    ['an unknown host', { status: 401, aheadS: 2 }, true, /does not know this host/],
    ['a clock that is ahead', { status: 401, aheadS: 340 }, true, /is 340 s ahead of the edge's/],
    ['a clock that is behind', { status: 401, aheadS: -95 }, true, /is 95 s behind the edge's/],
    ['a clock just beyond what a token allows', { status: 401, aheadS: 30 }, true, /is 30 s ahead/],
    ['a host that the edge does not understand', { code: CLOSE.hello }, false, /roll it to the version of the edge/],
    ['another site', { status: 404 }, true, /check the origin/],
    ['a proxy', { status: 426 }, true, /takes the WebSocket upgrade away/],
  ])('gives advice for %s', (_name, known, refused, words) => {
    const explained = explainEnding({ ...GONE, ...known });
    expect(explained.refused).toBe(refused);
    expect(explained.hint).toMatch(words);
  });

  it.each([
    ['a connection that broke', {}],
    ['a busy edge', { status: 503 }],
    ['a cause that needs no explanation', { cause: 'EPIPE' }],
  ])('has no advice for %s', (_name, known) => {
    expect(explainEnding({ ...GONE, ...known })).toEqual({ refused: false, hint: null });
  });
});

describe('aheadOf', () => {
  it.each([
    ['Sat, 21 Nov 2026 12:00:00 GMT', 90],
    ['Sat, 21 Nov 2026 12:03:00 GMT', -90],
    ['yesterday', null],
    [undefined, null],
  ])('reads "%s" as %s s', (date, aheadS) => {
    expect(aheadOf(date, Date.parse('2026-11-21T12:01:30Z'))).toBe(aheadS);
  });
});

describe('causeOf', () => {
  it('returns the code and nothing that could contain an address', () => {
    expect(causeOf(Object.assign(new Error('connect ECONNREFUSED 192.0.2.1:443'), { code: 'ECONNREFUSED' }))).toBe(
      'ECONNREFUSED',
    );
    expect(causeOf(Object.assign(new Error('odd'), { code: 'mx.example.com' }))).toBeNull();
    expect(causeOf(new Error('odd'))).toBeNull();
    expect(causeOf('odd')).toBeNull();
  });
});
