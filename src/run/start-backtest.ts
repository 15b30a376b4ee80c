import type { Result } from '../report/index.js';
import { PulledEvents } from './pulled-events.js';
import { playRun, type RunBacktestOptions } from './run-backtest.js';
import { createRunStreams, forwardEvents, type RunEvent, type RunStreams } from './run-event.js';

/**
 * A backtest that goes on. It may be iterated, once, for its events: it then goes no further than its reader, and ends with `E_RUN_ABORTED` where the loop is left
 * before its end.
 */
export interface RunningBacktest extends AsyncIterable<RunEvent>, RunStreams {
  /** The document of `evenkeel backtest --json`. Rejects as `runBacktest`. */
  readonly result: Promise<Result>;
}

/**
 * Starts what {@link runBacktest} runs. The first event comes in a later turn of the process: who subscribes at once misses nothing.
 *
 * Who listens changes nothing of the run. What a listener throws is not the run's: it comes as an uncaught exception of the process.
 */
export function startBacktest(options: RunBacktestOptions): RunningBacktest {
  const { streams, next, complete } = createRunStreams();
  const controller = new AbortController();
  const pulled = new PulledEvents<RunEvent>(() => {
    controller.abort(new Error('its events are not read to the end'));
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
