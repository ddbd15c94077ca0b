/**
 * What a text says in JSON; undefined, which no JSON says, for a text that is not JSON. For texts that a schema checks
 * next, so that both faults meet one refusal.
 */
export function parseJson(text: string): unknown {
  try {
    return JSON.parse(text);
  } catch {
    return undefined;
  }
}
