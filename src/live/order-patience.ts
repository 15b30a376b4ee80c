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
 * is worth, and not when the bot is being stopped: any of the signals ends the wait. To be released when the order is over.
 */
export function waitFor(
  { action, instrumentId }: Pick<OrderRequest, 'action' | 'instrumentId'>,
  { time, decidedAt, entryLifeMs = Number.POSITIVE_INFINITY, leaving, entriesEnd }: PatienceTerms,
): { readonly signals: readonly AbortSignal[]; readonly release: () => void } {
  const signals = leaving === undefined ? [] : [leaving];
  if (action !== 'open') return { signals, release: () => undefined };
  signals.push(entriesEnd);
  if (!Number.isFinite(entryLifeMs)) return { signals, release: () => undefined };
  const controller = new AbortController();
  signals.push(controller.signal);
  const expire = (): void => {
    const text = `an order to open ${instrumentId} waited for its turn for more than ${String(entryLifeMs / 1_000)} s after it was decided; nothing was sent`;
    controller.abort(new TransportError('E_TOO_LATE', text));
  };
  const remainingMs = decidedAt + entryLifeMs - time.now();
  if (remainingMs > 0) return { signals, release: time.after('arrivals', remainingMs, expire) };
  expire();
  return { signals, release: () => undefined };
}
