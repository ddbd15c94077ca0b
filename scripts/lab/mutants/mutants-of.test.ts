import { describe, expect, it } from 'vitest';
import { type Mutant, mutantsOf, mutated } from './mutants-of.ts';

async function made(source: string): Promise<readonly string[]> {
  const mutants = await mutantsOf('code.ts', source);
  return mutants.map((mutant) => mutated(source, mutant));
}

const sql = (text: string): string => `export const SQL = \`${text}\`;\n`;

describe('mutantsOf', () => {
  it('replaces an operand as a whole, so that the rest binds as before', async () => {
    const all = await made('export const is = (a: boolean, b: boolean, c: boolean): boolean => a && b && c;\n');
    expect(all).toContain('export const is = (a: boolean, b: boolean, c: boolean): boolean => (a || b) && c;\n');
  });

  it('leaves texts for people alone', async () => {
    expect(await made("throw new Error('no such file');\n")).toEqual([]);
  });

  it('changes words of SQL statements, and of nothing else that is quoted', async () => {
    expect(await made(sql('DELETE FROM member WHERE person = ?1 AND account = ?2'))).toEqual([
      sql('DELETE FROM member WHERE person <> ?1 AND account = ?2'),
      sql('DELETE FROM member WHERE person = ?1 OR account = ?2'),
      sql('DELETE FROM member WHERE person = ?1 AND account <> ?2'),
    ]);
    expect(await made(sql('you AND me'))).toEqual([]);
  });

  it('says on which line the bug is, and in the place of what', async () => {
    const [mutant]: readonly (Mutant | undefined)[] = await mutantsOf(
      'code.ts',
      '// one\nexport let a = 1;\na += 2;\n',
    );
    expect(mutant).toMatchObject({ line: 3, before: 'a += 2', after: '(a -= 2)' });
  });
});
