/** Weeks begin with the first second of 1970, and for each domain at a moment of its own in that time. */
export const WEEK_S = 604_800;
