import { UnreadableList } from './unreadable.ts';

// XML in pieces, as far as spreadsheets need it: tags, text, CDATA, comments, entities. Names are without their prefixes, since
// every program chooses its own. Linear time, even on hostile text.

/** What comes out, in the order of the text. */
export type Found = {
  /** @param tag what stands between the angle brackets: see `attribute` */
  readonly open?: (name: string, tag: string) => void;
  readonly close?: (name: string) => void;
  readonly text?: (text: string) => void;
};

/** What is no tag, and its ends: longer beginnings first. */
const SECTIONS = [
  { start: '<![CDATA[', end: ']]>', isText: true },
  { start: '<!--', end: '-->', isText: false },
  { start: '<!', end: '>', isText: false },
  { start: '<?', end: '>', isText: false },
] as const;
const SECTION_START_MAX = 9;

/** A whole tag, whose attributes may contain `>`. Each character is read once: none fits two parts of it. */
const TAG = /^<(\/?)(?:[^\s:>/]*:)?([^\s>/]+)(?=[\s>/])(?:[^>"']|"[^"]*"|'[^']*')*>/;
/** No tag of a spreadsheet comes near. */
const TAG_MAX = 16_384;
/** The longest entity that is waited for. */
const ENTITY_MAX = 13;

/**
 * @returns to be called with each piece. What is incomplete waits for the next one, in bounded memory.
 * @throws UnreadableList, as its result does, for a tag without an end
 */
export function xmlReader({ open, close, text: say }: Found): (piece: string) => void {
  let section: (typeof SECTIONS)[number] | null = null;

  /** Takes the text up to where it returns; nothing if what begins at `at` is incomplete. */
  const take = (text: string, at: number): number => {
    if (section !== null) {
      const { end, isText } = section;
      const found = text.indexOf(end, at);
      const to = found === -1 ? Math.max(at, text.length - end.length + 1) : found;
      if (isText && to > at) say?.(text.slice(at, to));
      if (found === -1) return to;
      section = null;
      return found + end.length;
    }
    if (!text.startsWith('<', at)) return takeText(text, at);
    if (text.startsWith('<!', at) && text.length - at < SECTION_START_MAX) return at;
    section = SECTIONS.find(({ start }) => text.startsWith(start, at)) ?? null;
    return section === null ? takeTag(text, at) : at + section.start.length;
  };

  const takeText = (text: string, at: number): number => {
    const next = text.indexOf('<', at);
    const entity = next === -1 ? text.indexOf('&', Math.max(at, text.length - ENTITY_MAX)) : -1;
    const to = next !== -1 ? next : entity !== -1 ? entity : text.length;
    if (to > at) say?.(unescape(text.slice(at, to)));
    return to;
  };

  const takeTag = (text: string, at: number): number => {
    const [all, slash, name = ''] = TAG.exec(text.slice(at, at + TAG_MAX)) ?? [];
    if (all === undefined) {
      if (text.length - at < TAG_MAX) return at;
      throw new UnreadableList('damaged', 'The workbook is damaged: a tag does not end.');
    }
    if (slash === '/') close?.(name);
    else open?.(name, all.slice(1, -1));
    if (slash !== '/' && all.endsWith('/>')) close?.(name);
    return at + all.length;
  };

  let rest = '';
  return (piece) => {
    const text = rest + piece;
    let at = 0;
    for (let from = -1; from < at && at < text.length;) {
      from = at;
      at = take(text, at);
    }
    rest = text.slice(at);
  };
}

export type Tag = { readonly name: string; readonly tag: string };

/** Finds an attribute in tags. @param name `r`, or `:id` with any prefix */
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

const ENTITY = /&(?:#(\d{1,10})|#x([\da-f]{1,8})|(amp|lt|gt|quot|apos));/gi;
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
