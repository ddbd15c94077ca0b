import { BaseSequencer, type TestSpecification } from 'vitest/node';

/** These take longest, and are begun first: the last one to end would keep all others waiting. */
const LONGEST = [
  'scripts/start.edge.test.ts',
  'scripts/sick-hosts.edge.test.ts',
  'scripts/rcpt/rcpt.edge.test.ts',
  'scripts/lab/mta/quirks.real.test.ts',
  'scripts/dashboard/interrupted.browser.test.ts',
  'edge/dashboard/every-page.browser.test.ts',
  'edge/ledger/any-sequence.edge.test.ts',
  'scripts/lab/mta/whole-path.real.test.ts',
  'scripts/sandbox.service.test.ts',
  'scripts/examples.service.test.ts',
  'scripts/lab/simulate.edge.test.ts',
  'scripts/form.browser.test.ts',
  'scripts/lab/load/load.edge.test.ts',
  'edge/dashboard/lists/lists.browser.test.ts',
  'scripts/dashboard/journeys.browser.test.ts',
  'scripts/privacy.edge.test.ts',
  'scripts/local/mac.process.test.ts',
  'scripts/client-package.process.test.ts',
  'scripts/deploy/artefact.edge.test.ts',
  'scripts/fleet/join.edge.test.ts',
  'scripts/conformance/money.test.ts',
  'scripts/conformance/variables.test.ts',
  'scripts/readme.browser.test.ts',
];

function placeOf({ moduleId }: TestSpecification): number {
  const at = LONGEST.findIndex((file) => moduleId.endsWith(`/${file}`));
  return at === -1 ? LONGEST.length : at;
}

/** Without the times of an earlier run vitest goes by the sizes of files, which say little. */
export class LongestFirst extends BaseSequencer {
  override async sort(files: TestSpecification[]): Promise<TestSpecification[]> {
    const bySize = await BaseSequencer.prototype.sort.call(this, files);
    return bySize.toSorted((a, b) => placeOf(a) - placeOf(b));
  }
}
