import type { ESTree } from 'vite';
import { type Mutator, replace, textOf } from './change.ts';
import { isSql } from './sql.ts';

// What stands there or is taken instead: texts and lists emptied, and one side of ?? left out. A text that is a value
// of a union ({ kind: 'held' }) is left alone: the compiler would refuse another.

export const changeLiterals: Mutator = (node, source, parent) => {
  if (node.type === 'ArrayExpression') return node.elements.length === 0 ? [] : [replace(node, '[]')];
  if (node.type === 'LogicalExpression' && node.operator === '??')
    return [replace(node, textOf(source, node.left)), replace(node, textOf(source, node.right))];
  if (node.type !== 'Literal' || typeof node.value !== 'string') return [];
  if (!isFreeText(node, parent) || isSql(node.value)) return [];
  return [replace(node, node.value === '' ? "'mutant'" : "''")];
};

function isFreeText(node: ESTree.Node, parent: ESTree.Node | null): boolean {
  if (parent === null) return false;
  if (parent.type === 'CallExpression') return parent.callee !== node;
  return parent.type === 'LogicalExpression' || (parent.type === 'BinaryExpression' && parent.operator === '+');
}
