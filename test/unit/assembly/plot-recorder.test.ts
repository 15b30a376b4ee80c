import { describe, expect, it } from 'vitest';

import { PlotRecorder } from '../../../src/assembly/plot-recorder.js';
import { createInstrumentId } from '../../../src/domain/index.js';
import type { InstrumentConfig } from '../../../src/assembly/index.js';

const silent = { debug: () => undefined, info: () => undefined, warn: () => undefined };

function recorder(): PlotRecorder {
  const instruments = ['spot:BTCUSDT', 'spot:ETHUSDT'].map((instrumentId) => ({ instrumentId }));
  return new PlotRecorder({ instruments: instruments as unknown as readonly InstrumentConfig[] });
}

describe('PlotRecorder', () => {
  it('keeps lines by name and instrument, with the last value of an instant, from a given time on', () => {
    let now = 1;
    const plots = recorder();
    const log = plots.over(silent, () => now);

    log.plot?.('fast', 99, undefined);
    now = 5;
    log.plot?.('fast', 10, undefined);
    log.plot?.('fast', 11, undefined);
    log.plot?.('fast', 3, createInstrumentId('spot', 'ETHUSDT'));
    now = 6;
    log.plot?.('fast', 12, undefined);

    expect(plots.since(5)).toEqual([
      {
        name: 'fast',
        instrument: 'spot:BTCUSDT',
        points: [
          [5, 11],
          [6, 12],
        ],
      },
      { name: 'fast', instrument: 'spot:ETHUSDT', points: [[5, 3]] },
    ]);
  });

  it('returns undefined without plots', () => {
    expect(recorder().since(0)).toBeUndefined();
  });
});
