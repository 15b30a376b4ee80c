import type { Result } from '../report/index.js';
import { PulledEvents } from './pulled-events.js';
import { checkBacktestOptions, playRun, type RunBacktestOptions } from './run-backtest.js';
import { createRunStreams, forwardEvents, type RunEvent, type RunStreams } from './run-event.js';

/**
 * A running backtest. You may iterate it once for its events: the backtest then waits for its reader, and ends with `E_RUN_ABORTED` if the loop is left
 * before the end.
 */
export interface RunningBacktest extends AsyncIterable<RunEvent>, RunStreams {
  /** The document of `evenkeel backtest --json`. Rejects as `runBacktest`. */
  readonly result: Promise<Result>;
}

/**
 * Starts the run of {@link runBacktest}. The first event comes in a later turn of the process, so a subscriber that subscribes at once misses nothing.
 *
 * Listeners do not change the run. An error that a listener throws becomes an uncaught exception of the process.
 *
 * @throws {UsageError} `E_USAGE` for an unknown or wrong option. `result` rejects with all other errors.
 */
export function startBacktest(options: RunBacktestOptions): RunningBacktest {
  checkBacktestOptions(options);
  const { streams, next, complete } = createRunStreams();
  const controller = new AbortController();
  const pulled = new PulledEvents<RunEvent>(() => {
    controller.abort(new Error('its events were not read to the end'));
  });
  const signals = [controller.signal, ...(options.signal === undefined ? [] : [options.signal])];
  const result = playRun(
    { ...options, signal: AbortSignal.any(signals) },
    {
      onConstructed: (_strategy, context) => {
        forwardEvents(context, (event) => {
          pulled.push(event);
          next(event);
        });
      },
      mayGoOn: () => pulled.drained(),
    },
  ).finally(() => {
    complete();
    pulled.close();
  });
  pulled.end = result;
  return {
    result,
    ...streams,
    [Symbol.asyncIterator]: () => pulled.read(),
  };
}
