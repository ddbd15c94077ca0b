/** A place among the domains that a batch probes at once: for look-ups and open dialogues, not for waiting. */
export type Lane = {
  /** Gives it back; harmless if it was. */
  leave(): void;
  /** Takes it again; a batch that has none left then begins no other domain until it has. */
  enter(): void;
  /** Whether it is held or can be taken. @param retry is called once it can */
  isReady(retry: () => void): boolean;
};
