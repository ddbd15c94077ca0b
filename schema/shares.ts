// What accounts share at a host, and the one rule by which they share it. A Fleet object's room has a rule of its own
// (`edge/fleet/object/capacity.ts`).

/** `bought`: has bought credits, or got them from an operator. `free`: everybody else. */
export type AccountClass = 'bought' | 'free';

/** Every resource that accounts share. SECURITY.md, "What accounts share", has a row for each. */
export const SHARED_RESOURCES = [
  'look-ups',
  'connections',
  'connections to a provider',
  'connections to an address',
  'unknown recipients',
  'links for strangers',
  'invitations',
] as const;
export type SharedResource = (typeof SHARED_RESOURCES)[number];

/** `full`: nobody gets that much now. `share`: another account would; this one holds its share. */
export type Lack = 'full' | 'share';

/** What is held of one resource when an account asks for more. */
export type Held = {
  /** All there is. */
  readonly size: number;
  /** Held by all accounts. */
  readonly total: number;
  /** Of that by the account that asks. */
  readonly own: number;
};

/**
 * Why an account may not have one more piece, null if it may: there is none left, or what it holds afterwards is more than half
 * of what the others leave, so that the next one finds as much. A single piece it may always hold.
 */
export function lackOf({ size, total, own }: Held): Lack | null {
  if (total === 0) return null;
  const left = size - total;
  if (left < 1) return 'full';
  return own + 1 <= Math.max(1, Math.ceil((left + own) / 2)) ? null : 'share';
}
