import { findPrograms } from './packages.ts';

/** Says plainly, once and whatever the reporter, that the tests on real servers do not run here. */
export default function sayWhatIsSkipped(): void {
  const installed = findPrograms();
  if (installed.kind === 'missing') {
    process.stderr.write(`\nSKIPPED: the tests on real mail servers. What they need is ${installed.why}\n\n`);
  }
}
