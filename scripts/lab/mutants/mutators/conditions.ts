import type { ESTree } from 'vite';
import { type Change, type Mutator, replace, replaceOperator, textOf } from './change.ts';

// What decides: comparisons, the operands of && and ||, tests, and the two booleans.

/** A boundary moves by one, or equal becomes different. */
const COMPARISONS: Readonly<Record<string, string>> = {
  '<': '<=',
  '<=': '<',
  '>': '>=',
  '>=': '>',
  '===': '!==',
  '!==': '===',
};
const EQUALITY: ReadonlySet<string> = new Set(['===', '!==']);
const TESTED: ReadonlySet<string> = new Set(['IfStatement', 'ConditionalExpression', 'WhileStatement']);

export const changeConditions: Mutator = (node, source, parent) => {
  if (parent !== null && 'test' in parent && parent.test === node && TESTED.has(parent.type))
    return [...changesOf(node, source), ...negate(node, source)];
  return changesOf(node, source);
};

function changesOf(node: ESTree.Node, source: string): readonly Change[] {
  if (node.type === 'BinaryExpression') {
    const other = COMPARISONS[node.operator];
    return other === undefined ? [] : [replaceOperator(source, node, other)];
  }
  if (node.type === 'LogicalExpression' && node.operator !== '??')
    return [
      replaceOperator(source, node, node.operator === '&&' ? '||' : '&&'),
      replace(node, textOf(source, node.left)),
      replace(node, textOf(source, node.right)),
    ];
  if (node.type === 'UnaryExpression' && node.operator === '!') return [replace(node, textOf(source, node.argument))];
  if (node.type === 'Literal' && typeof node.value === 'boolean') return [replace(node, String(!node.value))];
  return [];
}

/** What `changesOf` turns round by its operator is not turned round again. */
function negate(test: ESTree.Node, source: string): readonly Change[] {
  if (test.type === 'BinaryExpression' && EQUALITY.has(test.operator)) return [];
  if (test.type === 'UnaryExpression' && test.operator === '!') return [];
  return [replace(test, `!(${textOf(source, test)})`)];
}
