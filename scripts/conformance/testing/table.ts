// The README's table, from sentence to test, made from the source of the claims.

export type Claimed = {
  readonly section: string;
  readonly sentence: string;
  readonly needs: string;
  readonly file: string;
};

const LITERAL = String.raw`(?:'((?:[^'\\]|\\.)*)'|"((?:[^"\\]|\\.)*)")`;
const CLAIM = new RegExp(String.raw`\bclaim\(\s*${LITERAL},\s*${LITERAL},\s*'(any key|operator|sandbox)'`, 'g');

/** The claims of one test file. */
export function readClaims(file: string, source: string): readonly Claimed[] {
  const claims = [...source.matchAll(CLAIM)].map(([, a, b, c, d, needs = '']) => ({
    section: a ?? b ?? '',
    sentence: (c ?? d ?? '').replaceAll(/\\(.)/g, '$1'),
    needs,
    file,
  }));
  const calls = [...source.matchAll(/\bclaim\(/g)].length;
  if (claims.length !== calls) throw new Error(`${file}: ${calls - claims.length} claims are not of literals`);
  return claims;
}

/** What HTTP alone cannot show, with the test that does: one sentence each. */
export const ELSEWHERE: readonly (readonly [section: string, sentence: string, where: string])[] = [
  ['1', 'nothing about an address is stored', 'scripts/sandbox.edge.test.ts'],
  ['8', '`mx_records` has the first 10 hosts at most', 'prober/engine/scenarios/hostile.test.ts'],
  ['2.5', 'an unexpected 500 has no code', 'edge/requests.edge.test.ts'],
  ['4.1 rule 3', 'probes one domain in one lane, and has several lanes', 'prober/engine/scenarios/hostile.test.ts'],
  ['5.4', 'only the hash of a key is stored', 'edge/admin/operations.edge.test.ts'],
  ['requests', 'a key whose tag is wrong is refused without any I/O', 'edge/requests.edge.test.ts'],
  ['requests', 'the limit survives an eviction of what counts it', 'edge/limiter/limiter.edge.test.ts'],
  ['requests', 'a limiter that cannot be reached lets the request pass', 'edge/limiter/limiter.edge.test.ts'],
  ['requests', 'too many 401s of one network become 429', 'edge/requests.edge.test.ts'],
];

/** Sections in the order of the interface: numbers first, then words. */
function bySection(a: Claimed, b: Claimed): number {
  const [one, other] = [Number.parseFloat(a.section), Number.parseFloat(b.section)];
  if (Number.isNaN(one) || Number.isNaN(other))
    return Number(Number.isNaN(one)) - Number(Number.isNaN(other)) || compare(a.section, b.section);
  return one - other || compare(a.section, b.section);
}

function compare(a: string, b: string): number {
  return a === b ? 0 : a < b ? -1 : 1;
}

/** The table in Markdown. */
export function conformanceTable(claims: readonly Claimed[]): string {
  const rows = claims.toSorted(bySection).map(({ section, sentence, needs, file }) => [section, sentence, file, needs]);
  const elsewhere = ELSEWHERE.map(([section, sentence, where]) => [section, sentence, where, 'not over HTTP']);
  const lines = [...rows, ...elsewhere].map(
    (cells) => `| ${cells.map((cell) => cell.replaceAll('|', '\\|')).join(' | ')} |`,
  );
  return ['| section | the service … | test | needs |', '|---|---|---|---|', ...lines].join('\n');
}
