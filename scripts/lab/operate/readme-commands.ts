/** What stands in the README for what each machine has of its own. */
const STANDS = { origin: 'https://verify.example.com', invitation: 'rcpt-join-…' };

/**
 * The commands by which `prober/deploy/README.md` makes a fresh Debian a host, to the letter but for the deployment and the
 * invitation.
 * @throws Error if they are not where they were
 */
export function readmeCommands(readme: string, origin: string, invitation: string): readonly string[] {
  const block = /There, as root:\n\n((?: {4}.+\n)+)/.exec(readme)?.[1];
  if (block === undefined) throw new Error('prober/deploy/README.md: no commands follow "There, as root:"');
  return block
    .trimEnd()
    .split('\n')
    .map((line) => line.replace(/\s+# .*$/, '').trim())
    .map((line) => line.replace(STANDS.origin, origin).replace(STANDS.invitation, invitation));
}
