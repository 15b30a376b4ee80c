import type { EpochMs, InstrumentId } from '../../domain/index.js';
import type { GoneInstruments } from '../../live/index.js';
import type { ExecutionAdapter } from '../../venue/index.js';

/** Between two orders for an instrument that is gone: whether an exit of it is possible again only the venue can say. */
const TRY_MS = 30_000;

/**
 * An adapter that spares the venue orders for instruments that it has no more: entries never leave, and of exits one in half a minute. What is not sent is
 * rejected by name. `execution`: its calls are closures.
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
