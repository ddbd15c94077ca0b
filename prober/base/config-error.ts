/** What is wrong with a host's settings or its enrolment, in one line, with the remedy. */
export class ConfigError extends Error {
  override readonly name = 'ConfigError';
}
