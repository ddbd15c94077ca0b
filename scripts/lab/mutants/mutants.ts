import { type ESTree, parseSync } from 'vite';
import { changeArithmetic } from './mutators/arithmetic.ts';
import { type Change, textOf } from './mutators/change.ts';
import { changeConditions } from './mutators/conditions.ts';
import { changeLiterals } from './mutators/literals.ts';
import { changeSql } from './mutators/sql.ts';
import { dropStatements } from './mutators/statements.ts';

export type Mutant = Change & {
  /** From 1. */
  readonly line: number;
  /** The lines that differ, without their indentation and in one line: as they stand, and as the mutant has them. */
  readonly before: string;
  readonly after: string;
};

const MUTATORS = [changeConditions, changeArithmetic, dropStatements, changeLiterals, changeSql];

/** What stays of TypeScript's own syntax when the types are gone. */
const WRAPPERS: ReadonlySet<string> = new Set(['TSAsExpression', 'TSSatisfiesExpression', 'TSNonNullExpression']);
/** Log lines, and what describes a schema to its reader. */
const TOLD = /^(?:console\.\w+|(?:process\.)?std(?:out|err)\.write|(?:\S*[.#])?(?:log|onLog|describe|meta))$/;

/**
 * Every small bug that the mutators know for a source, in the order of the text and none twice.
 * @throws if `source` is not TypeScript
 */
export function mutantsOf(source: string): readonly Mutant[] {
  const { program, errors } = parseSync('source.ts', source);
  if (errors[0] !== undefined) throw new Error(errors[0].message);
  const found = new Map<string, Mutant>();
  for (const change of changesIn(program, source, null)) {
    const mutant = { ...change, ...linesOf(source, change) };
    if (mutant.before !== mutant.after) found.set(mutated(source, change), mutant);
  }
  return [...found.values()].toSorted((a, b) => a.start - b.start);
}

/** The source with the bug in it. */
export function mutated(source: string, { start, end, text }: Change): string {
  return source.slice(0, start) + text + source.slice(end);
}

function* changesIn(node: ESTree.Node, source: string, parent: ESTree.Node | null): Generator<Change> {
  if (isLeftAlone(node, source)) return;
  for (const mutator of MUTATORS) yield* mutator(node, source, parent);
  for (const child of childrenOf(node)) yield* changesIn(child, source, node);
}

function isLeftAlone(node: ESTree.Node, source: string): boolean {
  if (node.type.startsWith('TS')) return !WRAPPERS.has(node.type);
  if (node.type === 'ImportDeclaration' || node.type === 'ExportAllDeclaration') return true;
  // The words of an error; that it is thrown is for its `if` to lose.
  if (node.type === 'ThrowStatement') return true;
  if (node.type === 'ExpressionStatement') return isLeftAlone(node.expression, source);
  return node.type === 'CallExpression' && TOLD.test(textOf(source, node.callee));
}

function childrenOf(node: ESTree.Node): readonly ESTree.Node[] {
  return Object.values(node)
    .flatMap((value: unknown) => value)
    .filter(isNode);
}

function isNode(value: unknown): value is ESTree.Node {
  return typeof value === 'object' && value !== null && 'type' in value && 'start' in value;
}

function linesOf(source: string, { start, end, text }: Change): Pick<Mutant, 'line' | 'before' | 'after'> {
  const from = source.lastIndexOf('\n', start - 1) + 1;
  const newline = source.indexOf('\n', end);
  const to = newline === -1 ? source.length : newline;
  return {
    line: source.slice(0, start).split('\n').length,
    before: inOneLine(source.slice(from, to)),
    after: inOneLine(source.slice(from, start) + text + source.slice(end, to)),
  };
}

function inOneLine(text: string): string {
  return text.trim().replaceAll(/\s+/g, ' ');
}
