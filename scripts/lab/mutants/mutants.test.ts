import { describe, expect, it } from 'vitest';
import { mutantsOf, mutated } from './mutants.ts';

const afterOf = (source: string): readonly string[] => mutantsOf(source).map(({ after }) => after);
const statement = (text: string): string => `const A = \`${text}\``;

describe('mutantsOf', () => {
  it.each<[what: string, source: string, mutants: readonly string[]]>([
    ['moves a boundary', 'f(a < b);', ['f(a <= b);', ';']],
    ['takes equal for different', 'x = a === b', ['x = a !== b', ';']],
    ['joins by the other operator, and leaves each side out', 'x = a && b', ['x = a || b', 'x = a', 'x = b', ';']],
    [
      'turns a test round, and loses what it guards',
      'if (a(b)) return_();',
      ['if (!(a(b))) return_();', 'if (a(b)) {}'],
    ],
    ['turns a denied test round once', 'if (!a) b();', ['if (a) b();', 'if (!a) {}']],
    ['turns a comparison for equality round once', 'x = a === b ? c : d', ['x = a !== b ? c : d', ';']],
    [
      'loses either branch',
      'if (a === b) c(); else d();',
      ['if (a !== b) c(); else d();', 'if (a === b) {} else d();', 'if (a === b) c(); else {}'],
    ],
    [
      'loses no branch twice that is an if of its own',
      'if (a === b) c(); else if (d === e) f();',
      [
        'if (a !== b) c(); else if (d === e) f();',
        'if (a === b) {} else if (d === e) f();',
        'if (a === b) c(); else if (d !== e) f();',
        'if (a === b) c(); else if (d === e) {}',
      ],
    ],
    ['takes true for false', 'const a = true', ['const a = false']],
    ['calculates otherwise', 'const a = b * (c - d)', ['const a = b / (c - d)', 'const a = b * (c + d)']],
    ['leaves texts that are joined alone', "const a = b + 'x' + c", ["const a = b + '' + c"]],
    [
      'is off by one, and by much for a large number',
      'const a = [9, 30_000]',
      ['const a = []', 'const a = [10, 30_000]', 'const a = [9, 60000]'],
    ],
    ['takes the larger for the smaller', 'const a = Math.min(b, c)', ['const a = Math.max(b, c)']],
    ['takes some for every', 'const a = b.some(c)', ['const a = b.every(c)']],
    ['counts the other way', 'i += 1; j++', ['i -= 1; j++', 'i += 2; j++', '; j++', 'i += 1; j--', 'i += 1; ;']],
    ['loses a sign', 'const a = -b', ['const a = b']],
    ['does without a fallback, and always with it', 'const a = b?.c ?? d', ['const a = b?.c', 'const a = d']],
    [
      'empties lists and texts',
      "const a = b('x', '', [c])",
      ["const a = b('', '', [c])", "const a = b('x', 'mutant', [c])", "const a = b('x', '', [])"],
    ],
    [
      'loses calls and assignments',
      'await a(); this.b = c; void d();',
      ['; this.b = c; void d();', 'await a(); ; void d();', 'await a(); this.b = c; ;'],
    ],
    [
      'loses a case',
      'switch (a) { case b: case c: d(); break; default: e(); }',
      [
        'switch (a) { case b: default: e(); }',
        'switch (a) { case b: case c: ; break; default: e(); }',
        'switch (a) { case b: case c: d(); break; }',
        'switch (a) { case b: case c: d(); break; default: ; }',
      ],
    ],
  ])('%s', (_, source, mutants) => {
    expect(afterOf(source).toSorted()).toEqual([...mutants].toSorted());
  });

  it.each([
    ['types', "type A = { a: true; b: 1 | 'x' }; function f<T extends 3>(a: readonly [1]): a is 5 {}"],
    ['imports', "import a from 'a'; export * from 'b'; export { c } from 'd';"],
    ['what an error says', "throw new RangeError(`${a + b} of ${[1].join('')}`)"],
    ['log lines', "log('warn', 'gone', { a: b + 1 }); console.error(a && b); this.#log(3); options.onLog('x')"],
    ['comments', '// a < b\n/* 1 + 1 */'],
    ['values of a union', "const a = { kind: 'held' }; function f() { return 'valid' }"],
    ['the members of a destructuring', 'const [a, { b }] = c'],
  ])('leaves %s alone', (_, source) => {
    expect(afterOf(source)).toEqual([]);
  });

  it('goes into what stands before `satisfies` and `as const`', () => {
    expect(afterOf('const a = { b: 1 } satisfies C; const d = [2] as const;')).toEqual([
      'const a = { b: 2 } satisfies C; const d = [2] as const;',
      'const a = { b: 1 } satisfies C; const d = [] as const;',
      'const a = { b: 1 } satisfies C; const d = [3] as const;',
    ]);
  });

  it('shows the lines that differ, and can put the bug in, after characters of two code units too', () => {
    const source = "const a = '🙂';\n  if (\n    b < c\n  ) {\n    d();\n  }\n";
    expect(mutantsOf(source).map(({ line, before, after }) => [line, before, after])).toEqual([
      [3, 'b < c', '!(b < c)'],
      [3, 'b < c', 'b <= c'],
      [4, ') { d(); }', ') {}'],
      [5, 'd();', ';'],
    ]);
    const [, boundary = { start: 0, end: 0, text: '' }] = mutantsOf(source);
    expect(mutated(source, boundary)).toBe(source.replace('<', '<='));
  });

  it('refuses what is not TypeScript', () => {
    expect(() => mutantsOf('const = 1')).toThrow();
  });
});

