import { CLOSE, type ToHost } from '../../../schema/link.ts';

/** @returns false if the socket is not open */
export function sendTo(socket: WebSocket, frame: ToHost): boolean {
  if (socket.readyState !== WebSocket.OPEN) return false;
  try {
    socket.send(JSON.stringify(frame));
    return true;
  } catch {
    return false;
  }
}

/** @param code one of `CLOSE`, whose name is sent to the other end as the reason */
export function closeWith(socket: WebSocket, code: number): void {
  const [reason] = Object.entries(CLOSE).find(([, value]) => value === code) ?? ['closed'];
  try {
    socket.close(code, reason);
  } catch {
    // It is closed already.
  }
}
