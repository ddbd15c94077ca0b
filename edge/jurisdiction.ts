import type { Config } from './config.ts';

/** The objects of a namespace where the operator wants them: pinned to the EU, or anywhere (local workerd pins none). */
export function inJurisdiction<T extends Rpc.DurableObjectBranded | undefined>(
  namespace: DurableObjectNamespace<T>,
  config: Config,
): DurableObjectNamespace<T> {
  return config.JURISDICTION === '' ? namespace : namespace.jurisdiction(config.JURISDICTION);
}
