/** What is wrong with a host's settings or its enrolment, in one line for the one who can mend it. */
export class ConfigError extends Error {
  override readonly name = 'ConfigError';
}
