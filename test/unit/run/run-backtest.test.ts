import { getEventListeners } from 'node:events';
import { afterEach, describe, expect, it, vi } from 'vitest';
import { openArchive as openFolder } from '../../../src/archive/index.js';
import { columnsOfCandles, createInstrumentId, HOUR_MS } from '../../../src/domain/index.js';
import { CandleStrategy } from '../../../src/index.js';
import {
  formatResult,
  openArchive,
  runBacktest,
  type CandleValues,
  type RunBacktestOptions,
} from '../../../src/run/index.js';
import { Crossing, DESCRIPTION, hourlyCandles } from '../../support/run/hourly-description.js';
import { temporaryFolder } from '../../support/temporary-folder.js';

const SERIES = { instrument: 'spot:BTCUSDT', interval: '1h' } as const;

function options(count = 400): RunBacktestOptions {
  return {
    config: DESCRIPTION,
    strategy: Crossing,
    candles: [{ ...SERIES, candles: hourlyCandles(count) }],
  };
}

async function* oneByOne(candles: readonly CandleValues[]): AsyncGenerator<CandleValues> {
  for (const candle of candles) {
    await Promise.resolve();
    yield candle;
  }
}

afterEach(() => {
  vi.restoreAllMocks();
});

describe('runBacktest', () => {
  it('gives the same result for candles as a list, as columns, as an async iterable and as an archive', async () => {
    const candles = hourlyCandles(400);
    const directory = await temporaryFolder();
    await openFolder(directory).merge(
      {
        instrumentId: createInstrumentId('spot', 'BTCUSDT'),
        interval: '1h',
        columns: columnsOfCandles(candles),
      },
      { source: 'test', volumeUnit: 'base' },
    );
    const run = async (given: RunBacktestOptions['candles']): Promise<string> =>
      formatResult(await runBacktest({ ...options(), candles: given }));

    const listed = await run([{ ...SERIES, candles }]);

    expect(listed).toContain('"orders": [\n');
    expect(await run([{ ...SERIES, candles: columnsOfCandles(candles) }])).toBe(listed);
    expect(await run([{ ...SERIES, candles: oneByOne(candles) }])).toBe(listed);
    expect(await run(openArchive(directory))).toBe(listed);
  });

  it('builds missing intervals from finer candles, and warns', async () => {
    const config = {
      ...DESCRIPTION,
      instruments: [{ product: 'spot', symbol: 'BTCUSDT', intervals: ['2h'] }],
    } as const;

    const { run, warnings } = await runBacktest({ ...options(), config });

    expect(run.candles).toBeGreaterThan(150);
    expect(warnings).toContain('spot:BTCUSDT 2h: not stored; made of the stored candles of 1h');
  });

  it('gives concurrent runs the same results as separate runs', async () => {
    const alone = [formatResult(await runBacktest(options(5_000)))];
    alone.push(formatResult(await runBacktest(options(4_000))));

    const together = await Promise.all([5_000, 4_000].map((count) => runBacktest(options(count))));

    expect(together.map(formatResult)).toEqual(alone);
  });

  it('prints nothing', async () => {
    const [stdout, stderr] = [process.stdout, process.stderr].map((stream) =>
      vi.spyOn(stream, 'write').mockReturnValue(true),
    );

    await runBacktest(options());

    expect(stdout).not.toHaveBeenCalled();
    expect(stderr).not.toHaveBeenCalled();
  });

  it('reports its progress', async () => {
    const onProgress = vi.fn();

    await runBacktest({ ...options(5_000), onProgress });

    expect(onProgress.mock.calls.length).toBeGreaterThan(1);
    for (const [progress] of onProgress.mock.calls) {
      expect(progress.total).toBe(5_000);
      expect(progress.done).toBeGreaterThan(0);
      expect(progress.time % HOUR_MS).toBe(0);
    }
  });

  it('has another run id for another class, and the same id for the same class', async () => {
    class Idle extends CandleStrategy({}) {
      override onCandle(): void {
        // Raises no intents.
      }
    }
    const idOf = async (strategy: RunBacktestOptions['strategy']): Promise<string> =>
      (await runBacktest({ ...options(50), strategy })).run.id;

    expect(await idOf(Idle)).toBe(await idOf(Idle));
    expect(await idOf(Idle)).not.toBe(await idOf(Crossing));
  });
});

describe('the signal of a run', () => {
  it('prevents a run if it was aborted before', async () => {
    const signal = AbortSignal.abort('not now');

    await expect(runBacktest({ ...options(), signal })).rejects.toMatchObject({
      code: 'E_RUN_ABORTED',
      message: 'the run was aborted by its caller (E_RUN_ABORTED)',
      cause: 'not now',
    });
  });

  it('ends a run with the next stretch of candles, and keeps no listener', async () => {
    const controller = new AbortController();
    const { signal } = controller;
    let told = 0;
    const onProgress = (): void => {
      told += 1;
      if (told === 2) controller.abort(new Error('enough'));
    };

    await expect(runBacktest({ ...options(20_000), signal, onProgress })).rejects.toMatchObject({
      code: 'E_RUN_ABORTED',
      cause: { message: 'enough' },
    });
    await new Promise((resolve) => setTimeout(resolve, 5));

    expect(told).toBe(2);
    expect(getEventListeners(signal, 'abort')).toEqual([]);
  });

  it('ends a run that waits for candles that never come', async () => {
    const controller = new AbortController();
    const never: AsyncIterable<CandleValues> = {
      [Symbol.asyncIterator]: () => ({ next: () => new Promise(() => undefined) }),
    };

    const run = runBacktest({
      ...options(),
      candles: [{ ...SERIES, candles: never }],
      signal: controller.signal,
    });
    controller.abort();

    await expect(run).rejects.toMatchObject({ code: 'E_RUN_ABORTED' });
  });

  it('ends a run that reads candles from a generator without an end', async () => {
    const controller = new AbortController();
    let isClosed = false;
    function* endless(): Generator<CandleValues> {
      try {
        for (let openTime = 0; ; openTime += 3_600_000) {
          if (openTime > 36e11) throw new Error('nobody has ended it');
          yield { openTime, open: 1, high: 1, low: 1, close: 1, volume: 1 };
        }
      } finally {
        isClosed = true;
      }
    }

    const run = runBacktest({
      ...options(),
      candles: [{ ...SERIES, candles: endless() }],
      signal: controller.signal,
    });
    setImmediate(() => {
      controller.abort();
    });

    await expect(run).rejects.toMatchObject({ code: 'E_RUN_ABORTED' });
    await vi.waitFor(() => {
      expect(isClosed).toBe(true);
    });
  });

  it('ends the search for a range between two of its short runs', async () => {
    const controller = new AbortController();
    let runs = 0;
    class Counted extends Crossing {
      constructor(...given: ConstructorParameters<typeof Crossing>) {
        super(...given);
        runs += 1;
        if (runs === 400)
          setImmediate(() => {
            controller.abort();
          });
      }
    }

    const run = runBacktest({
      ...options(400),
      strategy: Counted,
      bounds: true,
      signal: controller.signal,
    });

    await expect(run).rejects.toMatchObject({ code: 'E_RUN_ABORTED' });
    // Most runs from here on are cut: they join another run before their end.
    expect(runs).toBe(400);
  });

  it('keeps no listener of a finished run', async () => {
    const { signal } = new AbortController();

    await runBacktest({ ...options(50), signal });

    expect(getEventListeners(signal, 'abort')).toEqual([]);
  });
});
