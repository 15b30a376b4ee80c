import { TransportError } from '../../../domain/index.js';
import type { ExecutionAdapter } from '../../../venue/index.js';

/**
 * Wraps an adapter to check, right before each order is sent, that this process still holds the lock of the bot's journal. If the lock's file was removed,
 * another process may have taken the lock and trade for the bot. Cancels and readings pass.
 */
export function leasedExecution(
  execution: ExecutionAdapter,
  isHeld: () => boolean,
): ExecutionAdapter {
  const withdraw = execution.cancelConditional?.bind(execution);
  const leased = <T>(send: () => Promise<T>): Promise<T> =>
    isHeld()
      ? send()
      : Promise.reject(
          new TransportError(
            'E_LEASE_LOST',
            "the lock of the journal is not this process's any more; nothing was sent",
          ),
        );
  return {
    capabilities: execution.capabilities,
    submit: (order, options) => leased(() => execution.submit(order, options)),
    submitBatch: (orders, options) => leased(() => execution.submitBatch(orders, options)),
    submitConditional: (order, options) =>
      leased(() => execution.submitConditional(order, options)),
    test: (order, options) => execution.test(order, options),
    cancel: (target, options) => execution.cancel(target, options),
    cancelBatch: (instrumentId, ids, options) => execution.cancelBatch(instrumentId, ids, options),
    ...(withdraw && { cancelConditional: withdraw }),
  };
}
