import { PassThrough, Readable, Writable } from 'node:stream';
import { setImmediate as turn } from 'node:timers/promises';
import { describe, expect, it } from 'vitest';
import { verificationResultSchema } from '../../schema/api.ts';
import type { Outcome } from '../../schema/evidence.ts';
import { type AnsweringEngine, answeringEngine } from '../../prober/testing/scripted-engine.ts';
import { DELIVERABLE } from '../../schema/testing/evidence.ts';
import { runProbe, type Environment } from './run.ts';

const MISSING: Outcome = { kind: 'no_such_mailbox', reply: { code: 550, enhanced: '5.1.1' } };
const UNANSWERED: Outcome = { kind: 'mx_lookup_failed' };

/** A stream that keeps what is written to it. */
class Sink extends Writable {
  text = '';

  override _write(chunk: Buffer, _encoding: string, done: (error?: Error) => void): void {
    this.text += chunk.toString();
    done();
  }
}

async function* chunks(...parts: Array<string | Buffer>): AsyncGenerator<Uint8Array> {
  for (const part of parts) {
    await turn();
    yield Buffer.from(part);
  }
}

/** Says this, and then nothing for ever. */
async function* hanging(text: string): AsyncGenerator<Uint8Array> {
  yield Buffer.from(text);
  await new Promise(() => undefined);
}

/** Says this, and then breaks. */
async function* breaking(text: string): AsyncGenerator<Uint8Array> {
  yield Buffer.from(text);
  throw new Error('EIO: i/o error, read');
}

type Setting = Partial<Omit<Environment, 'engine' | 'input'>> & {
  readonly input?: AsyncIterable<Uint8Array>;
  readonly addresses?: readonly string[];
  readonly concurrency?: number;
};

function start(engine: AnsweringEngine, setting: Setting) {
  const output = new Sink();
  const terminal = new Sink();
  const { addresses = [], concurrency = 20, input = chunks(), ...environment } = setting;
  const exit = runProbe(
    {
      engine,
      now: () => 0,
      draws: () => () => 0,
      input: Readable.from(input),
      output,
      terminal,
      interrupted: new AbortController().signal,
      ...environment,
    },
    { addresses, concurrency, deadlineMs: 90_000 },
  );
  const results = () =>
    output.text
      .split('\n')
      .slice(0, -1)
      .map((line) => verificationResultSchema.parse(JSON.parse(line)));
  return { exit, results, output, terminal };
}

function oneEach(domain: string, count: number): string[] {
  return Array.from({ length: count }, (_, i) => `u@${domain}${i}.test`);
}

