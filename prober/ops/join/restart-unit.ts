import { spawnSync } from 'node:child_process';

/** Runs a program of the system. @returns whether it succeeded */
export type RunProgram = (program: string, args: readonly string[]) => boolean;

const run: RunProgram = (program, args) => spawnSync(program, [...args], { stdio: 'ignore' }).status === 0;

/** Has systemd restart this version's unit under its new enrolment. @returns what to tell the operator */
export function restartUnit(version: string, runs: RunProgram = run): string {
  const unit = `rcpt-prober@${version}`;
  if (!runs('systemctl', ['is-enabled', '--quiet', unit])) return `Start it with: rcpt-roll ${version}\n`;
  runs('systemctl', ['reset-failed', unit]);
  return runs('systemctl', ['restart', unit])
    ? `${unit} was started again with it.\n`
    : `${unit} could not be started: systemctl status ${unit}\n`;
}
