import { readFileSync } from 'node:fs';

// What systemd hands to the unit, for commands that an operator runs on the same machine without it: the settings file
// and the enrolment.

export const SETTINGS_FILE = '/etc/rcpt/rcpt-prober.env';
export const ENROLMENT_FILE = '/etc/rcpt/enrolment.json';
const SETTINGS_BYTES_MAX = 65_536;

type Variables = Readonly<Record<string, string | undefined>>;

/**
 * The environment of a command on this machine. Without ENROLMENT it is run by hand: then the unit's own settings
 * hold, and whatever else is set goes before them.
 */
export function machineSettings(env: Variables, file = `${env['RCPT_ROOT'] ?? ''}${SETTINGS_FILE}`): Variables {
  if (env['ENROLMENT'] !== undefined) return env;
  const settings = readSettings(file);
  return settings === null ? env : { ENROLMENT: ENROLMENT_FILE, ...settings, ...env };
}

function readSettings(file: string): Variables | null {
  try {
    return parseSettings(readFileSync(file, 'utf8').slice(0, SETTINGS_BYTES_MAX));
  } catch {
    return null;
  }
}

/**
 * Lines of NAME=VALUE as systemd reads an EnvironmentFile (systemd.exec(5)): a value may have spaces and commas, with or
 * without quotes around it. Pure.
 */
export function parseSettings(text: string): Readonly<Record<string, string>> {
  const settings: Record<string, string> = {};
  for (const line of text.split(/\r?\n/)) {
    const [, name, value = ''] = /^\s*([A-Za-z_]\w*)=(.*)$/.exec(line) ?? [];
    if (name !== undefined) settings[name] = unquoted(value.trim());
  }
  return settings;
}

function unquoted(value: string): string {
  const [, double, single] = /^(?:"(.*)"|'(.*)')$/.exec(value) ?? [];
  return double ?? single ?? value;
}
