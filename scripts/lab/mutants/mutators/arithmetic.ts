import type { ESTree } from 'vite';
import { type Mutator, replace, replaceOperator, textOf } from './change.ts';

// What counts: operators, numbers off by one, and the smaller for the larger.

const OPERATORS: Readonly<Record<string, string>> = {
  '+': '-',
  '-': '+',
  '*': '/',
  '/': '*',
  '%': '*',
  '+=': '-=',
  '-=': '+=',
  '*=': '/=',
  '/=': '*=',
};
const METHODS: Readonly<Record<string, string>> = {
  min: 'max',
  max: 'min',
  floor: 'ceil',
  ceil: 'floor',
  some: 'every',
  every: 'some',
  startsWith: 'endsWith',
  endsWith: 'startsWith',
};
/** From here on one more is no difference that anybody could see: a duration in milliseconds, a size in bytes. */
const LARGE = 1_000;

export const changeArithmetic: Mutator = (node, source) => {
  if (node.type === 'BinaryExpression' || node.type === 'AssignmentExpression') {
    const other = OPERATORS[node.operator];
    if (other === undefined || isText(node.left) || isText(node.right)) return [];
    return [replaceOperator(source, node, other)];
  }
  if (node.type === 'UpdateExpression') {
    const argument = textOf(source, node.argument);
    const operator = node.operator === '++' ? '--' : '++';
    return [replace(node, node.prefix ? operator + argument : argument + operator)];
  }
  if (node.type === 'UnaryExpression' && node.operator === '-' && node.argument.type !== 'Literal')
    return [replace(node, textOf(source, node.argument))];
  if (node.type === 'Literal' && typeof node.value === 'number')
    return [replace(node, String(node.value < LARGE ? node.value + 1 : node.value * 2))];
  if (node.type === 'MemberExpression' && node.property.type === 'Identifier' && !node.computed) {
    const other = METHODS[node.property.name];
    return other === undefined ? [] : [replace(node.property, other)];
  }
  return [];
};

/** The + of texts is not arithmetic. */
function isText(node: ESTree.Node): boolean {
  if (node.type === 'TemplateLiteral') return true;
  if (node.type === 'Literal') return typeof node.value === 'string';
  return node.type === 'BinaryExpression' && (isText(node.left) || isText(node.right));
}
