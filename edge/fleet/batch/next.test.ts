import * as fc from 'fast-check';
import { describe, expect, it } from 'vitest';
import type { Outcome } from '../../../schema/evidence.ts';
import { DELIVERABLE } from '../../../schema/testing/evidence.ts';
import { seen } from '../../../schema/testing/link-evidence.ts';
import { makeMember } from '../../testing/member.ts';
import type { Hosts, Member } from '../trust/host.ts';
import type { Heard } from '../trust/rules.ts';
import { ANSWERS_MAX, type Known, LOSSES_MAX, type Next, next } from './next.ts';

const OUTCOMES = {
  denied: { kind: 'no_mail_domain', why: 'nxdomain' },
  private: { kind: 'mx_private' },
  failed: { kind: 'mx_lookup_failed' },
  silent: { kind: 'timeout', greeted: false },
  refused: { kind: 'connection_error', greeted: false },
  accepted: DELIVERABLE,
  none: { kind: 'no_such_mailbox', reply: { code: 550, enhanced: '5.1.1' } },
  /** From an implicit MX. */
  invented: DELIVERABLE,
  policy: { kind: 'policy_rejected', reply: { code: 550, enhanced: '5.7.1' } },
  sick: { kind: 'unprobed', why: 'host', waitS: null },
  late: { kind: 'unprobed', why: 'deadline', waitS: null },
  rest: { kind: 'unprobed', why: 'cooldown', waitS: 60 },
} as const satisfies Record<string, Outcome>;
type Name = keyof typeof OUTCOMES;

const member = (host: string): Member => makeMember({ host, instance: host, egress: [`${host}'s`] });

/** `a:denied b:accepted` is what hosts reported; `x!` does not work, `x-` was lost with the address. */
function addressOf(said: string): { readonly known: Known; readonly broken: ReadonlySet<string> } {
  const [heard, tried, broken]: [Heard[], Member[], Set<string>] = [[], [], new Set()];
  for (const word of said.split(' ').filter((one) => one !== '')) {
    const [, host = '', mark = '', name = ''] = /^(\w)([!-]?):?(\w*)$/.exec(word) ?? [];
    tried.push(member(host));
    if (mark === '!') broken.add(host);
    const [found] = Object.entries(OUTCOMES).filter(([one]) => one === name);
    if (found === undefined) continue;
    // Each report has a row of its own, with or without MX.
    const evidence = { ...seen(found[1]), mx: 500 + heard.length };
    heard.push({ from: member(host), evidence, isImplicit: name === 'invented' || name === 'denied' });
  }
  const losses = tried.length - heard.length;
  return { known: { heard, tried, losses }, broken };
}

function hostsOf(names: string, broken: ReadonlySet<string> = new Set(), avoided = ''): Hosts {
  const members = names.split('').map(member);
  const [works, isAvoided] = [
    ({ host }: Pick<Member, 'host'>) => !broken.has(host),
    ({ host }: Pick<Member, 'host'>) => avoided.includes(host),
  ];
  return { members, works, isAvoided };
}

/** The next step: the kind of outcome that is final, `ask` and the hosts, or `wait` and `lost`. */
function fate(said: string, names: string, isLate = false): string {
  const { known, broken } = addressOf(said);
  return inWords(next(known, hostsOf(names, broken), isLate));
}

function inWords(step: Next): string {
  if (step.kind === 'ask') return `ask ${step.whom.map(({ host }) => host).join('')}`;
  return step.kind === 'final' ? step.evidence.outcome.kind : step.kind;
}

describe('an address without any report', () => {
  it.each([
    ['', 'ab', 'ask ab'],
    ['', '', 'wait'],
    ['a-', 'ab', 'ask b'],
    ['a-', 'a', 'wait'],
    ['a- b-', 'abc', 'ask c'],
    ['a- b- c-', 'abcd', 'lost'],
  ])('%j of hosts %j: %s', (said, names, expected) => {
    expect(fate(said, names)).toBe(expected);
  });
});

describe('a denial by DNS', () => {
  it.each([
    ['is put to a second host', 'a:denied', 'abc', 'ask bc'],
    ['is final when two hosts report it', 'a:denied b:denied', 'abc', 'no_mail_domain'],
    ['of another kind confirms it, and the more specific one counts', 'a:denied b:private', 'abc', 'mx_private'],
    ['that is a failed lookup twice is final', 'a:failed b:failed', 'abc', 'mx_lookup_failed'],
    ['beside a failed lookup is put to a third', 'a:denied b:failed', 'abc', 'ask c'],
    ['is confirmed by the third', 'a:denied b:failed c:denied', 'abc', 'no_mail_domain'],
    ['beside a failed lookup is not charged if there is no third', 'a:denied b:failed', 'ab', 'unprobed'],
    ['is accepted from a lone host', 'a:denied', 'a', 'no_mail_domain'],
    ['is not accepted from a lone host that is broken', 'a!:denied', 'a', 'unprobed'],
    ['from a broken host confirms nothing', 'a!:denied b:denied', 'abc', 'ask c'],
    ['is refuted by a server behind an MX', 'a:denied b:accepted', 'ab', 'accepted'],
    ['is put to a third if the server is an implicit MX', 'a:denied b:invented', 'abc', 'ask c'],
    [
      'against such a server is final when a third confirms it',
      'a:denied b:invented c:denied',
      'abc',
      'no_mail_domain',
    ],
    ['against such a server is refuted when a third finds it too', 'a:denied b:invented c:invented', 'abc', 'accepted'],
    ['against such a server is not charged if there is no third', 'a:denied b:invented', 'ab', 'unprobed'],
    ['beside a silent server is put to a third', 'a:denied b:silent', 'abc', 'ask c'],
    ['is outvoted by two that found a silent server', 'a:denied b:silent c:refused', 'abc', 'timeout'],
    ['is not charged if the second host was lost with it', 'a:denied b-', 'ab', 'unprobed'],
    ['stands if the second host is sick and has left', 'a:denied b:sick', 'a', 'no_mail_domain'],
    ['is not charged if the second host found a server in cool-down', 'a:denied b:rest', 'ab', 'unprobed'],
  ])('%s', (_what, said, names, expected) => {
    expect(fate(said, names)).toBe(expected);
  });

  it('is not charged if no second host answers in time, and stands if there is no other host', () => {
    expect(fate('a:denied', 'ab', true)).toBe('unprobed');
    expect(fate('a:denied', 'a', true)).toBe('no_mail_domain');
  });
});