describe('runProbe', () => {
  it('writes one result of the interface a line, for each address, as they are known', async () => {
    const first = Promise.withResolvers<Outcome>();
    const engine = answeringEngine(({ domain }) => (domain === 'slow.test' ? first.promise : MISSING));
    const { exit, results, terminal } = start(engine, { addresses: ['A@slow.test', ' b@Fast.test'] });
    while (results().length === 0) await turn();
    expect(results()).toMatchObject([{ email: 'b@fast.test', result: 'undeliverable', smtp_code: 550 }]);
    first.resolve(DELIVERABLE);
    expect(await exit).toBe(0);
    expect(results()[1]).toMatchObject({ email: 'a@slow.test', status: 'valid', score: 95 });
    expect(terminal.text).toBe('');
  });

  it('probes the addresses of a domain that come together in one batch, and no domain twice at a time', async () => {
    const engine = answeringEngine(async () => turn(DELIVERABLE));
    const lines = Array.from({ length: 1_200 }, (_, i) => `u${i}@d${i % 3}.test\n`);
    const { exit, results } = start(engine, { input: chunks(lines.slice(0, 600).join(''), lines.slice(600).join('')) });
    expect(await exit).toBe(0);
    expect(new Set(results().map(({ email }) => email)).size).toBe(1_200);
    // However the lines are cut into chunks, a domain has at most a batch for each.
    expect(engine.batches.length).toBeLessThanOrEqual(6);
    expect(engine.batches.flat()).toHaveLength(1_200);
    expect(engine.batches.every((batch) => new Set(batch.map(({ domain }) => domain)).size === 1)).toBe(true);
  });

  it('begins other domains while some wait for a mail host, and a thousand of those at most', async () => {
    const free = Promise.withResolvers<Outcome>();
    const deadlines: number[] = [];
    const engine = answeringEngine(({ domain }, { lane, deadlineMs }) => {
      if (!domain.startsWith('waits')) return DELIVERABLE;
      deadlines.push(deadlineMs);
      lane?.leave();
      return free.promise;
    });
    const { exit, results } = start(engine, {
      addresses: [...oneEach('waits', 260), ...oneEach('fast', 300), ...oneEach('waits-too', 1_000)],
      concurrency: 20,
    });
    while (results().length < 300) await turn();
    expect(results().every(({ email }) => email.includes('fast'))).toBe(true);
    expect(engine.mostAtOnce).toBe(1_020);
    // No host starts more connections in a minute.
    const [first = 0] = deadlines;
    expect([99, 100, 200].map((place) => (deadlines[place] ?? 0) / first)).toEqual([1, 2, 3]);
    free.resolve(DELIVERABLE);
    expect(await exit).toBe(0);
    expect(results()).toHaveLength(1_560);
  });

  it('reads no faster than it verifies: of 40,000 addresses some 25,000 wait', async () => {
    const gate = Promise.withResolvers<void>();
    const engine = answeringEngine(async () => {
      await gate.promise;
      return DELIVERABLE;
    });
    let read = 0;
    async function* endless(): AsyncGenerator<Uint8Array> {
      for (let i = 0; i < 40; i++) {
        await turn();
        read += 1_000;
        yield Buffer.from(Array.from({ length: 1_000 }, (_, k) => `u${k}@d${i % 10}x${k % 100}.test\n`).join(''));
      }
    }
    const output = new Writable({ write: (_chunk, _encoding, done) => done() });
    const { exit } = start(engine, { input: endless(), output, concurrency: 100 });
    for (let before = -1; before !== read;) {
      before = read;
      for (let i = 0; i < 20; i++) await turn();
    }
    expect(read).toBeLessThanOrEqual(30_000);
    gate.resolve();
    expect(await exit).toBe(0);
    expect(engine.batches.flat()).toHaveLength(40_000);
  });

  it('starts nothing while nobody reads the results', async () => {
    const engine = answeringEngine(() => DELIVERABLE);
    const output = new PassThrough({ highWaterMark: 1_000 });
    const { exit } = start(engine, {
      addresses: Array.from({ length: 100 }, (_, i) => `u@d${i}.test`),
      output,
      concurrency: 1,
    });
    for (let i = 0; i < 200; i++) await turn();
    expect(engine.batches.length).toBeLessThan(10);
    output.resume();
    expect(await exit).toBe(0);
    expect(engine.batches).toHaveLength(100);
  });

  it('prints what is known when it is interrupted, and says how much that is', async () => {
    const interruption = new AbortController();
    const engine = answeringEngine(({ local }) => (local === 'hangs' ? new Promise(() => undefined) : DELIVERABLE));
    const { exit, results, terminal } = start(engine, {
      input: hanging('a@x.test\nhangs@x.test\nb@y.test\nbad\n'),
      interrupted: interruption.signal,
    });
    while (results().length < 3) await turn();
    interruption.abort();
    expect(await exit).toBe(130);
    expect(
      results()
        .map(({ email }) => email)
        .toSorted(),
    ).toEqual(['a@x.test', 'b@y.test', 'bad']);
    expect(terminal.text).toBe('probe: interrupted: 3 of the 4 addresses read have a result\n');
  });

  it('verifies what it read before the input broke', async () => {
    const { exit, results, terminal } = start(
      answeringEngine(() => DELIVERABLE),
      { input: breaking('a@x.test\nb@x.te') },
    );
    expect(await exit).toBe(1);
    expect(results().map(({ email }) => email)).toEqual(['a@x.test']);
    expect(terminal.text).toBe(
      'probe: standard input cannot be read (EIO: i/o error, read); what was read before is verified\n',
    );
  });

  it('says so if no lookup is answered, early and at the end', async () => {
    const engine = answeringEngine(() => UNANSWERED);
    const { exit, results, terminal } = start(engine, {
      addresses: Array.from({ length: 30 }, (_, i) => `u@d${i}.test`),
    });
    expect(await exit).toBe(1);
    expect(results()).toHaveLength(30);
    expect(results()[0]).toMatchObject({ reason: 'mx_unresolved', status: 'unknown' });
    expect(terminal.text.match(/no MX lookup was answered/g)).toHaveLength(2);
  });

  it.each([[[]], [['\n', ' \r\n\t\n\n']]])('says that there is nothing to verify in %j', async (parts) => {
    const { exit, results, terminal } = start(
      answeringEngine(() => DELIVERABLE),
      { input: chunks(...parts) },
    );
    expect([await exit, results(), terminal.text]).toEqual([0, [], 'probe: nothing to verify: no address was given\n']);
  });

  it('stops quietly when the reader of the results has gone, and with an error when they cannot be written', async () => {
    for (const [code, message, exitCode] of [
      ['EPIPE', '', 0],
      ['ENOSPC', 'probe: results cannot be written (no)\n', 1],
    ] as const) {
      const engine = answeringEngine(async () => turn(DELIVERABLE));
      const error = Object.assign(new Error('no'), { code });
      const output = new Writable({ write: (_chunk, _encoding, done) => done(error) });
      const addresses = Array.from({ length: 100 }, (_, i) => `u@d${i}.test`);
      const { exit, terminal } = start(engine, { addresses, output, concurrency: 1 });
      expect(await exit).toBe(exitCode);
      expect(engine.batches.length).toBeLessThan(100);
      expect(terminal.text).toBe(message);
    }
  });
});
