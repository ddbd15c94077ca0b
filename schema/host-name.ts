// Free of zod, whose start takes longer than the rest of an engine's: what is asked thousands of times a second needs no parse.

/** MX hosts that evidence names. */
export const MX_RECORDS_MAX = 10;

export const HOST_NAME_CHARS_MAX = 253;
export const HOST_NAME = /^[a-z0-9_][a-z0-9_-]{0,62}(?:\.[a-z0-9_][a-z0-9_-]{0,62})*$/;

/** Whether a text is a host name as in DNS: lower-case A-labels, underscores allowed because real MX records have them. */
export function isHostName(text: string): boolean {
  return text.length <= HOST_NAME_CHARS_MAX && HOST_NAME.test(text);
}
