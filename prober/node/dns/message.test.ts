import { BlockList, isIP } from 'node:net';
import { type Answer, decode, encode, type Packet, RECURSION_DESIRED, TRUNCATED_RESPONSE } from 'dns-packet';
import * as fc from 'fast-check';
import { describe, expect, it } from 'vitest';
import { answerTo } from '../../testing/raw-name-server.ts';
import { encodeQuestion, readAnswer, type Question } from './message.ts';
import { runs } from '../../../schema/testing/fuzz.ts';

const MX: Question = { name: 'd.test', type: 'MX' };
const A: Question = { name: 'd.test', type: 'A' };

/** The question without the length before it. */
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

/** A label of 63 octets. */
const label63: readonly number[] = [63, ...Array.from({ length: 63 }, () => 97)];

/** A record of class IN as it stands in a message. */
function recordOf(owner: readonly number[], type: number, data: readonly number[]): Buffer {
  return Buffer.from([...owner, 0, type, 0, 1, 0, 0, 0, 60, data.length >> 8, data.length & 0xff, ...data]);
}

/** An answer whose records are spelt by hand: the first begins at octet 24 if the question is about a `d.test`. */
function messageOf(question: Question, records: readonly Buffer[]): Buffer {
  const message = Buffer.concat([bare(question), ...records]);
  message.writeUInt16BE(0x8400, 2);
  message.writeUInt16BE(records.length, 6);
  return message;
}

describe('encodeQuestion', () => {
  it('asks one question, recursion desired, nothing else', () => {
    const bytes = [0, 24, 0, 7, 1, 0, 0, 1, 0, 0, 0, 0, 0, 0, 1, 100, 4, 116, 101, 115, 116, 0, 0, 15, 0, 1];
    expect([...encodeQuestion(MX, 7)]).toEqual(bytes);
  });

  it.each(['A', 'AAAA', 'MX', 'PTR', 'TXT'] as const)('spells any host name as the library does, for %s', (type) => {
    const label = fc.stringMatching(/^[a-z0-9_][a-z0-9_-]{0,62}$/);
    fc.assert(
      fc.property(fc.array(label, { minLength: 1, maxLength: 3 }), fc.nat(65_535), (labels, id) => {
        const name = labels.join('.');
        const packet = {
          type: 'query',
          id,
          flags: RECURSION_DESIRED,
          questions: [{ name, type, class: 'IN' }],
        } as const;
        expect(bare({ name, type }, id)).toEqual(encode({ ...packet, questions: [...packet.questions] }));
      }),
    );
  });
});

