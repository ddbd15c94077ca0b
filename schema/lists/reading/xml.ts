// XML in pieces, as far as spreadsheets need it: tags, text, CDATA, comments, entities. Names are without their prefixes, since
// every program chooses its own. Linear time, even on hostile text.

/** What comes out, in the order of the text. */
export type Found = {
  /** @param tag what stands between the angle brackets: see `attribute` */
  readonly open?: (name: string, tag: string) => void;
  readonly close?: (name: string) => void;
  readonly text?: (text: string) => void;
};

/** CDATA; a comment or a declaration; or a tag, whose attributes may contain `>`. Only whole ones. */
const MARKUP =
  /<(?:!\[CDATA\[([^]*?)\]\]>|!--[^]*?-->|[!?](?!--|\[CDATA\[)[^>]*>|(\/?)(?:[^\s:>/]*:)?([^\s>/]+)(?:[^>"']|"[^"]*"|'[^']*')*>)/y;

/** @returns to be called with each piece. What is incomplete waits for the next one. */
export function xmlReader({ open, close, text: say }: Found): (piece: string) => void {
  let rest = '';
  return (piece) => {
    const text = rest + piece;
    let at = 0;
    for (let begin = text.indexOf('<'); begin !== -1; begin = text.indexOf('<', at)) {
      if (begin > at) say?.(unescape(text.slice(at, begin)));
      at = MARKUP.lastIndex = begin;
      const [all, data, slash, name] = MARKUP.exec(text) ?? [];
      if (all === undefined) break;
      at += all.length;
      if (data !== undefined) say?.(data);
      else if (name !== undefined && slash === '/') close?.(name);
      else if (name !== undefined) {
        open?.(name, all.slice(1, -1));
        if (all.endsWith('/>')) close?.(name);
      }
    }
    rest = text.slice(at);
  };
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
