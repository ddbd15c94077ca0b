import { createModel, type Model } from './model.ts';

/**
 * The model that comes with the engine, null where its data is missing or damaged: then the rules stand alone, and who
 * runs the engine is told by this.
 */
export const OWN_MODEL: Model | null = await openModel(() => import('./weights.json', { with: { type: 'json' } }));

/** @param load gives the data as a module does, or fails */
export async function openModel(load: () => Promise<{ readonly default: unknown }>): Promise<Model | null> {
  try {
    return createModel((await load()).default);
  } catch {
    return null;
  }
}
