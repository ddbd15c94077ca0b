import type { Reply } from '../engine/smtp/wire/reply.ts';

/** A reply from its wire form, lines separated by `\n`: `550-5.1.1 No such\n550 5.1.1 user`. */
export function rawReply(raw: string): Reply {
  const lines = raw.split('\n').map((line) => line.slice(4));
  const found = lines.flatMap((line) => /^[245]\.\d{1,3}\.\d{1,3}(?=\s|$)/.exec(line)?.[0] ?? []);
  return { code: Number(raw.slice(0, 3)), enhanced: found[0] ?? null, lines };
}
