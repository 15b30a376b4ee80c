import { describe, expect, it } from 'vitest';

import { startStrategy, type SliceShape, type StrategyTest } from '../../../src/testing/index.js';
import { Rotation } from '../../../strategies/rotation/rotation.strategy.js';

const SYMBOLS = ['AUSDT', 'BUSDT', 'CUSDT'] as const;

function start(parameters: Readonly<Record<string, number>> = {}): Promise<StrategyTest> {
  return startStrategy(Rotation, {
    instruments: SYMBOLS.map((symbol) => ({ product: 'spot', symbol, intervals: ['1h'] })),
    parameters: { momentumCandles: 2, holdCandles: 3, ...parameters },
  });
}

/** Slices of one hour with the close of each instrument. */
function hours(...rows: readonly (readonly [number, number, number])[]): readonly SliceShape[] {
  return rows.map((closes) =>
    Object.fromEntries(SYMBOLS.map((symbol, place) => [symbol, { close: closes[place] ?? 0 }])),
  );
}

const STILL = [100, 100, 100] as const;
/** The strategy is warm with the next candle. It is the third candle since midnight, at which the strategy decides. */
const WARM_UP = [STILL, STILL, STILL, STILL, STILL] as const;
/** Closes that rose by 1, 3 and 2 %. */
const RISEN = [101, 103, 102] as const;

const enter = (symbol: string): unknown => ({
  kind: 'enter',
  direction: 'long',
  size: { equity: '0.95' },
  instrument: `spot:${symbol}`,
});
const leave = (symbol: string): unknown => ({ kind: 'exit', instrument: `spot:${symbol}` });

describe('Rotation', () => {
  it('buys the instrument that rose most', async () => {
    const test = await start();

    test.play(hours(...WARM_UP, RISEN));

    expect(test.intents).toEqual([enter('BUSDT')]);
  });

  it('makes no intent if no instrument rose enough', async () => {
    const test = await start({ leastRise: 5 });

    test.play(hours(...WARM_UP, RISEN));

    expect(test.isWarm).toBe(true);
    expect(test.intents).toEqual([]);
  });

  it('sells first, and buys after the sale has filled', async () => {
    const test = await start();
    test.play(hours(...WARM_UP, RISEN));

    test.play(hours(RISEN, RISEN, [101, 103, 110]));
    const beforeTheFill = test.intents.slice(1);
    test.play(hours([101, 103, 110]));

    expect(beforeTheFill).toEqual([leave('BUSDT')]);
    expect(test.fills.map(({ side }) => side)).toEqual(['buy', 'sell', 'buy']);
    expect(test.intents.slice(2)).toEqual([enter('CUSDT')]);
  });

  it('makes no change between two decisions', async () => {
    const test = await start();
    test.play(hours(...WARM_UP, RISEN));

    test.play(hours([150, 103, 102], [150, 103, 102]));

    expect(test.position('BUSDT').quantity.isZero()).toBe(false);
    expect(test.intents.slice(1)).toEqual([]);
  });

  it('sells its instrument when no instrument rises any more', async () => {
    const test = await start();
    test.play(hours(...WARM_UP, RISEN));

    test.play(hours([99, 99, 99], [98, 98, 98], [97, 97, 97], [96, 96, 96], [95, 95, 95]));

    expect(test.intents.slice(1)).toEqual([leave('BUSDT')]);
    expect(test.position('BUSDT').quantity.isZero()).toBe(true);
  });
});