describe('readAnswer', () => {
  it('gives host names in lower case without the last dot, and the root as nothing', () => {
    const answers: Answer[] = [
      { type: 'MX', name: 'D.test', data: { preference: 10, exchange: 'MX.D.Test' } },
      { type: 'MX', name: 'd.TEST', data: { preference: 0, exchange: '.' } },
    ];
    expect(read(MX, answers)).toEqual({
      kind: 'found',
      records: [
        { type: 'MX', exchange: 'mx.d.test', preference: 10 },
        { type: 'MX', exchange: '', preference: 0 },
      ],
    });
  });

  it('joins the strings of a text record', () => {
    const answers: Answer[] = [{ type: 'TXT', name: 'd.test', data: ['v=spf1 ', '-all'] }];
    expect(read({ name: 'd.test', type: 'TXT' }, answers)).toEqual({
      kind: 'found',
      records: [{ type: 'TXT', data: 'v=spf1 -all' }],
    });
  });

  const found = { kind: 'found', records: [{ type: 'A', data: '192.0.2.1' }] };
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
    ['an alias of another name', [alias('bank.test', 'd.test')], { kind: 'refused' }],
    ['aliases in a circle', [alias('d.test', 'e.test'), alias('e.test', 'd.test')], { kind: 'none' }],
    ['records of another type', [{ type: 'AAAA', name: 'd.test', data: '2001:db8::1' }], { kind: 'refused' }],
    ['nothing', [], { kind: 'none' }],
  ])('reads %s', (_what, answers, said) => {
    expect(read(A, answers)).toEqual(said);
  });

  it('does not take a referral for an answer, and takes an SOA for NODATA', () => {
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

  it('learns nothing from an answer that is cut, even if it has records', () => {
    expect(read(A, [a('d.test', '192.0.2.1')], { flags: TRUNCATED_RESPONSE })).toEqual({ kind: 'refused' });
  });

  it.each([
    ['a question', bare(A)],
    ['eleven bytes', answerTo({ packet: packetOf(A) }, []).subarray(0, 11)],
    ['another opcode', Buffer.from([0, 7, 0xa8, 0, 0, 0, 0, 0, 0, 0, 0, 0])],
  ])('takes %s for no answer', (_what, message) => {
    expect(readAnswer(message, A)).toEqual({ kind: 'refused' });
  });

  it.each<[string, Packet['questions']]>([
    ['another name', [{ name: 'e.test', type: 'A', class: 'IN' }]],
    ['another type', [{ name: 'd.test', type: 'AAAA', class: 'IN' }]],
    ['another class', [{ name: 'd.test', type: 'A', class: 'CH' }]],
    ['nothing', []],
  ])('does not take an answer to %s for one', (_what, questions) => {
    expect(read(A, [a('d.test', '192.0.2.1')], { questions })).toEqual({ kind: 'refused' });
  });

  it('takes an error without a question for a refusal', () => {
    expect(readAnswer(withCode(answerTo({ packet: { ...packetOf(A), questions: [] } }, []), 1), A)).toEqual({
      kind: 'refused',
    });
  });

  it('reads no address out of a message that ends before it', () => {
    const message = answerTo({ packet: packetOf(A) }, [a('d.test', '192.0.2.1')]);
    for (let cut = 1; cut < 16; cut += 1) expect(readAnswer(message.subarray(0, -cut), A)).toEqual({ kind: 'refused' });
  });

  it('reads 100 records, and their owners by pointers to the question', () => {
    const ips = Array.from({ length: 100 }, (_, at) => `198.51.100.${at}`);
    const records = ips.map((data) => ({ type: 'A', data }));
    const owned = ips.map((data) => a('d.test', data));
    expect(read(A, owned)).toEqual({ kind: 'found', records });
    const pointed = ips.map((_, at) => recordOf([0xc0, 12], 1, [198, 51, 100, at]));
    expect(readAnswer(messageOf(A, pointed), A)).toEqual({ kind: 'found', records });
  });

  it('reads the rest of a name behind a pointer', () => {
    const mx = recordOf([0xc0, 12], 15, [0, 5, 2, 109, 120, 0xc0, 12]);
    const records = [{ type: 'MX', exchange: 'mx.d.test', preference: 5 }];
    expect(readAnswer(messageOf(MX, [mx]), MX)).toEqual({ kind: 'found', records });
  });

  it('goes on behind the first of several pointers', () => {
    const mx = recordOf([0xc0, 12], 15, [0, 5, 2, 109, 120, 0xc0, 12]);
    const at = 24 + mx.length - 5;
    const further = recordOf([0xc0, 12], 15, [0, 6, 1, 98, 0xc0, at]);
    const said = readAnswer(messageOf(MX, [mx, further, mx]), MX);
    const exchanges = said.kind === 'found' ? said.records.map((one) => one.type === 'MX' && one.exchange) : [];
    expect(exchanges).toEqual(['mx.d.test', 'b.mx.d.test', 'mx.d.test']);
  });

  const IP = [192, 0, 2, 1];
  it.each<[string, Buffer]>([
    ['a pointer to itself', recordOf([0xc0, 24], 1, IP)],
    ['a pointer beyond the end', recordOf([0xc0, 200], 1, IP)],
    ['a pointer into the header', recordOf([0xc0, 4], 1, IP)],
    ['a label of a type of its own', recordOf([0x41, 100, 0], 1, IP)],
    ['a name of more than 255 octets', recordOf([...Array.from({ length: 5 }, () => label63).flat(), 0], 1, IP)],
    ['an address that is too long', recordOf([0xc0, 12], 1, [...IP, 9])],
    ['an address that is too short', recordOf([0xc0, 12], 1, [192, 0, 2])],
    ['a text longer than its record', recordOf([0xc0, 12], 16, [5, 97])],
  ])('refuses a message with %s, no matter what else it has', (_what, record) => {
    const good = recordOf([0xc0, 12], 1, IP);
    expect(readAnswer(messageOf(A, [record, good]), A)).toEqual({ kind: 'refused' });
  });

  it('refuses a pointer to a name that comes later', () => {
    const later = recordOf([1, 100, 4, 116, 101, 115, 116, 0], 1, IP);
    const earlier = recordOf([0xc0, 40], 1, IP);
    expect(messageOf(A, [earlier, later]).subarray(40, 48)).toEqual(later.subarray(0, 8));
    expect(readAnswer(messageOf(A, [earlier, later]), A)).toEqual({ kind: 'refused' });
  });

  it('of more than a thousand records the first thousand count, and what is behind them may be anything', () => {
    const record = recordOf([0xc0, 12], 15, [0, 10, 0xc0, 12]);
    const long = messageOf(MX, [...Array.from({ length: 1_000 }, () => record), Buffer.from([0xc0])]);
    const said = readAnswer(long, MX);
    expect(said.kind === 'found' ? said.records.length : said).toBe(1_000);
  });

  it('does not conclude from the first thousand that there is nothing among the rest', () => {
    const aliases = Array.from({ length: 1_001 }, () => recordOf([0xc0, 12], 5, [1, 97, 0]));
    expect(readAnswer(messageOf(MX, aliases.slice(1)), MX)).toEqual({ kind: 'none' });
    expect(readAnswer(messageOf(MX, aliases), MX)).toEqual({ kind: 'refused' });
  });

  it('refuses a chain of pointers that is longer than any name', () => {
    const first = 36;
    // The first leads to the question, each one behind it to the one before.
    const pointers = Array.from({ length: 130 }, (_, at) => 0xc000 + (at === 0 ? 12 : first + 2 * (at - 1)));
    const octets = pointers.flatMap((pointer) => [pointer >> 8, pointer & 0xff]);
    const owner = 0xc000 + first + 2 * 129;
    const message = messageOf(A, [
      recordOf([0xc0, 12], 99, octets),
      recordOf([owner >> 8, owner & 0xff], 1, [192, 0, 2, 1]),
    ]);
    expect(message.indexOf(Buffer.from(octets))).toBe(first);
    expect(readAnswer(message, A)).toEqual({ kind: 'refused' });
  });

  it('takes no label with a dot in it for two, and no letter outside ASCII for one within', () => {
    const dotted = recordOf([6, 100, 46, 116, 101, 115, 116, 0], 1, IP);
    expect(readAnswer(messageOf(A, [dotted]), A)).toEqual({ kind: 'refused' });
    const kelvin = recordOf([3, 0xe2, 0x84, 0xaa, 4, 116, 101, 115, 116, 0], 1, IP);
    const asked: Question = { name: 'k.test', type: 'A' };
    expect(readAnswer(messageOf(asked, [kelvin]), asked)).toEqual({ kind: 'refused' });
  });

  it('passes over records of another class', () => {
    const chaos = recordOf([0xc0, 12], 1, IP);
    chaos.writeUInt16BE(3, 4);
    expect(readAnswer(messageOf(A, [chaos]), A)).toEqual({ kind: 'refused' });
  });

  it('spells any IPv6 address as one that Node reads alike', () => {
    const asked: Question = { name: 'd.test', type: 'AAAA' };
    fc.assert(
      fc.property(fc.uint8Array({ minLength: 16, maxLength: 16 }), (octets) => {
        const said = readAnswer(messageOf(asked, [recordOf([0xc0, 12], 28, [...octets])]), asked);
        const [record] = said.kind === 'found' ? said.records : [];
        const data = record?.type === 'AAAA' ? record.data : '';
        const range = new BlockList();
        range.addAddress(data, 'ipv6');
        const plain = Buffer.from(octets)
          .toString('hex')
          .replace(/(.{4})(?=.)/g, '$1:');
        expect(range.check(plain, 'ipv6')).toBe(true);
      }),
    );
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
          for (const record of said.records) expect(record.type === 'A' && isIP(record.data)).toBe(4);
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
