import { type Answer, decode, type DecodedPacket, encode } from 'dns-packet';
import * as fc from 'fast-check';
import { expect, test } from 'vitest';
import { type DnsRecord, type Question, readAnswer, type Said } from './message.ts';
import { runs } from '../../../schema/testing/fuzz.ts';

// Every well-formed message is read as the library reads it, and no bytes at all do harm.

const TTLS = [0, 60, 2_147_483_647, 4_294_967_295];
const AUTHORITATIVE = 0x400;
const label = fc.stringMatching(/^[a-z0-9_-]{1,63}$/);
const anyName = fc.array(label, { minLength: 1, maxLength: 3 }).map((labels) => labels.join('.'));

/** A record of any kind; the names are few, so that they stand for each other. */
function anyRecord(names: fc.Arbitrary<string>): fc.Arbitrary<Answer> {
  const ttl = fc.constantFrom(...TTLS);
  const of = <Data>(data: fc.Arbitrary<Data>) => fc.record({ name: names, ttl, data });
  const text = fc.array(fc.stringMatching(/^[ -~]{0,40}$/), { minLength: 1, maxLength: 3 });
  return fc.oneof(
    of(fc.ipV4()).map((one) => ({ type: 'A' as const, ...one })),
    of(fc.constantFrom('2001:db8::1', '::1', '2001:db8:0:1::')).map((one) => ({ type: 'AAAA' as const, ...one })),
    of(fc.record({ preference: fc.nat(65_535), exchange: names })).map((one) => ({ type: 'MX' as const, ...one })),
    of(names).map((one) => ({ type: 'CNAME' as const, ...one })),
    of(names).map((one) => ({ type: 'PTR' as const, ...one })),
    of(names).map((one) => ({ type: 'NS' as const, ...one })),
    of(text).map((one) => ({ type: 'TXT' as const, ...one })),
    of(fc.record({ mname: names, rname: names })).map((one) => ({ type: 'SOA' as const, ...one })),
  );
}

const anyAnswer = fc.array(anyName, { minLength: 1, maxLength: 4 }).chain((pool) => {
  const names = fc.constantFrom(...pool);
  return fc.record({
    question: fc.record({ name: names, type: fc.constantFrom<Question['type']>('A', 'AAAA', 'MX', 'PTR', 'TXT') }),
    answers: fc.array(anyRecord(names), { maxLength: 8 }),
    authorities: fc.array(anyRecord(names), { maxLength: 3 }),
    additionals: fc.array(anyRecord(names), { maxLength: 3 }),
    isAuthoritative: fc.boolean(),
  });
});

/** What was said, by the library's reading. */
function readByLibrary(
  { answers = [], authorities = [], flag_aa: isAuthoritative }: DecodedPacket,
  asked: Question,
): Said {
  const isReferral = authorities.some(({ type }) => type === 'NS') && !authorities.some(({ type }) => type === 'SOA');
  if (answers.length === 0) return { kind: isReferral && !isAuthoritative ? 'refused' : 'none' };
  const targets = new Map<string, string>();
  for (const one of answers) if (one.type === 'CNAME') targets.set(one.name, one.data);
  const passed = new Set([asked.name]);
  let end = asked.name;
  for (let next = targets.get(end); next !== undefined; next = targets.get(end)) {
    if (passed.has(next)) return { kind: 'none' };
    passed.add(next);
    end = next;
  }
  const records = answers.flatMap((one) => (one.name === end && one.type === asked.type ? recordOf(one) : []));
  if (records.length > 0) return { kind: 'found', records };
  return { kind: end !== asked.name && answers.every(({ type }) => type === 'CNAME') ? 'none' : 'refused' };
}

function recordOf(one: Answer): DnsRecord[] {
  if (one.type === 'A' || one.type === 'AAAA' || one.type === 'PTR') return [{ type: one.type, data: one.data }];
  if (one.type === 'TXT') return [{ type: 'TXT', data: [one.data].flat().join('') }];
  if (one.type !== 'MX') return [];
  return [{ type: 'MX', exchange: one.data.exchange, preference: one.data.preference ?? 0 }];
}

type AnyAnswer = typeof anyAnswer extends fc.Arbitrary<infer One> ? One : never;

function messageOf({ question, isAuthoritative, ...sections }: AnyAnswer): Buffer {
  const questions = [{ ...question, class: 'IN' as const }];
  return encode({ type: 'response', id: 7, flags: isAuthoritative ? AUTHORITATIVE : 0, questions, ...sections });
}

test('every well-formed message is read as the library reads it', () => {
  fc.assert(
    fc.property(anyAnswer, (answer) => {
      const message = messageOf(answer);
      expect(readAnswer(message, answer.question)).toEqual(readByLibrary(decode(message), answer.question));
    }),
    { numRuns: runs(500) },
  );
});

test('a message of which any octets are others is read without an exception, and finds only what was asked for', () => {
  const changes = fc.array(fc.tuple(fc.nat(600), fc.nat(255)), { minLength: 1, maxLength: 5 });
  fc.assert(
    fc.property(anyAnswer, changes, fc.nat(100), (answer, octets, cut) => {
      const message = messageOf(answer);
      for (const [at, octet] of octets) if (at < message.length) message.writeUInt8(octet, at);
      const said = readAnswer(message.subarray(0, Math.max(12, message.length - cut)), answer.question);
      if (said.kind !== 'found') return;
      for (const { type } of said.records) expect(type).toBe(answer.question.type);
    }),
    { numRuns: runs(500) },
  );
});
