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
  /** By an implicit MX. */
  invented: DELIVERABLE,
  policy: { kind: 'policy_rejected', reply: { code: 550, enhanced: '5.7.1' } },
  sick: { kind: 'unprobed', why: 'host', waitS: null },
  late: { kind: 'unprobed', why: 'deadline', waitS: null },
  rest: { kind: 'unprobed', why: 'cooldown', waitS: 60 },
} as const satisfies Record<string, Outcome>;
type Name = keyof typeof OUTCOMES;

const member = (host: string): Member => makeMember({ host, instance: host, egress: [`${host}'s`] });

/** `a:denied b:accepted` is what hosts said; `x!` did not work, `x-` was lost with it. */
function addressOf(said: string): { readonly known: Known; readonly broken: ReadonlySet<string> } {
  const [heard, tried, broken]: [Heard[], Member[], Set<string>] = [[], [], new Set()];
  for (const word of said.split(' ').filter((one) => one !== '')) {
    const [, host = '', mark = '', name = ''] = /^(\w)([!-]?):?(\w*)$/.exec(word) ?? [];
    tried.push(member(host));
    if (mark === '!') broken.add(host);
    const [found] = Object.entries(OUTCOMES).filter(([one]) => one === name);
    if (found === undefined) continue;
    heard.push({ from: member(host), evidence: seen(found[1]), isImplicit: name === 'invented' });
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

/** What becomes of it: the kind of outcome that is final, `ask` and whom, or `wait` and `lost`. */
function fate(said: string, names: string, isLate = false): string {
  const { known, broken } = addressOf(said);
  return inWords(next(known, hostsOf(names, broken), isLate));
}

function inWords(step: Next): string {
  if (step.kind === 'ask') return `ask ${step.whom.map(({ host }) => host).join('')}`;
  return step.kind === 'final' ? step.evidence.outcome.kind : step.kind;
}

describe('an address that nobody has said anything of', () => {
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
    ['is final when two say it', 'a:denied b:denied', 'abc', 'no_mail_domain'],
    ['of another kind says the same, and the one that found more counts', 'a:denied b:private', 'abc', 'mx_private'],
    ['that two say of a look-up that failed is final', 'a:failed b:failed', 'abc', 'mx_lookup_failed'],
    ['beside a look-up that failed is put to a third', 'a:denied b:failed', 'abc', 'ask c'],
    ['is confirmed by the third', 'a:denied b:failed c:denied', 'abc', 'no_mail_domain'],
    ['beside a look-up that failed is free if there is no third', 'a:denied b:failed', 'ab', 'unprobed'],
    ['is believed of a lone host', 'a:denied', 'a', 'no_mail_domain'],
    ['of a lone host that does not work is not', 'a!:denied', 'a', 'unprobed'],
    ['of a host that does not work confirms nothing', 'a!:denied b:denied', 'abc', 'ask c'],
    ['is refuted by a server behind an MX', 'a:denied b:accepted', 'ab', 'accepted'],
    ['is put to a third if the server stands at an implicit MX', 'a:denied b:invented', 'abc', 'ask c'],
    ['and such a server: two denials are final', 'a:denied b:invented c:denied', 'abc', 'no_mail_domain'],
    ['and such a server: two servers are final', 'a:denied b:invented c:invented', 'abc', 'accepted'],
    ['and such a server are free if there is no third', 'a:denied b:invented', 'ab', 'unprobed'],
    ['beside a silent server is put to a third', 'a:denied b:silent', 'abc', 'ask c'],
    ['is outvoted by two that found a silent server', 'a:denied b:silent c:refused', 'abc', 'timeout'],
    ['is free if the second host was lost with it', 'a:denied b-', 'ab', 'unprobed'],
    ['is believed if the second host finds that it is sick, and is gone', 'a:denied b:sick', 'a', 'no_mail_domain'],
    ['is free if the second host lets the server rest, which it has found', 'a:denied b:rest', 'ab', 'unprobed'],
  ])('%s', (_what, said, names, expected) => {
    expect(fate(said, names)).toBe(expected);
  });

  it('is free when no second host answers in time, and believed of a lone host then too', () => {
    expect(fate('a:denied', 'ab', true)).toBe('unprobed');
    expect(fate('a:denied', 'a', true)).toBe('no_mail_domain');
  });
});

describe('silence', () => {
  it.each([
    ['is believed of a host that works', 'a:silent', 'ab', 'timeout'],
    ['of one that does not is put to another', 'a!:silent', 'ab', 'ask b'],
    ['of one that does not is free if there is no other', 'a!:silent', 'a', 'unprobed'],
    ['of one that does not counts for nothing beside a server', 'a!:silent b:accepted', 'ab', 'accepted'],
    ['of three that do not work is free', 'a!:silent b!:silent c!:refused', 'abcd', 'unprobed'],
  ])('%s', (_what, said, names, expected) => {
    expect(fate(said, names)).toBe(expected);
  });
});

describe('an answer', () => {
  it.each([
    ['of a mail server is final', 'a:none', 'ab', 'no_such_mailbox'],
    ['by an implicit MX is, if nobody denies the domain', 'a:invented', 'ab', 'accepted'],
    ['that turns the host away is put to one with another address', 'a:policy', 'ab', 'ask b'],
    ['that turns two away is final', 'a:policy b:policy', 'abc', 'policy_rejected'],
    ['that turns a host away counts if nobody else is there', 'a:policy', 'a', 'policy_rejected'],
    ['counts as far as it got', 'a:policy b:silent', 'abc', 'policy_rejected'],
    ['that a sick host cannot give, another does', 'a:sick', 'ab', 'ask b'],
    ['that came too late is none', 'a:late', 'ab', 'unprobed'],
    ['that the first host left to another is asked for there', 'a:rest', 'ab', 'ask b'],
  ])('%s', (_what, said, names, expected) => {
    expect(fate(said, names)).toBe(expected);
  });
});

describe('whom to ask', () => {
  it('leaves out hosts that are avoided or do not work while others are there', () => {
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
  ])('is, to compare hosts, another one whatever the first said, and a third if two differ: %s', (said, expected) => {
    expect(inWords(next(addressOf(said).known, hostsOf('abcd'), false, true))).toBe(expected);
  });
});

it('always ends, asks nobody twice, and charges nothing that one broken host alone has said', () => {
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
