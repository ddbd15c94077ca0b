import { parseSync } from 'vite';

type Node = { readonly type: string; readonly start: number; readonly end: number; readonly [key: string]: unknown };

/** Makes something that can hold state; what is read-only or the same for everybody is told by its type or its name. */
const MAKES = /\bnew (?!RegExp\b|Text(?:En|De)coder\b|URL\b)[A-Z]/;
const CONTAINER = /\bnew (?:Weak)?(?:Map|Set)\b|^(?:\[\]|\{\})$/;
const READ_ONLY = /^:\s*(?:readonly\b|Readonly(?:Map|Set|Array|<)\b)/;
const CONTAINER_TYPE = /(?<!Readonly)\b(?:Weak)?(?:Map|Set)</;
const COUNTS = /\blimiterNamed\(call\b|\.limit\(\{/g;

function isNode(value: unknown): value is Node {
  return typeof value === 'object' && value !== null && 'type' in value && 'start' in value;
}

const under = (node: unknown): readonly Node[] => (isNode(node) ? Object.values(node).flat().filter(isNode) : []);
const at = (node: unknown, key: string): unknown => (isNode(node) ? node[key] : undefined);
function nameOf(node: unknown): string {
  const name = at(at(node, 'id') ?? at(node, 'key') ?? node, 'name');
  return typeof name === 'string' ? name : '';
}
const isFunction = (node: unknown): boolean => isNode(node) && /Function/.test(node.type);

const variables = (statement: Node): readonly Node[] =>
  statement.type === 'VariableDeclaration' ? under(statement).filter(({ type }) => type === 'VariableDeclarator') : [];

/**
 * Where a file keeps something beyond the call of a function, as its syntax shows: `name`, a variable of the module;
 * `Class.field`, a container; `function.name`, a container that the function's result goes on using; `counter`, a limiter.
 */
export function keptIn(file: string, text: string): readonly string[] {
  const { program, errors } = parseSync(file, text);
  if (errors.length > 0) throw new Error(`${file} cannot be parsed`);
  const source = (node: unknown): string => (isNode(node) ? text.slice(node.start, node.end) : '');
  const isWritable = (node: Node): boolean => !READ_ONLY.test(source(at(at(node, 'id') ?? node, 'typeAnnotation')));
  const kept = [...text.matchAll(COUNTS)].map(() => 'counter');

  const ofModule = (statement: Node): readonly string[] =>
    variables(statement)
      .filter((one) => {
        const init = at(one, 'init');
        const made = source(init);
        return (
          at(statement, 'kind') !== 'const' ||
          (!isFunction(init) && isWritable(one) && (MAKES.test(made) || CONTAINER.test(made)))
        );
      })
      .map(nameOf);
  const ofClass = (declared: Node): readonly string[] =>
    under(at(declared, 'body'))
      .filter((member) => member.type === 'PropertyDefinition' && (at(member, 'static') === true || isWritable(member)))
      .filter(
        (member) =>
          at(member, 'static') === true ||
          CONTAINER.test(source(at(member, 'value'))) ||
          CONTAINER_TYPE.test(source(at(member, 'typeAnnotation'))),
      )
      .map((member) => `${nameOf(declared)}.${nameOf(member)}`);
  const ofFunction = (body: readonly Node[], name: string): readonly string[] => {
    const results = body
      .filter(({ type }) => type === 'ReturnStatement')
      .map((statement) => at(statement, 'argument'))
      .filter((result) => isFunction(result) || under(result).some((property) => isFunction(at(property, 'value'))))
      .map(source);
    return body
      .flatMap(variables)
      .filter((one) => CONTAINER.test(source(at(one, 'init'))))
      .map(nameOf)
      .filter((local) => results.some((result) => new RegExp(String.raw`\b${local}\b`).test(result)))
      .map((local) => `${name}.${local}`);
  };
  const walk = (node: Node, name: string): void => {
    const here = nameOf(node) || name;
    if (node.type.startsWith('Class')) kept.push(...ofClass(node));
    if (isFunction(node)) kept.push(...ofFunction(under(at(node, 'body')), here));
    for (const child of under(node)) walk(child, here);
  };
  for (const statement of under(program)) {
    const declaration = at(statement, 'declaration');
    kept.push(...ofModule(isNode(declaration) ? declaration : statement));
    walk(statement, '');
  }
  return kept;
}
