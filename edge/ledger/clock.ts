// Everything about money is timed by D1's clock, so that Workers whose clocks differ agree.

/** SQL: now, in milliseconds since 1970 UTC. The same throughout one statement. */
export const NOW_MS = `CAST(unixepoch('subsec') * 1000 AS INTEGER)`;
/** SQL: today, in whole days since 1970 UTC. */
export const TODAY = `unixepoch() / 86400`;
