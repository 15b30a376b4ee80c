import { TransportError, type EpochMs, type OrderRequest } from '../domain/index.js';
import type { SessionTime } from './session-time.js';

export interface PatienceTerms {
  readonly time: Pick<SessionTime, 'now' | 'after'>;
  readonly decidedAt: EpochMs;
  /** How long after its decision an order that opens may still be sent, in ms. @defaultValue for ever */
  readonly entryLifeMs: number | undefined;
  /** Aborted when nothing that waits is to be sent any more. @defaultValue never */
  readonly leaving: AbortSignal | undefined;
  /** Aborted when nothing is to open any more. */
  readonly entriesEnd: AbortSignal;
}

/**
 * For how long an order may wait for its turn: one that reduces until the bot stops, one that opens no longer than what it was decided on
 * is worth, and not when the bot is being stopped. To be released when the order is over.
 */
export function waitFor(
  { action, instrumentId }: Pick<OrderRequest, 'action' | 'instrumentId'>,
  { time, decidedAt, entryLifeMs = Number.POSITIVE_INFINITY, leaving, entriesEnd }: PatienceTerms,
): { readonly signal: AbortSignal; readonly release: () => void } {
  const controller = new AbortController();
  const ends = [leaving, action === 'open' ? entriesEnd : undefined];
  const leave = (): void => {
    controller.abort(ends.find((end) => end?.aborted)?.reason);
  };
  for (const end of ends) end?.addEventListener('abort', leave);
  if (ends.some((end) => end?.aborted)) leave();
  const remainingMs = decidedAt + entryLifeMs - time.now();
  const expire = (): void => {
    const text = `an order to open ${instrumentId} waited for its turn for more than ${String(entryLifeMs / 1_000)} s after it was decided; nothing was sent`;
    controller.abort(new TransportError('E_TOO_LATE', text));
  };
  let cancel = (): void => undefined;
  if (action === 'open' && remainingMs <= 0) expire();
  else if (action === 'open' && Number.isFinite(remainingMs))
    cancel = time.after('arrivals', remainingMs, expire);
  return {
    signal: controller.signal,
    release: () => {
      cancel();
      for (const end of ends) end?.removeEventListener('abort', leave);
    },
  };
}
