import { type Change, type Mutator } from './change.ts';

// The ledger decides in SQL, in texts that TypeScript knows nothing about. `${…}` inside them counts as one word.

/** Keywords in capitals, as the project writes them, and something that is compared, bound or called. */
const SQL = /\b(?:SELECT|INSERT|UPDATE|DELETE|WHERE|FROM|AND|EXISTS|iif)\b[^]*[=<>(?*]|\b(?:IS NULL|unixepoch)\b/;
const TOKEN = /\$\{[^}]*\}|'[^']*'|\?\d*|[A-Za-z_][\w.]*|\d+|<>|<=|>=|->>|\|\||[=<>+\-*/%(),]/g;

const OPERATORS: Readonly<Record<string, string>> = {
  '<': '<=',
  '<=': '<',
  '>': '>=',
  '>=': '>',
  '=': '<>',
  '<>': '=',
  '+': '-',
  '-': '+',
  '*': '/',
  '/': '*',
  '%': '*',
  AND: 'OR',
  OR: 'AND',
  DESC: 'ASC',
  NOT: '',
  LEFT: '',
  max: 'min',
  min: 'max',
};
const ARITHMETIC: ReadonlySet<string> = new Set(['+', '-', '*', '/', '%']);
const BEFORE_CONDITION: ReadonlySet<string> = new Set(['WHERE', 'ON', 'HAVING', 'AND']);
const KEYWORD = /^(?:[A-Z]{2,}|=|[<>]=?|<>|[,+\-*/%]|->>|\|\|)$/;
const CLAUSE = /^(?:SELECT|SET|FROM|WHERE|ON|HAVING|GROUP|ORDER|LIMIT|RETURNING|LEFT|JOIN|AND|OR|DO|VALUES|AS)$/;
/** From here on one more is no difference that anybody could see. */
const LARGE = 1_000;

type Token = { readonly text: string; readonly start: number; readonly end: number; readonly depth: number };

export function isSql(text: string): boolean {
  return SQL.test(text);
}

export const changeSql: Mutator = (node, source) => {
  if (node.type !== 'TemplateLiteral' && (node.type !== 'Literal' || typeof node.value !== 'string')) return [];
  const text = source.slice(node.start + 1, node.end - 1);
  if (!isSql(text)) return [];
  const tokens = tokensOf(text, node.start + 1);
  return [...tokens.flatMap((_, at) => changesAt(tokens, at)), ...conditionsIn(tokens, source)];
};

function tokensOf(text: string, offset: number): readonly Token[] {
  let depth = 0;
  return [...text.matchAll(TOKEN)].map((match) => {
    const start = offset + match.index;
    if (match[0] === ')') depth -= 1;
    const token = { text: match[0], start, end: start + match[0].length, depth };
    if (match[0] === '(') depth += 1;
    return token;
  });
}

function changesAt(tokens: readonly Token[], at: number): readonly Change[] {
  const token = tokens[at];
  if (token === undefined) return [];
  const { text, start, end, depth } = token;
  const before = tokens[at - 1]?.text ?? ',';
  const next = tokens[at + 1]?.text;
  if (/^\d/.test(text)) {
    // Of what EXISTS selects nobody looks at the value.
    if (before === 'SELECT') return [];
    const number = Number(text);
    return [{ start, end, text: String(number < LARGE ? number + 1 : number * 2) }];
  }
  if (text.startsWith("'")) return text === "''" ? [] : [{ start, end, text: "''" }];
  if (text === 'IS') return next === 'NOT' ? [] : [{ start, end, text: 'IS NOT' }];
  if (text === 'iif') return [{ start, end: end + 1, text: 'iif(NOT ' }];
  if (text === 'LIMIT') return [{ start, end, text: 'LIMIT 1 +' }];
  if (text === 'ON' && next === 'CONFLICT') {
    const action = tokens.slice(at).find((other) => other.depth === depth && /^(?:NOTHING|UPDATE)$/.test(other.text));
    return action?.text === 'NOTHING' ? [{ start, end: action.end, text: '' }] : [];
  }
  if (text === '=' && clauseOf(tokens, at) === 'SET') return [];
  if (ARITHMETIC.has(text) && (KEYWORD.test(before) || before === '('))
    return text === '-' ? [{ start, end, text: '' }] : [];
  if ((text === 'max' || text === 'min') && next !== '(') return [];
  const other = OPERATORS[text];
  return other === undefined ? [] : [{ start, end, text: other }];
}

/** Whether `=` assigns or compares. */
function clauseOf(tokens: readonly Token[], at: number): string | undefined {
  const depth = tokens[at]?.depth;
  return tokens.slice(0, at).findLast((token) => token.depth === depth && CLAUSE.test(token.text))?.text;
}

/** Each of several conditions holds always. What is bound in it stays, or D1 would refuse the whole statement. */
function conditionsIn(tokens: readonly Token[], source: string): readonly Change[] {
  return tokens.flatMap((first, at): readonly Change[] => {
    const before = tokens[at - 1];
    if (before !== undefined && (before.depth !== first.depth || first.text === 'CONFLICT')) return [];
    const rest = tokens.slice(at);
    const length = rest.findIndex(
      ({ text, depth }) => depth < first.depth || (depth === first.depth && CLAUSE.test(text)),
    );
    const last = length === -1 ? rest.at(-1) : rest[length - 1];
    const follows = length === -1 ? undefined : rest[length]?.text;
    const isCondition = before === undefined ? follows === 'AND' : BEFORE_CONDITION.has(before.text);
    if (!isCondition || last === undefined) return [];
    const text = `(1 OR ${source.slice(first.start, last.end)})`;
    return [{ start: first.start, end: last.end, text }];
  });
}
