import { type Row, WORLD } from './world.ts';

/** The table of this folder's README: every address of the sandbox with its verdict. */
export function readmeTable(): string {
  const lines = WORLD.map((row) => `| ${cells(row).join(' | ')} |`);
  return ['| address | what happens | result | status | reason | score |', '|---|---|---|---|---|---|', ...lines].join(
    '\n',
  );
}

function cells({ address, shows, expected, takesS, free }: Row): readonly string[] {
  const slow = takesS === 0 ? '' : `; takes ${takesS} s`;
  const back = free ? '; free' : '';
  return [
    `\`${address}\``,
    `${shows}${slow}${back}`,
    expected.result,
    expected.status,
    expected.reason ?? '',
    String(expected.score),
  ];
}