describe('silence', () => {
  it.each([
    ['is accepted from a working host', 'a:silent', 'ab', 'timeout'],
    ['from a broken host is put to another', 'a!:silent', 'ab', 'ask b'],
    ['from a broken host is not charged if there is no other', 'a!:silent', 'a', 'unprobed'],
    ['from a broken host is overruled by an answer', 'a!:silent b:accepted', 'ab', 'accepted'],
    ['from three broken hosts is not charged', 'a!:silent b!:silent c!:refused', 'abcd', 'unprobed'],
  ])('%s', (_what, said, names, expected) => {
    expect(fate(said, names)).toBe(expected);
  });
});

describe('an answer', () => {
  it.each([
    ['of a mail server is final', 'a:none', 'ab', 'no_such_mailbox'],
    ['of an implicit MX is final if no host denies the domain', 'a:invented', 'ab', 'accepted'],
    ['that rejects the host is put to one with another address', 'a:policy', 'ab', 'ask b'],
    ['that rejects two hosts is final', 'a:policy b:policy', 'abc', 'policy_rejected'],
    ['that rejects the host counts if there is no other host', 'a:policy', 'a', 'policy_rejected'],
    ['counts as far as it got', 'a:policy b:silent', 'abc', 'policy_rejected'],
    ['missing from a sick host is asked from another', 'a:sick', 'ab', 'ask b'],
    ['that came too late does not count', 'a:late', 'ab', 'unprobed'],
    ['that the first host declined is asked from another', 'a:rest', 'ab', 'ask b'],
  ])('%s', (_what, said, names, expected) => {
    expect(fate(said, names)).toBe(expected);
  });
});

describe('the hosts to ask', () => {
  it('exclude avoided and broken hosts while others are there', () => {
    const { known } = addressOf('a:denied');
    const rosters = [
      hostsOf('abcd', new Set('b'), 'c'),
      hostsOf('abc', new Set('b'), 'c'),
      hostsOf('ac', new Set(), 'c'),
    ];
    expect(rosters.map((hosts) => inWords(next(known, hosts, false)))).toEqual(['ask d', 'ask b', 'ask c']);
  });

  it.each([
    ['a:accepted', 'ask bcd'],
    ['a:accepted b:accepted', 'accepted'],
    ['a:accepted b:none', 'ask cd'],
    ['a:accepted b:none c:none', 'accepted'],
  ])('are, for a comparison, another one in any case and a third if two differ: %s', (said, expected) => {
    expect(inWords(next(addressOf(said).known, hostsOf('abcd'), false, true))).toBe(expected);
  });
});

it('an address always settles, asks no host twice, and is never charged on the word of one broken host', () => {
  const names = fc.constantFrom<Name[]>(
    'denied',
    'private',
    'failed',
    'silent',
    'refused',
    'accepted',
    'policy',
    'sick',
    'rest',
  );
  const truth = fc.constantFrom<Name[]>('denied', 'accepted', 'none', 'silent');
  fc.assert(
    fc.property(fc.array(names, { minLength: 6, maxLength: 6 }), truth, fc.nat(5), (lies, real, brokenHost) => {
      const hosts = ['a', 'b', 'c', 'd', 'e', 'f'];
      const broken = new Set([hosts[brokenHost] ?? '']);
      let said = '';
      for (let asks = 0; asks <= ANSWERS_MAX + LOSSES_MAX; asks += 1) {
        const { known } = addressOf(said);
        const step = next(known, hostsOf('abcdef', broken), false);
        if (step.kind === 'final') {
          const { kind } = step.evidence.outcome;
          expect([OUTCOMES[real].kind, 'unprobed', 'accepted', 'policy_rejected', 'no_such_mailbox']).toContain(kind);
          return;
        }
        if (step.kind !== 'ask') throw new Error(step.kind);
        const [to] = step.whom;
        expect(said).not.toContain(`${to?.host}:`);
        said += ` ${to?.host}:${broken.has(to?.host ?? '') ? lies[asks] : real}`;
      }
      throw new Error(`no end: ${said}`);
    }),
  );
});
