import { beforeAll, describe, expect } from 'vitest';
import { Rcpt } from '../../schema/client/index.ts';
import { WORLD } from '../sandbox/world.ts';
import { REASONS } from '../../schema/words/reasons.ts';
import type { OpenResult } from '../../schema/words/result.ts';
import { RESULTS, STATUSES } from '../../schema/words/verdicts.ts';
import { claim } from './testing/claim.ts';
import { results } from './testing/reply.ts';
import { customer, given, verify } from './testing/service.ts';

// Section 2.2 and 1: what each field means, seen on every address of the sandbox that is answered at once; in the bare
// answer, and in what the client makes of it.

const QUICK = WORLD.filter((row) => row.takesS === 0);
const DISPOSABLE = 'ok@sandbox.mailinator.com';
const FREE = 'anyone@gmail.com';
const TYPO = 'ok@gmail.con';

type Ask = (entries: readonly string[], key: string) => Promise<readonly OpenResult[]>;
const WAYS: ReadonlyArray<readonly [way: string, ask: Ask]> = [
  ['over HTTP', async (entries, key) => results(await verify(entries, { key }))],
  ['through the client', (entries, key) => new Rcpt({ apiKey: key, baseURL: given().url }).verify(entries)],
];

describe.each(WAYS)('%s', (_way, ask) => {
  const seen = new Map<string, OpenResult>();
  beforeAll(async () => {
    if (!given().isSandbox) return;
    const { key } = await customer(200);
    const entries = [...QUICK.map((row) => row.address), FREE];
    const read = await ask(entries, key);
    for (const [i, entry] of entries.entries()) {
      const result = read[i];
      if (result !== undefined) seen.set(entry, result);
    }
  });

  function of(address: string): OpenResult {
    const result = seen.get(address);
    if (result === undefined) throw new Error(`${address} was not asked about`);
    return result;
  }
  const all = (): readonly OpenResult[] => [...seen.values()];

  /** The results for which a field says something other than for the rest. */
  function where(holds: (result: OpenResult) => boolean): ReadonlySet<string> {
    return new Set([...seen].filter(([, result]) => holds(result)).map(([address]) => address));
  }

  describe('the service', () => {
    claim('1', 'checks each address by syntax, MX and an SMTP conversation', 'sandbox', async () => {
      expect(of('two words@deliverable.test')).toMatchObject({ syntax: false, mx_found: false, smtp_check: false });
      expect(of('anyone@nxdomain.test')).toMatchObject({ syntax: true, mx_found: false, smtp_check: false });
      expect(of('anyone@refused.test')).toMatchObject({ syntax: true, mx_found: true, smtp_check: false });
      expect(of('ok@deliverable.test')).toMatchObject({ syntax: true, mx_found: true, smtp_check: true });
    });
    claim('1', 'gives every address of its sandbox the verdict that its table says', 'sandbox', async () => {
      for (const row of QUICK) expect(of(row.address)).toEqual(row.expected);
    });
  });

  describe('result', () => {
    claim('2.2', '`result` is `deliverable` if SMTP confirmed the mailbox', 'sandbox', async () => {
      expect(of('ok@deliverable.test')).toMatchObject({ result: 'deliverable', smtp_code: 250, reason: null });
    });
    claim('2.2', '`result` is `undeliverable` if SMTP rejected the address', 'sandbox', async () => {
      expect(of('nobody@deliverable.test')).toMatchObject({ result: 'undeliverable', smtp_code: 550 });
    });
    claim('2.2', '`result` is `catch-all` if the server accepts every address', 'sandbox', async () => {
      expect(of('anyone@catchall.test').result).toBe('catch-all');
    });
    claim('2.2', '`result` is `unknown` if nothing could be determined', 'sandbox', async () => {
      for (const address of ['anyone@refused.test', 'greylisted@deliverable.test', 'anyone@mail-rejected.test'])
        expect(of(address).result).toBe('unknown');
    });
    claim('2.2', '`result` and `status` take each of their values', 'sandbox', async () => {
      expect(new Set(all().map(({ result }) => result))).toEqual(new Set(RESULTS));
      expect(new Set(all().map(({ status }) => status))).toEqual(new Set(STATUSES));
    });
  });

  describe('status', () => {
    claim(
      '2.2',
      '`status` is `valid` if the address is deliverable and clean, and nowhere else',
      'sandbox',
      async () => {
        const clean = where((r) => r.result === 'deliverable' && r.reason === null && !r.role_based && !r.disposable);
        expect(where((r) => r.status === 'valid')).toEqual(clean);
      },
    );
    claim('2.2', '`status` is `invalid` on bad syntax, no MX or a rejected mailbox', 'sandbox', async () => {
      for (const address of ['two words@deliverable.test', 'anyone@null-mx.test', 'nobody@deliverable.test'])
        expect(of(address).status).toBe('invalid');
      expect(where((r) => r.status === 'invalid')).toEqual(where((r) => r.result === 'undeliverable'));
    });
    claim(
      '2.2',
      '`status` is `risky` if an address is accepted but uncertain: catch-all, role, a provider that blocks probing, over quota',
      'sandbox',
      async () => {
        const risky = [
          'anyone@catchall.test',
          'info@deliverable.test',
          'anyone@blocks-probe.test',
          'full@deliverable.test',
        ];
        for (const address of risky) expect(of(address).status).toBe('risky');
      },
    );
    claim('2.2', '`status` is `unknown` if the probe could not tell, for now or for good', 'sandbox', async () => {
      const unknown = [
        'greylisted@deliverable.test',
        'anyone@mail-deferred.test',
        'anyone@refused.test',
        'anyone@servfail.test',
        'anyone@blocked.test',
        'anyone@hangs-up.test',
        'anyone@ehlo-rejected.test',
        'anyone@mail-rejected.test',
      ];
      for (const address of unknown) expect(of(address).status).toBe('unknown');
    });
  });

  describe('score', () => {
    claim('2.2', '`score` is an integer from 0 to 100', 'sandbox', async () => {
      for (const { score } of all()) expect(Number.isInteger(score) && score >= 0 && score <= 100).toBe(true);
    });
    claim('1', '`score` is derived from the other signals of the same result alone', 'sandbox', async () => {
      const scores = new Map<string, number>();
      for (const { score, email: _email, mx_records: _mx, did_you_mean: meant, ...signals } of all()) {
        const same = JSON.stringify({ ...signals, typo: meant !== null });
        expect(score).toBe(scores.get(same) ?? score);
        scores.set(same, score);
      }
      expect(scores.size).toBeLessThan(all().length);
    });
    claim('2.2', '`score` is deterministic: asked again, the result is the same', 'sandbox', async () => {
      const { key } = await customer(2);
      const emails = ['ok@deliverable.test', 'anyone@catchall.test'];
      expect(await ask(emails, key)).toEqual(emails.map(of));
    });
    claim('2.2', '`score` is 90 or above if an address is deliverable and clean', 'sandbox', async () => {
      const clean = all().filter((r) => r.status === 'valid' && r.did_you_mean === null);
      for (const { score } of clean) expect(score).toBeGreaterThanOrEqual(90);
    });
    claim('2.2', '`score` is about 65 for a provider that blocks probing', 'sandbox', async () => {
      expect(of('anyone@blocks-probe.test').score).toBe(65);
    });
    claim('2.2', '`score` is about 55 for a catch-all domain', 'sandbox', async () => {
      expect(of('anyone@catchall.test').score).toBe(55);
    });
    claim('2.2', '`score` is about 50 if the recipient was greylisted', 'sandbox', async () => {
      expect(of('greylisted@deliverable.test').score).toBe(50);
    });
    claim(
      '2.2',
      '`score` is about 30 if nothing was determined, or deferred before the mailbox',
      'sandbox',
      async () => {
        for (const address of ['anyone@servfail.test', 'anyone@refused.test', 'anyone@mail-deferred.test'])
          expect(of(address).score).toBe(30);
      },
    );
    claim('2.2', '`score` is 15 or below for a disposable domain', 'sandbox', async () => {
      expect(of(DISPOSABLE)).toMatchObject({ result: 'deliverable', status: 'risky', score: 15 });
    });
    claim('2.2', '`score` is 0 if the address is invalid, and nowhere else', 'sandbox', async () => {
      expect(where((r) => r.score === 0)).toEqual(where((r) => r.status === 'invalid'));
    });
    claim('2.2', '`score` is lower for a role and for a suspected typo', 'sandbox', async () => {
      expect(of('info@deliverable.test').score).toBeLessThan(of('ok@deliverable.test').score);
      expect(of(TYPO).score).toBeLessThan(of('ok@deliverable.test').score);
    });
  });

  describe('reason', () => {
    claim('2.2', '`reason` is null or one of sixteen values, and each is given', 'sandbox', async () => {
      const slow = new Set(WORLD.filter((row) => row.takesS > 0).map((row) => row.expected.reason));
      const quick = new Set(all().map(({ reason }) => reason));
      expect(new Set([...quick, ...slow])).toEqual(new Set([null, ...REASONS]));
    });
    claim('2.2', '`reason` is null for a plain `deliverable`', 'sandbox', async () => {
      expect(of('ok@deliverable.test').reason).toBeNull();
    });
    claim('2.2', '`accept_all`: the domain is catch-all', 'sandbox', async () => {
      expect(where((r) => r.reason === 'accept_all')).toEqual(where((r) => r.catch_all));
    });
    claim('2.2', '`greylisting` and `provider_blocks_probe`: it cannot be probed now', 'sandbox', async () => {
      expect(of('greylisted@deliverable.test')).toMatchObject({ reason: 'greylisting', result: 'unknown' });
      expect(of('anyone@blocks-probe.test')).toMatchObject({ reason: 'provider_blocks_probe', result: 'unknown' });
    });
    claim('2.2', '`mailbox_full`: the mailbox exists and is over quota (4.2.2), `risky`', 'sandbox', async () => {
      const full = { result: 'deliverable', status: 'risky', reason: 'mailbox_full', smtp_enhanced_code: '4.2.2' };
      expect(of('full@deliverable.test')).toMatchObject(full);
    });
    claim('2.2', '`mx_unresolved`: `unknown` if the resolver had no answer', 'sandbox', async () => {
      expect(of('anyone@servfail.test')).toMatchObject({ reason: 'mx_unresolved', result: 'unknown' });
    });
    claim('2.2', '`mx_unresolved`: `undeliverable` if the MX host does not exist', 'sandbox', async () => {
      expect(of('anyone@mx-missing.test')).toMatchObject({ reason: 'mx_unresolved', result: 'undeliverable' });
    });
    claim(
      '2.2',
      'a deferral before the mailbox could be asked about is `greylisting`, not `deferred`',
      'sandbox',
      async () => {
        expect(of('anyone@mail-deferred.test')).toMatchObject({ reason: 'greylisting', smtp_code: null, score: 30 });
      },
    );
  });

  describe('the other fields', () => {
    claim('2.2', '`email` is the address, trimmed and lower-cased', 'sandbox', async () => {
      const { key } = await customer(1);
      expect((await ask(['  OK@Deliverable.TEST '], key))[0]).toEqual(of('ok@deliverable.test'));
    });
    claim('2.2', '`catch_all` is true if the domain accepts every address', 'sandbox', async () => {
      expect(where((r) => r.catch_all)).toEqual(where((r) => r.result === 'catch-all'));
    });
    claim('2.2', '`retry_after` is set on every temporary (4xx) deferral', 'sandbox', async () => {
      for (const address of ['greylisted', 'busy', 'full'].map((local) => `${local}@deliverable.test`))
        expect(of(address).retry_after).toBeGreaterThanOrEqual(60);
      for (const name of ['closing', 'greeting-421', 'mail-deferred'])
        expect(of(`anyone@${name}.test`).retry_after).toBeGreaterThanOrEqual(60);
    });
    claim('2.2', '`retry_after` is null if no retry is advised', 'sandbox', async () => {
      for (const address of [
        'ok@deliverable.test',
        'nobody@deliverable.test',
        'anyone@blocked.test',
        'anyone@nxdomain.test',
      ])
        expect(of(address).retry_after).toBeNull();
    });
    claim('2.2', '`smtp_code` is the code of the reply to RCPT', 'sandbox', async () => {
      expect(of('nobody@deliverable.test').smtp_code).toBe(550);
      expect(of('greylisted@deliverable.test').smtp_code).toBe(450);
    });
    claim('2.2', '`smtp_code` is null if no handshake took place', 'sandbox', async () => {
      for (const result of all().filter(({ smtp_check: met }) => !met)) expect(result.smtp_code).toBeNull();
    });
    claim('2.2', '`smtp_enhanced_code` is what was sent next to the code, null if nothing was', 'sandbox', async () => {
      expect(of('moved@deliverable.test').smtp_enhanced_code).toBe('5.1.6');
      expect(of('anyone@unexpected.test')).toMatchObject({ smtp_code: 554, smtp_enhanced_code: null });
    });
    claim('2.2', 'a `5.1.1` means that the mailbox does not exist', 'sandbox', async () => {
      const result = of('nobody@deliverable.test');
      expect(result).toMatchObject({ smtp_enhanced_code: '5.1.1', result: 'undeliverable', status: 'invalid' });
    });
    claim(
      '2.2',
      'a `5.7.x` means that the probe was refused and says nothing about the address',
      'sandbox',
      async () => {
        const result = of('anyone@blocked.test');
        expect(result).toMatchObject({ smtp_enhanced_code: '5.7.1', result: 'unknown', reason: 'policy_rejected' });
      },
    );
    claim('2.2', '`syntax` is whether the address is valid by the RFCs', 'sandbox', async () => {
      expect(where((r) => !r.syntax)).toEqual(where((r) => r.reason === 'invalid_syntax'));
    });
    claim('2.2', '`mx_found` is whether the domain publishes usable MX records', 'sandbox', async () => {
      expect(of('ok@deliverable.test').mx_found).toBe(true);
      for (const name of ['null-mx', 'no-records', 'nxdomain', 'private-mx', 'mx-missing'])
        expect(of(`anyone@${name}.test`).mx_found).toBe(false);
    });
    claim('2.2', '`smtp_check` is true after a conversation, a rejection too', 'sandbox', async () => {
      for (const address of ['ok@deliverable.test', 'nobody@deliverable.test', 'anyone@greeting-554.test'])
        expect(of(address).smtp_check).toBe(true);
    });
    claim('2.2', '`smtp_check` is false if the server was unreachable', 'sandbox', async () => {
      expect(of('anyone@refused.test').smtp_check).toBe(false);
    });
    claim('2.2', '`disposable` is whether the domain is listed as disposable', 'sandbox', async () => {
      expect(where((r) => r.disposable)).toEqual(new Set([DISPOSABLE]));
    });
    claim('2.2', '`role_based` is whether the local part is a role and no person', 'sandbox', async () => {
      expect(of('info@deliverable.test').role_based).toBe(true);
      expect(of('ok@deliverable.test').role_based).toBe(false);
    });
    claim('2.2', '`free_provider` is whether the domain belongs to a free mailbox provider', 'sandbox', async () => {
      expect(where((r) => r.free_provider)).toContain(FREE);
      expect(of('ok@deliverable.test').free_provider).toBe(false);
    });
    claim(
      '2.2',
      '`did_you_mean` corrects a likely typo of the domain, and is null without one',
      'sandbox',
      async () => {
        expect(of(TYPO).did_you_mean).toBe('ok@gmail.com');
        expect(where((r) => r.did_you_mean !== null)).toEqual(new Set([TYPO]));
      },
    );
    claim('2.2', '`mx_records` are the MX hosts in order of priority', 'sandbox', async () => {
      expect(of('ok@backup-mx.test').mx_records).toEqual(['mx1.backup-mx.test', 'mx2.backup-mx.test']);
    });
    claim('2.2', '`mx_records` is empty if there are none', 'sandbox', async () => {
      for (const address of ['anyone@nxdomain.test', 'anyone@null-mx.test', 'ok@implicit-mx.test'])
        expect(of(address).mx_records).toEqual([]);
    });
  });
});
