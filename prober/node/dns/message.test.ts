import { isIP } from 'node:net';
import { type Answer, decode, encode, type Packet, TRUNCATED_RESPONSE } from 'dns-packet';
import * as fc from 'fast-check';
import { describe, expect, it } from 'vitest';
import { answerTo } from '../../testing/raw-name-server.ts';
import { encodeQuestion, readAnswer, type Question } from './message.ts';
import { runs } from '../../../schema/testing/fuzz.ts';

const MX: Question = { name: 'd.test', type: 'MX' };
const A: Question = { name: 'd.test', type: 'A' };

/** The question without the length in front of it. */
const bare = (question: Question, id = 7): Buffer => encodeQuestion(question, id).subarray(2);
const packetOf = (question: Question) => decode(bare(question));
const read = (question: Question, answers: Answer[], more: Packet = {}) =>
  readAnswer(answerTo({ packet: packetOf(question) }, answers, more), question);
const withCode = (message: Buffer, code: number): Buffer => {
  message.writeUInt8(code, 3);
  return message;
};

const a = (name: string, data: string): Answer => ({ type: 'A', name, data });
const alias = (name: string, data: string): Answer => ({ type: 'CNAME', name, data });

describe('readAnswer', () => {
  it("returns host names in lower case without the last dot, and the root as ''", () => {
    const answers: Answer[] = [
      { type: 'MX', name: 'D.test', data: { preference: 10, exchange: 'MX.D.Test' } },
      { type: 'MX', name: 'd.TEST', data: { preference: 0, exchange: '.' } },
    ];
    expect(read(MX, answers)).toEqual({
      kind: 'found',
      records: [
        { exchange: 'mx.d.test', preference: 10 },
        { exchange: '', preference: 0 },
      ],
    });
  });

  const found = { kind: 'found', records: ['192.0.2.1'] };
  it.each<[string, Answer[], object]>([
    ['a chain of aliases', [alias('d.test', 'E.test'), alias('e.test', 'f.test'), a('f.test', '192.0.2.1')], found],
    [
      'the same in another order',
      [a('f.test', '192.0.2.1'), alias('e.test', 'f.test'), alias('d.test', 'e.test')],
      found,
    ],
    ['records of other names beside', [a('d.test', '192.0.2.1'), a('bank.test', '192.0.2.9')], found],
    ['an alias to a name without', [alias('d.test', 'e.test')], { kind: 'none' }],
    ['only records of another name', [a('bank.test', '192.0.2.9')], { kind: 'refused' }],
    [
      'an alias and a record of a third name',
      [alias('d.test', 'e.test'), a('f.test', '192.0.2.9')],
      { kind: 'refused' },
    ],
    ['aliases in a circle', [alias('d.test', 'e.test'), alias('e.test', 'd.test')], { kind: 'none' }],
    ['records of another type', [{ type: 'AAAA', name: 'd.test', data: '2001:db8::1' }], { kind: 'refused' }],
    ['nothing', [], { kind: 'none' }],
  ])('reads %s', (_what, answers, said) => {
    expect(read(A, answers)).toEqual(said);
  });

  it('does not accept a referral as an answer, and reads an SOA as NODATA', () => {
    const ns: Answer = { type: 'NS', name: 'test', data: 'ns.test' };
    const soa: Answer = { type: 'SOA', name: 'test', data: { mname: 'ns.test', rname: 'root.test' } };
    expect(read(A, [], { flags: 0, authorities: [ns] })).toEqual({ kind: 'refused' });
    expect(read(A, [], { flags: 0, authorities: [ns, soa] })).toEqual({ kind: 'none' });
  });

  it.each([
    ['FORMERR', 1, 'refused'],
    ['SERVFAIL', 2, 'refused'],
    ['NXDOMAIN', 3, 'nxdomain'],
    ['NOTIMP', 4, 'refused'],
    ['REFUSED', 5, 'refused'],
    ['a code of the future', 15, 'refused'],
  ])('reads %s', (_name, code, kind) => {
    expect(readAnswer(withCode(answerTo({ packet: packetOf(A) }, []), code), A)).toEqual({ kind });
  });

  it.each<[string, Answer[], object]>([
    ['an alias to it', [alias('d.test', 'e.test')], { kind: 'nxdomain' }],
    ['records of another name', [a('e.test', '192.0.2.1')], { kind: 'nxdomain' }],
    ['records of its own', [a('d.test', '192.0.2.1')], { kind: 'refused' }],
  ])('reads NXDOMAIN with %s', (_what, answers, said) => {
    expect(readAnswer(withCode(answerTo({ packet: packetOf(A) }, answers), 3), A)).toEqual(said);
  });

  it('learns nothing from a truncated answer, even if it has records', () => {
    expect(read(A, [a('d.test', '192.0.2.1')], { flags: TRUNCATED_RESPONSE })).toEqual({ kind: 'refused' });
  });

  it.each([
    ['a question', bare(A)],
    ['eleven bytes', answerTo({ packet: packetOf(A) }, []).subarray(0, 11)],
    ['another opcode', Buffer.from([0, 7, 0xa8, 0, 0, 0, 0, 0, 0, 0, 0, 0])],
  ])('rejects %s', (_what, message) => {
    expect(readAnswer(message, A)).toEqual({ kind: 'refused' });
  });

  it.each<[string, Packet['questions']]>([
    ['another name', [{ name: 'e.test', type: 'A', class: 'IN' }]],
    ['another type', [{ name: 'd.test', type: 'AAAA', class: 'IN' }]],
    ['another class', [{ name: 'd.test', type: 'A', class: 'CH' }]],
    ['nothing', []],
  ])('rejects an answer to %s', (_what, questions) => {
    expect(read(A, [a('d.test', '192.0.2.1')], { questions })).toEqual({ kind: 'refused' });
  });

  it('reads an error without a question as a refusal', () => {
    expect(readAnswer(withCode(answerTo({ packet: { ...packetOf(A), questions: [] } }, []), 1), A)).toEqual({
      kind: 'refused',
    });
  });

  it('reads no address from a message that ends too early', () => {
    const message = answerTo({ packet: packetOf(A) }, [a('d.test', '192.0.2.1')]);
    for (let cut = 1; cut < 16; cut += 1) expect(readAnswer(message.subarray(0, -cut), A)).toEqual({ kind: 'refused' });
  });

  it('reads any bytes without an exception, and finds only what was asked for', () => {
    const whole = encode({
      ...packetOf(A),
      type: 'response',
      answers: [alias('d.test', 'e.test'), a('e.test', '192.0.2.1'), a('e.test', '192.0.2.2')],
    });
    const changes = fc.array(fc.tuple(fc.nat(whole.length - 1), fc.nat(255)), { maxLength: 6 });
    fc.assert(
      fc.property(changes, fc.nat(whole.length), (bytes, length) => {
        const message = Buffer.from(whole);
        for (const [at, value] of bytes) message.writeUInt8(value, at);
        const said = readAnswer(message.subarray(0, Math.max(12, length)), A);
        if (said.kind === 'found')
          for (const record of said.records) expect(typeof record === 'string' && isIP(record)).toBe(4);
      }),
      { numRuns: runs(1_000) },
    );
    fc.assert(
      fc.property(fc.uint8Array({ minLength: 12, maxLength: 600 }), (bytes) => {
        expect(readAnswer(Buffer.from(bytes), A).kind).not.toBe('found');
      }),
    );
  });
});
