/** A slot among the domains that a batch probes at once: for lookups and open dialogues, not for waiting. */
export type Lane = {
  /** Gives it back; harmless if that was done. */
  leave(): void;
  /** Takes it again; a batch without a free one starts no other domain until it has. */
  enter(): void;
  /** Whether it is held or can be taken. @param retry called once it can */
  isReady(retry: () => void): boolean;
};
