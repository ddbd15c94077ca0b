import type { AddressAnswer, Dial, DialAnswer, MxAnswer, Ports, Resolve } from '../../engine/ports/ports.ts';

/** What is told of the engine's traffic with the world: kinds and times, never a name or an address. */
export type PortsObserver = {
  readonly lookedUp: (type: 'mx' | 'address', result: MxAnswer['kind'] | 'incomplete', ms: number) => void;
  readonly dialled: (from: string | null, result: DialAnswer['kind'], ms: number) => void;
  /** @param errno what the system calls it */
  readonly dialError: (from: string | null, errno: string) => void;
};

/** The same ports, watched from outside: the engine knows nothing of it. */
export function measuredPorts<P extends Ports>(ports: P, observer: PortsObserver): P {
  const { clock } = ports;
  const dial: Dial = async (target, cancel) => {
    const startedAt = clock.now();
    const answer = await ports.dial(target, cancel, (errno) => observer.dialError(target.from, errno));
    observer.dialled(target.from, answer.kind, clock.now() - startedAt);
    return answer;
  };
  return {
    ...ports,
    dial,
    resolveFor: (account) => measuredResolve(ports.resolveFor(account), () => clock.now(), observer),
  };
}

function measuredResolve(resolve: Resolve, now: () => number, { lookedUp }: PortsObserver): Resolve {
  return {
    async mx(domain, signal) {
      const startedAt = now();
      const answer = await resolve.mx(domain, signal);
      lookedUp('mx', answer.kind, now() - startedAt);
      return answer;
    },
    async addresses(host, signal, family) {
      const startedAt = now();
      const answer = await resolve.addresses(host, signal, family);
      lookedUp('address', kindOf(answer), now() - startedAt);
      return answer;
    },
  };
}

function kindOf({ addresses, certain }: AddressAnswer): 'found' | 'none' | 'incomplete' | 'failed' {
  if (certain) return addresses.length > 0 ? 'found' : 'none';
  return addresses.length > 0 ? 'incomplete' : 'failed';
}
