import type { EpochMs, InstrumentId } from '../../../domain/index.js';
import type { GoneInstruments } from '../../../live/index.js';
import type { ExecutionAdapter } from '../../../venue/index.js';

/** Time between two exits that are sent for a gone instrument: only the venue can say whether an exit is possible again. */
const TRY_MS = 30_000;

/**
 * Wraps an adapter to send fewer orders for instruments that the venue no longer has: no entries, and one exit in half a minute. Orders that are not sent
 * are rejected with their own code. The methods of `execution` must not use `this`, because they are copied.
 */
export function goneExecution(
  execution: ExecutionAdapter,
  { gone, now }: { readonly gone: Pick<GoneInstruments, 'has'>; readonly now: () => EpochMs },
): ExecutionAdapter {
  const tried = new Map<InstrumentId, EpochMs>();
  return {
    ...execution,
    submit: (order, options) => {
      const { instrumentId, action } = order;
      if (!gone.has(instrumentId)) return execution.submit(order, options);
      const isDue = now() - (tried.get(instrumentId) ?? Number.NEGATIVE_INFINITY) >= TRY_MS;
      if (action === 'open' || !isDue) {
        const text = `the venue has no ${instrumentId} any more; nothing was sent`;
        return Promise.resolve({ kind: 'rejected', reason: { code: 'gone', text } });
      }
      tried.set(instrumentId, now());
      return execution.submit(order, options);
    },
  };
}
