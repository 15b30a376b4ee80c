/** Runs an action when a signal is aborted; at once if it is aborted already. Returns the function that ends this. */
export function onAbort(signal: AbortSignal | undefined, action: () => void): () => void {
  if (signal?.aborted === true) action();
  else signal?.addEventListener('abort', action, { once: true });
  return () => {
    signal?.removeEventListener('abort', action);
  };
}
