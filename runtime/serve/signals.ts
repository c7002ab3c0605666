// In: how to shut down. Out: the first SIGTERM, SIGINT or SIGHUP does so; the second ends the process at once.

const signals = ['SIGTERM', 'SIGINT', 'SIGHUP'] as const;

/**
 * Shuts down in peace when asked to; returns how to stop listening.
 *
 * @example const stop = onShutdown(() => server.close()); await server.closed; stop();
 */
export function onShutdown(close: (signal: NodeJS.Signals) => unknown): () => void {
  let isClosing = false;
  const stop = (): void => {
    for (const signal of signals) process.off(signal, onSignal);
  };
  const onSignal = (signal: NodeJS.Signals): void => {
    if (isClosing) {
      // Without listeners the signal does what it does to any process.
      stop();
      process.kill(process.pid, signal);
      return;
    }
    isClosing = true;
    close(signal);
  };
  for (const signal of signals) process.on(signal, onSignal);
  return stop;
}
