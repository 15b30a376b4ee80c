import { xoroshiro128plus } from 'pure-rand/generator/xoroshiro128plus';
import { uniformInt } from 'pure-rand/distribution/uniformInt';

type Draw = <T>(of: readonly T[]) => T;

/** Indicators of a strategy, and its condition for a position. */
interface Signal {
  readonly fields: (stream: string) => string;
  readonly isUp: string;
}

/** Draws the source of a strategy, built from honest parts. The same seed gives the same source. */
export function drawHonestStrategy(seed: number): string {
  const random = xoroshiro128plus(seed);
  const draw: Draw = (of) => of[uniformInt(random, 0, of.length - 1)] as (typeof of)[number];
  const number = (from: number, to: number): number => uniformInt(random, from, to);
  const signal = drawSignal(draw, number);
  const protection = draw([
    '',
    `, { protection: { stopLoss: { ratio: '0.0${String(number(1, 5))}' } } }`,
    `, { protection: { takeProfit: { ratio: '0.0${String(number(1, 5))}' } } }`,
    `, { protection: { trailingStop: { ratio: '0.0${String(number(1, 5))}' } } }`,
    `, { protection: { stopLoss: { ratio: '0.03' }, takeProfit: { ratio: '0.04' } } }`,
  ]);
  return draw([candleStrategy, streamStrategy, bothInstruments])(signal, protection);
}

function drawSignal(draw: Draw, number: (from: number, to: number) => number): Signal {
  const [short, long] = [number(3, 10), number(12, 30)];
  return draw<Signal>([
    {
      fields: (of) =>
        `{ fast: this.indicator(sma(${String(short)})${of}), slow: this.indicator(sma(${String(long)})${of}) }`,
      isUp: 'own.fast.value > own.slow.value',
    },
    {
      fields: (of) =>
        `{ fast: this.indicator(ema(${String(short)})${of}), slow: this.indicator(ema(${String(long)})${of}) }`,
      isUp: 'own.fast.value > own.slow.value',
    },
    {
      fields: (of) =>
        `{ top: this.indicator(highest(${String(long)})${of}), bottom: this.indicator(lowest(${String(short)})${of}) }`,
      isUp: 'candle.high >= own.top.value || candle.low > own.bottom.value * 1.01',
    },
    {
      fields: (of) => `{ strength: this.indicator(rsi(${String(short)})${of}) }`,
      isUp: `own.strength.value < ${String(number(35, 60))}`,
    },
    {
      fields: (of) => `{ rise: this.indicator(roc(${String(long)})${of}) }`,
      isUp: 'own.rise.value > 0',
    },
  ]);
}

const IMPORTS = `import { CandleStrategy, ema, enterLong, exit, highest, int, lowest, roc, rsi, sma, Strategy, type Candle, type Market } from 'evenkeel';
import { delay, distinctUntilChanged, filter, map } from 'rxjs';
`;
const PARAMETERS = '{ fast: int(2, 200, 10), slow: int(3, 400, 30) }';

function candleStrategy({ fields, isUp }: Signal, protection: string): string {
  return `${IMPORTS}export class Honest extends CandleStrategy(${PARAMETERS}) {
  readonly own = ${fields('')};
  override onCandle(candle: Candle): void {
    if (candle.instrumentId !== 'spot:BTCUSDT') return;
    const { own } = this;
    if (${isUp}) this.enterLong({ equity: '0.4' }${protection});
    else this.exit();
  }
}
`;
}

function streamStrategy({ fields, isUp }: Signal, protection: string): string {
  return `${IMPORTS}export class Honest extends Strategy(${PARAMETERS}) {
  readonly own = ${fields('')};
  override intents(market: Market) {
    const { own } = this;
    return market.candles$().pipe(
      filter(() => Object.values(own).every(({ value }) => !Number.isNaN(value))),
      map((candle) => ${isUp}),
      distinctUntilChanged(),
      delay(60_000),
      map((isUp) => (isUp ? enterLong({ notional: '2000' }${protection}) : exit())),
    );
  }
}
`;
}

function bothInstruments({ fields, isUp }: Signal, protection: string): string {
  const terms =
    protection === ''
      ? ', { instrument }'
      : protection.replace('{ protection', '{ instrument, protection');
  return `${IMPORTS}export class Honest extends CandleStrategy(${PARAMETERS}) {
  readonly all = new Map(
    this.instruments.map(({ instrumentId: instrument }) => [instrument, ${fields(', { instrument }')}]),
  );
  override onCandle(candle: Candle): void {
    const instrument = candle.instrumentId;
    const own = this.all.get(instrument)!;
    if (${isUp}) this.enterLong({ notional: '2000' }${terms});
    else this.exit({ instrument });
  }
}
`;
}
