import { describe, expect, test } from 'vitest';
import { parseArguments } from './arguments.ts';
import { explain, readReply } from './explain.ts';

const explained = (...args: string[]): string => {
  const parsed = parseArguments(args);
  if (parsed.kind !== 'explain') throw new Error(`${parsed.kind}: not explained`);
  return explain(parsed.options);
};

describe('probe --explain', () => {
  test('prints gist, rules, code and outcome, and what decided', () => {
    const text = explained('--explain', '530 Relaying not allowed - local sender address unknown');
    expect(text).toContain('gist     RELAY not allowed exist SENDER gone .');
    expect(text).toMatch(/relay\/denied says relay_denied: .*; out of play: SENDER/);
    expect(text).toContain('sender/blamed says policy_rejected');
    expect(text).toContain('outcome  policy_rejected\nby       sender/blamed\n');
  });

  test.each([
    ['no reply', ['--explain', 'User unknown'], /takes a reply such as/],
    ['codes that differ', ['--explain', '550-a\\n551 b'], /takes a reply such as/],
    ['a line that promises another', ['--explain', '550-a'], /takes a reply such as/],
    ['more after the last line', ['--explain', '550 a\\n550 b'], /takes a reply such as/],
    ['nothing', ['--explain', ''], /takes a reply such as/],
    ['an address that is none', ['--explain', '550 a', 'nobody'], /at most one address/],
    ['two addresses', ['--explain', '550 a', 'a@a.example', 'b@b.example'], /at most one address/],
    ['an unknown stage', ['--explain', '550 a', '--stage', 'data'], /stage/],
    ['a stage alone', ['--stage', 'rcpt'], /--stage needs --explain/],
  ])('is refused in one line with %s', (_what, args, message) => {
    const parsed = parseArguments(args);
    expect(parsed).toMatchObject({ kind: 'refused', message: expect.stringMatching(message) });
    expect(parsed.kind === 'refused' && parsed.message.includes('\n')).toBe(false);
  });

  test('takes no control character to the terminal', () => {
    expect(explained('--explain', '550 \u001b[31mred\u0007')).not.toMatch(/(?!\n)\p{Cc}/u);
    expect(readReply('550 fine')?.lines).toEqual(['fine']);
  });
});
