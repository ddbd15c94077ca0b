import type { ESTree } from 'vite';
import { type Mutator, replace } from './change.ts';

// What is done: what an `if` guards, calls and assignments that nobody looks at the value of, cases of a switch.

export const dropStatements: Mutator = (node, _source, parent) => {
  if (node.type === 'IfStatement')
    return [node.consequent, node.alternate]
      .filter((branch) => branch !== null && branch.type !== 'IfStatement')
      .map((branch) => replace(branch, '{}'));
  if (node.type === 'ExpressionStatement' && parent?.type !== 'IfStatement' && hasEffect(node.expression))
    return [replace(node, ';')];
  if (node.type === 'SwitchCase' && node.consequent.length > 0) return [replace(node, '')];
  return [];
};

function hasEffect(expression: ESTree.Expression): boolean {
  if (expression.type === 'CallExpression') return expression.callee.type !== 'Super';
  if (expression.type === 'AwaitExpression') return hasEffect(expression.argument);
  if (expression.type === 'ChainExpression') return hasEffect(expression.expression);
  if (expression.type === 'UnaryExpression') return expression.operator === 'void' && hasEffect(expression.argument);
  return expression.type === 'AssignmentExpression' || expression.type === 'UpdateExpression';
}
