import type { SignalsOf } from '../engine/batch.ts';

/** Placeholder until the real lists are here. */
export const signalsOf: SignalsOf = () => ({ disposable: false, free: false, role: false, typoOf: null });
