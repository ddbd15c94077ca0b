import type { AddressAnswer, MxAnswer, Ports } from '../../engine/ports/ports.ts';
import type { Metrics } from './metrics.ts';

/** The same ports with counted lookups; the engine does not notice. */
export function countedPorts<P extends Ports>(ports: P, lookedUp: Metrics['lookedUp']): P {
  const mxAnswered = (answer: MxAnswer): MxAnswer => {
    lookedUp('mx', answer);
    return answer;
  };
  const addressesAnswered = (answer: AddressAnswer): AddressAnswer => {
    lookedUp('address', answer);
    return answer;
  };
  return {
    ...ports,
    resolveFor(account) {
      const resolve = ports.resolveFor(account);
      return {
        ...resolve,
        mx: (domain, signal) => resolve.mx(domain, signal).then(mxAnswered),
        addresses: (host, signal, family) => resolve.addresses(host, signal, family).then(addressesAnswered),
      };
    },
  };
}
