import { readFileSync } from 'node:fs';
import { parseEnv } from 'node:util';

// What systemd passes to the unit, for commands that an operator runs on the same machine by hand: the settings file
// and the enrolment.

const SETTINGS_FILE = '/etc/rcpt/rcpt-prober.env';
export const ENROLMENT_FILE = '/etc/rcpt/enrolment.json';

type Variables = Readonly<Record<string, string | undefined>>;

/** The environment of a command; without ENROLMENT it is run by hand, and the unit's settings apply beneath it. */
export function machineSettings(env: Variables, file = `${env['RCPT_ROOT'] ?? ''}${SETTINGS_FILE}`): Variables {
  return env['ENROLMENT'] === undefined ? { ENROLMENT: ENROLMENT_FILE, ...settingsIn(file), ...env } : env;
}

function settingsIn(file: string): Variables {
  try {
    return parseEnv(readFileSync(file, 'utf8'));
  } catch {
    return {};
  }
}
