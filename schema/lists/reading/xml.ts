// XML in pieces, as far as spreadsheets need it: tags, text, CDATA, comments, entities. Names are without their prefixes, since
// every program chooses its own. Linear time, even on hostile text.

/** What comes out, in the order of the text. */
export type Found = {
  /** @param tag what stands between the angle brackets: see `attribute` */
  readonly open?: (name: string, tag: string) => void;
  readonly close?: (name: string) => void;
  readonly text?: (text: string) => void;
};

const CDATA = '<![CDATA[';

/** @returns to be called with each piece. What is incomplete waits for the next one. */
export function xmlReader({ open, close, text: say }: Found): (piece: string) => void {
  let rest = '';
  return (piece) => {
    const text = rest + piece;
    let at = 0;
    for (let begin = text.indexOf('<'); begin !== -1; begin = text.indexOf('<', at)) {
      if (begin > at) say?.(unescape(text.slice(at, begin)));
      at = begin;
      const sign = text[begin + 1];
      const isTag = sign !== '!' && sign !== '?';
      const end = isTag ? endOfTag(text, begin) : endOfOther(text, begin);
      if (end === -1) break;
      at = end;
      if (!isTag) {
        if (text.startsWith(CDATA, begin)) say?.(text.slice(begin + CDATA.length, end - 3));
      } else if (sign === '/') close?.(nameOf(text, begin + 2));
      else {
        const name = nameOf(text, begin + 1);
        open?.(name, text.slice(begin + 1, end - 1));
        if (text[end - 2] === '/') close?.(name);
      }
    }
    rest = text.slice(at);
  };
}

/** The position behind the tag that begins here; -1 if it is not complete. An attribute may contain `>`. */
function endOfTag(text: string, begin: number): number {
  let quote = 0;
  for (let at = begin; at < text.length; at += 1) {
    const sign = text.charCodeAt(at);
    if (quote !== 0) quote = sign === quote ? 0 : quote;
    else if (sign === 0x3e) return at + 1;
    else if (sign === 0x22 || sign === 0x27) quote = sign;
  }
  return -1;
}

/** The same of CDATA, of a comment and of a declaration. */
function endOfOther(text: string, begin: number): number {
  const end = text.startsWith(CDATA, begin) ? ']]>' : text.startsWith('<!--', begin) ? '-->' : '>';
  const at = text.indexOf(end, begin + 2);
  return at === -1 ? -1 : at + end.length;
}

function nameOf(text: string, from: number): string {
  let begin = from;
  for (let at = from; ; at += 1) {
    const sign = text[at] ?? '>';
    if (sign === ':') begin = at + 1;
    else if (sign === '>' || sign === '/' || sign <= ' ') return text.slice(begin, at);
  }
}

export type Tag = { readonly name: string; readonly tag: string };

/** The tags that begin the elements of a whole text. */
export function tagsIn(text: string): readonly Tag[] {
  const tags: Tag[] = [];
  xmlReader({ open: (name, tag) => tags.push({ name, tag }) })(text);
  return tags;
}

/**
 * Finds an attribute in tags.
 * @param name `r`, or `:id` with any prefix
 */
export function attribute(name: string): (tag: string) => string | null {
  const form = new RegExp(
    String.raw`^\S+(?:\s+[^\s=]+\s*=\s*(?:"[^"]*"|'[^']*'))*?\s+${name.replace(':', '[^\\s=:]+:')}\s*=\s*(?:"([^"]*)"|'([^']*)')`,
  );
  return (tag) => {
    const [, one, other] = form.exec(tag) ?? [];
    const value = one ?? other;
    return value === undefined ? null : unescape(value);
  };
}

const ENTITY = /&(?:#(\d+)|#x([\da-f]+)|(amp|lt|gt|quot|apos));/gi;
const NAMED: Readonly<Record<string, string>> = { amp: '&', lt: '<', gt: '>', quot: '"', apos: "'" };

function unescape(text: string): string {
  if (!text.includes('&')) return text;
  return text.replace(
    ENTITY,
    (_all, decimal: string | undefined, hex: string | undefined, name: string | undefined) => {
      if (name !== undefined) return NAMED[name.toLowerCase()] ?? '';
      const code = decimal === undefined ? parseInt(hex ?? '', 16) : parseInt(decimal, 10);
      return code <= 0x10ffff ? String.fromCodePoint(code) : '';
    },
  );
}
