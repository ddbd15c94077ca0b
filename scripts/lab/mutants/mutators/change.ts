import type { ESTree } from 'vite';

/** One small bug: `text` in place of what stands from `start` to `end`, as offsets into the source. */
export type Change = { readonly start: number; readonly end: number; readonly text: string };

/** The bugs that can be put into one node itself; its children are asked for theirs. */
export type Mutator = (node: ESTree.Node, source: string, parent: ESTree.Node | null) => readonly Change[];

export function textOf(source: string, node: ESTree.Span): string {
  return source.slice(node.start, node.end);
}

export function replace(node: ESTree.Span, text: string): Change {
  return { start: node.start, end: node.end, text };
}

/** Another operator between the same two operands. */
export function replaceOperator(
  source: string,
  node: { readonly left: ESTree.Span; readonly right: ESTree.Span; readonly operator: string },
  text: string,
): Change {
  const start = source.indexOf(node.operator, node.left.end);
  return { start, end: start + node.operator.length, text };
}
