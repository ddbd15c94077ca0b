import type {
  AddressAnswer,
  Connection,
  Dial,
  DialAnswer,
  MxAnswer,
  Ports,
  ReadAnswer,
  Resolve,
} from '../../engine/ports/ports.ts';

/** What is told of the engine's traffic with the world, to whom it matters: kinds and times, never a name or an address. */
export type PortsObserver = {
  readonly lookedUp: (type: 'mx' | 'address', result: MxAnswer['kind'] | 'incomplete', ms: number) => void;
  readonly dialled: (from: string | null, result: DialAnswer['kind'], ms: number) => void;
  /** @param errno what the system calls it */
  readonly dialError?: (from: string | null, errno: string) => void;
  readonly secured: (result: 'secure' | 'failed', ms: number) => void;
  /** Somebody waited for bytes that did not come. */
  readonly unanswered?: (end: Exclude<ReadAnswer['kind'], 'bytes'>, ms: number) => void;
  /** A connection was opened (1) or is gone (-1). */
  readonly connections?: (change: 1 | -1) => void;
};

/** The same ports, watched from outside: the engine knows nothing of it. */
export function measuredPorts<P extends Ports>(ports: P, observer: PortsObserver): P {
  const { clock } = ports;
  const dial: Dial = async (target, cancel) => {
    const startedAt = clock.now();
    const answer = await ports.dial(target, cancel, (errno) => observer.dialError?.(target.from, errno));
    observer.dialled(target.from, answer.kind, clock.now() - startedAt);
    if (answer.kind !== 'connected') return answer;
    observer.connections?.(1);
    return { ...answer, connection: watched(answer.connection, () => clock.now(), observer) };
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

/** Tells of reads in vain, of its TLS handshake, and once when our side lets go of it, which it always does. */
function watched(connection: Connection, now: () => number, observer: PortsObserver): Connection {
  let isOpen = true;
  const ended = (): void => {
    if (isOpen) observer.connections?.(-1);
    isOpen = false;
  };
  return {
    async read() {
      const startedAt = now();
      const answer = await connection.read();
      if (answer.kind !== 'bytes') observer.unanswered?.(answer.kind, now() - startedAt);
      return answer;
    },
    write: (text) => connection.write(text),
    async startTls(serverName) {
      const startedAt = now();
      const result = await connection.startTls(serverName);
      observer.secured(result, now() - startedAt);
      return result;
    },
    end: () => {
      ended();
      connection.end();
    },
    destroy: () => {
      ended();
      connection.destroy();
    },
  };
}
