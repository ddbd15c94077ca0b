const BATCH_MS = 12;

/** Lets the page do something else, but only if it has been kept waiting. */
export function breather(): () => Promise<void> {
  let from = performance.now();
  return async () => {
    if (performance.now() - from < BATCH_MS) return;
    await new Promise<void>((resolve) => {
      const { port1, port2 } = new MessageChannel();
      port1.addEventListener('message', () => {
        port1.close();
        resolve();
      });
      port1.start();
      port2.postMessage(null);
    });
    from = performance.now();
  };
}
