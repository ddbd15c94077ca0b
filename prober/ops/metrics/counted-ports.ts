import type { Ports } from '../../engine/ports/ports.ts';
import type { Metrics } from './metrics.ts';

/** The same ports, whose look-ups are counted: the engine knows nothing of it. */
export function countedPorts<P extends Ports>(ports: P, lookedUp: Metrics['lookedUp']): P {
  return {
    ...ports,
    resolveFor(account) {
      const resolve = ports.resolveFor(account);
      return {
        ...resolve,
        async mx(domain, signal) {
          const answer = await resolve.mx(domain, signal);
          lookedUp('mx', answer);
          return answer;
        },
        async addresses(host, signal, family) {
          const answer = await resolve.addresses(host, signal, family);
          lookedUp('address', answer);
          return answer;
        },
      };
    },
  };
}
