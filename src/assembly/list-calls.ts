import { MINUTE_MS, type InstrumentId } from '../domain/index.js';
import type { CallLimit, InstrumentCalls } from '../report/index.js';
import { BATCH_CANCEL, COMMAND_LIMITS, POLL_LIMITS } from '../venue/index.js';
import type { BacktestConfig } from '../config/index.js';
import { stopGridsOf } from './replay/stop-grids.js';

interface Rule {
  readonly id: string;
  readonly limit: number;
  readonly windowMs: number;
}

/** For each instrument, the venue limits that a live bot of the config would use, and the calls per minute of its polls. */
export function listCalls(
  config: Pick<BacktestConfig, 'instruments' | 'simulation'>,
): ReadonlyMap<InstrumentId, InstrumentCalls> {
  const { instruments, simulation } = config;
  const stopGrids = stopGridsOf(config);
  return new Map(
    instruments.map(({ instrumentId, kind, intervals }) => {
      const { submit, cancel } = COMMAND_LIMITS[kind];
      const { candles, orders, ticker } = POLL_LIMITS[kind];
      // The mark of a contract is read together with its candles.
      const perClose = intervals.length + (kind === 'futures' ? 1 : 0);
      const batches = { limit: limitOf(BATCH_CANCEL), orders: BATCH_CANCEL.orders };
      return [
        instrumentId,
        {
          submit: limitOf(submit),
          cancel: limitOf(cancel),
          batchCancel: kind === 'spot' ? batches : undefined,
          candles: { limit: limitOf(candles), perMinute: perClose },
          orders: { limit: limitOf(orders), perMinute: perMinute(simulation.updatePollMs) },
          ticker: { limit: limitOf(ticker), perMinute: perMinute(stopGrids[kind]) },
        },
      ];
    }),
  );
}

function limitOf({ id, limit, windowMs }: Rule): CallLimit {
  return { name: id, perMinute: (limit * MINUTE_MS) / windowMs };
}

function perMinute(periodMs: number): number {
  return Math.ceil(MINUTE_MS / periodMs);
}
