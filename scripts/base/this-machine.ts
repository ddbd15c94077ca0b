const THIS_MACHINE = /^(?:localhost|127(?:\.\d{1,3}){3}|\[::1\])$/;

/** Whether a URL leads to this machine, where plain HTTP is safe. */
export function isThisMachine({ hostname }: URL): boolean {
  return THIS_MACHINE.test(hostname);
}
