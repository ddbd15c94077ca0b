import { createHash } from 'node:crypto';
import { InvalidArgumentError } from 'commander';
import type { Labelled } from './labelled.ts';

/** One of `of` parts, counted from 1. */
export type Part = { readonly part: number; readonly of: number };

/** `1/2`. Throws commander's error for anything else. */
export function parsePart(text: string): Part {
  const [, part, of] = /^([1-9]\d?)\/([1-9]\d?)$/.exec(text) ?? [];
  if (part === undefined || of === undefined || Number(part) > Number(of)) {
    throw new InvalidArgumentError('Not a part, such as 1/2.');
  }
  return { part: Number(part), of: Number(of) };
}

/**
 * The replies of one part of the families: rules are written from one part and measured on another that nobody has read. A
 * source, or a reply without one, falls into the same part each time, whatever else is in the file.
 */
export function ofPart(replies: readonly Labelled[], { part, of }: Part): Labelled[] {
  return replies.filter(({ source, id }) => familyOf(source ?? id) % of === part - 1);
}

function familyOf(source: string): number {
  return createHash('sha256').update(source).digest().readUInt8(0);
}
