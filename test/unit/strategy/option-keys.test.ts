import { describe, expect, it } from 'vitest';
import {
  bollinger,
  bool,
  CandleStrategy,
  choice,
  ema,
  highest,
  int,
  kama,
  lowest,
  macd,
  number,
  roc,
  rsi,
  sma,
  standardDeviation,
  stochastic,
  Strategy,
  vwap,
  wma,
  type AnyIndicator,
  type Candle,
  type Indicator,
} from '../../../src/index.js';
import { startStrategy } from '../../../src/testing/index.js';

/** An indicator of one's own, with a line. */
class Lines implements AnyIndicator {
  readonly lookback = 2;
  readonly line = sma(3);

  update(candle: Candle): void {
    this.line.update(candle);
  }
}

/** What a plugin in JavaScript may give. */
const wrong = (value: unknown): never => value as never;

describe('options that nothing reads', () => {
  it.each<readonly [string, () => unknown, string, string]>([
    [
      'macd',
      () => macd(wrong({ fats: 5 })),
      'E_INDICATOR_OPTION',
      'macd: expected one of fast, slow, signal, source, received "fats"; did you mean "fast"?',
    ],
    [
      'macd, a number',
      () => macd(wrong(12)),
      'E_INDICATOR_OPTION',
      'macd: expected options such as { fast: … }, received 12',
    ],
    [
      'stochastic',
      () => stochastic(wrong({ smooth: 3 })),
      'E_INDICATOR_OPTION',
      'stochastic: expected one of period, smoothK, smoothD, received "smooth"; did you mean "smoothK"?',
    ],
    ['int', () => int(1, 9, 2, wrong({ stepp: 2 })), 'E_PARAMETER_DECLARATION', '"step"'],
    ['number', () => number(1, 9, 2, wrong({ step: 2 })), 'E_PARAMETER_DECLARATION', '"step"'],
    ['bool', () => bool(true, wrong('a text')), 'E_PARAMETER_DECLARATION', 'received a text'],
    [
      'choice',
      () => choice(['a', 'b'], wrong({ default: 'b' })),
      'E_PARAMETER_DECLARATION',
      'received "default"',
    ],
    [
      'CandleStrategy',
      () => CandleStrategy({}, wrong({ instrument: 2 })),
      'E_PARAMETER_DECLARATION',
      'CandleStrategy: expected one of instruments, intervals, state, stateVersion, migrateState, received "instrument"; did you mean "instruments"?',
    ],
    [
      'Strategy',
      () => Strategy({}, wrong({ stat: {} })),
      'E_PARAMETER_DECLARATION',
      'Strategy: expected one of instruments, intervals, state, stateVersion, migrateState, received "stat"; did you mean "state"?',
    ],
    [
      'CandleStrategy, a bare default',
      () => CandleStrategy(wrong({ period: 14 })),
      'E_PARAMETER_DECLARATION',
      'CandleStrategy: period: expected a parameter made by int, number, bool or choice, received 14',
    ],
    [
      'Strategy, a list',
      () => Strategy(wrong({ mode: ['calm', 'bold'] })),
      'E_PARAMETER_DECLARATION',
      'Strategy: mode: expected a parameter made by int, number, bool or choice, received an object',
    ],
    [
      'CandleStrategy, no declarations',
      () => CandleStrategy(wrong(14)),
      'E_PARAMETER_DECLARATION',
      'CandleStrategy: expected parameters such as { period: int(2, 200, 14) }, received 14',
    ],
  ])('are refused by %s', (_, make, code, message) => {
    let failure: unknown;
    try {
      make();
    } catch (error: unknown) {
      failure = error;
    }

    expect(failure).toMatchObject({ code, message: expect.stringContaining(message) });
  });

  it.each<readonly [string, (source: never) => AnyIndicator]>([
    ['bollinger', (source) => bollinger(20, 2, source)],
    ['ema', (source) => ema(20, source)],
    ['highest', (source) => highest(20, source)],
    ['kama', (source) => kama(20, source)],
    ['lowest', (source) => lowest(20, source)],
    ['macd', (source) => macd({ source })],
    ['roc', (source) => roc(20, source)],
    ['rsi', (source) => rsi(20, source)],
    ['sma', (source) => sma(20, source)],
    ['standardDeviation', (source) => standardDeviation(20, source)],
    ['vwap', (source) => vwap(20, source)],
    ['wma', (source) => wma(20, source)],
  ])('are refused as the source of %s, which would be NaN for ever', (_, make) => {
    expect(() => make(wrong('hcl3'))).toThrow(
      'expected a source among open, high, low, close, hl2, hlc3, ohlc4, volume, received "hcl3"; did you mean "hlc3"?',
    );
    expect(() => make(wrong('toString'))).toThrow('received "toString"');
  });

  it.each<readonly [string, unknown, unknown, string]>([
    [
      'a misspelled interval, which would be the first',
      sma(3),
      { intervall: '4h' },
      'this.indicator: expected one of instrument, interval, of, keep, received "intervall"; did you mean "interval"?',
    ],
    [
      'a text',
      sma(3),
      '4h',
      'this.indicator: expected options such as { instrument: … }, received 4h',
    ],
    ['nothing', undefined, {}, 'expected an indicator such as sma(20), received undefined'],
    [
      'a function that was not called',
      sma,
      {},
      'expected an indicator such as sma(20), received a function',
    ],
    ['a number', 5, {}, 'expected an indicator such as sma(20), received 5'],
  ])('are refused by this.indicator: %s', async (_, indicator, options, message) => {
    class Reads extends CandleStrategy({}) {
      readonly line = this.indicator(wrong(indicator), wrong(options));

      override onCandle(): void {
        // Not called: the constructor fails.
      }
    }

    await expect(startStrategy(Reads)).rejects.toMatchObject({
      code: 'E_INDICATOR_OPTION',
      message: expect.stringContaining(message),
    });
  });

  it.each<readonly [string, (lines: { one: Lines; average: Indicator }) => unknown, object]>([
    ['the same indicator', ({ average }) => average, { keep: 50 }],
    ['the same on another stream', ({ average }) => average, { interval: '4h' }],
    ['an indicator that is a line of another', ({ one }) => one.line, {}],
  ])('are not the way to feed an indicator twice: %s', async (_, again, options) => {
    class Reads extends CandleStrategy({}) {
      readonly one = this.indicator(new Lines());
      readonly average = this.indicator(sma(3));
      readonly again = this.indicator(wrong(again(this)), options);

      override onCandle(): void {
        // Not called: the constructor fails.
      }
    }

    await expect(startStrategy(Reads)).rejects.toMatchObject({
      code: 'E_INDICATOR_OPTION',
      message: expect.stringContaining(
        'this.indicator: expected an indicator that is not fed yet, received one that this strategy has: each candle would count twice; make another',
      ),
    });
  });

  it('are refused by this.candles', async () => {
    class Reads extends CandleStrategy({}) {
      readonly recent = this.candles(3, wrong({ intervall: '4h' }));

      override onCandle(): void {
        // Not called: the constructor fails.
      }
    }

    await expect(startStrategy(Reads)).rejects.toThrow(
      'this.candles: expected one of instrument, interval, received "intervall"',
    );
  });
});