describe('mutantsOf SQL', () => {
  it.each<[what: string, sql: string, mutants: readonly string[]]>([
    [
      'conditions',
      'UPDATE a SET b = 5 + c WHERE d = ?1 AND e >= ?2',
      [
        'UPDATE a SET b = 6 + c WHERE d = ?1 AND e >= ?2',
        'UPDATE a SET b = 5 - c WHERE d = ?1 AND e >= ?2',
        'UPDATE a SET b = 5 + c WHERE (1 OR d = ?1) AND e >= ?2',
        'UPDATE a SET b = 5 + c WHERE d <> ?1 AND e >= ?2',
        'UPDATE a SET b = 5 + c WHERE d = ?1 OR e >= ?2',
        'UPDATE a SET b = 5 + c WHERE d = ?1 AND (1 OR e >= ?2)',
        'UPDATE a SET b = 5 + c WHERE d = ?1 AND e > ?2',
      ],
    ],
    [
      'a fragment',
      "p.a = ?1 AND p.b IN ('x')",
      [
        "(1 OR p.a = ?1) AND p.b IN ('x')",
        "p.a <> ?1 AND p.b IN ('x')",
        "p.a = ?1 OR p.b IN ('x')",
        "p.a = ?1 AND (1 OR p.b IN ('x'))",
        "p.a = ?1 AND p.b IN ('')",
      ],
    ],
    [
      'what is missing',
      'SELECT -a FROM b WHERE NOT EXISTS (SELECT 1 FROM c WHERE d IS NULL)',
      [
        'SELECT a FROM b WHERE NOT EXISTS (SELECT 1 FROM c WHERE d IS NULL)',
        'SELECT -a FROM b WHERE (1 OR NOT EXISTS (SELECT 1 FROM c WHERE d IS NULL))',
        'SELECT -a FROM b WHERE EXISTS (SELECT 1 FROM c WHERE d IS NULL)',
        'SELECT -a FROM b WHERE NOT EXISTS (SELECT 1 FROM c WHERE (1 OR d IS NULL))',
        'SELECT -a FROM b WHERE NOT EXISTS (SELECT 1 FROM c WHERE d IS NOT NULL)',
      ],
    ],
    [
      'joins, order and number',
      'SELECT max(a) FROM b LEFT JOIN c ON c.a = b.a ORDER BY a DESC LIMIT ?1',
      [
        'SELECT min(a) FROM b LEFT JOIN c ON c.a = b.a ORDER BY a DESC LIMIT ?1',
        'SELECT max(a) FROM b JOIN c ON c.a = b.a ORDER BY a DESC LIMIT ?1',
        'SELECT max(a) FROM b LEFT JOIN c ON (1 OR c.a = b.a) ORDER BY a DESC LIMIT ?1',
        'SELECT max(a) FROM b LEFT JOIN c ON c.a <> b.a ORDER BY a DESC LIMIT ?1',
        'SELECT max(a) FROM b LEFT JOIN c ON c.a = b.a ORDER BY a ASC LIMIT ?1',
        'SELECT max(a) FROM b LEFT JOIN c ON c.a = b.a ORDER BY a DESC LIMIT 1 + ?1',
      ],
    ],
    [
      'a row that may stand already',
      'INSERT INTO a SELECT ${b} ON CONFLICT (c) DO NOTHING RETURNING d',
      ['INSERT INTO a SELECT ${b} RETURNING d'],
    ],
    [
      'a row that is brought up to date',
      'INSERT INTO a SELECT ?1 ON CONFLICT (c) DO UPDATE SET d = d + excluded.d',
      ['INSERT INTO a SELECT ?1 ON CONFLICT (c) DO UPDATE SET d = d - excluded.d'],
    ],
    ['a choice', 'iif(a > ${b}, c, 0)', ['iif(NOT a > ${b}, c, 0)', 'iif(a >= ${b}, c, 0)', 'iif(a > ${b}, c, 1)']],
  ])('changes %s', (_, sql, mutants) => {
    expect(afterOf(statement(sql)).toSorted()).toEqual(mutants.map(statement).toSorted());
  });

  it('takes no other text for SQL', () => {
    expect(afterOf('const A = `${b} and where 1 = 2`; const C = "FROM and TO";')).toEqual([]);
  });
});
