import { CandleStrategy, int, type Candle, type Fill, type Size } from 'evenkeel';

const PARAMETERS = {
  /** Distances in ten-thousandths of the price: stop and target from the entry, the limit from the close. */
  stop: int(1, 2_000, 50),
  target: int(1, 2_000, 50),
  limit: int(0, 2_000, 0),
  /** Candles from one entry to the next. */
  every: int(1, 100, 7),
  trails: int(0, 1, 0),
  shorts: int(0, 1, 0),
  size: int(1, 1_000_000, 1),
};

const TEN_THOUSAND = 10_000;

/** Enters every few candles, with a stop and a target; by a LIMIT order if `limit` is above 0. It reads candles and nothing else. */
export class BracketTrader extends CandleStrategy(PARAMETERS) {
  #candles = 0;

  override onCandle(candle: Candle): void {
    this.#candles += 1;
    const { every } = this.parameters;
    if (this.#candles % every === 0) this.enter(candle);
    if (this.#candles % (3 * every) === 3 * every - 1) this.exit();
  }

  protected size(): Size {
    return { quantity: String(this.parameters.size) };
  }

  protected enter(candle: Candle): void {
    const { stop, target, limit, trails, shorts } = this.parameters;
    const ratio = (parts: number): string => String(parts / TEN_THOUSAND);
    const isShort = shorts === 1 && this.#candles % 2 === 0;
    const distance = (candle.close * limit) / TEN_THOUSAND;
    const limitPrice = (candle.close + (isShort ? distance : -distance)).toFixed(2);
    const terms = {
      ...(limit > 0 && { limitPrice, goodForMs: 240_000 }),
      protection: {
        takeProfit: { ratio: ratio(target) },
        ...(trails === 1
          ? { trailingStop: { ratio: ratio(stop) } }
          : { stopLoss: { ratio: ratio(stop) } }),
      },
    };
    if (isShort) this.enterShort(this.size(), terms);
    else this.enterLong(this.size(), terms);
  }
}

/** Sizes by equity, so cash influences its orders. */
export class EquityTrader extends BracketTrader {
  protected override size(): Size {
    return { equity: '0.5' };
  }
}

/** Reads its position first: it acts only while it is flat. */
export class LookingTrader extends BracketTrader {
  override onCandle(candle: Candle): void {
    if (this.position.quantity.isZero()) super.onCandle(candle);
  }
}

/** Sends no intents for some candles after a loss, which it computes from its fills. */
export class SulkingTrader extends BracketTrader {
  #sulks = 0;
  #bought = 0;

  override onFill({ side, price }: Fill): void {
    if (side === 'buy') this.#bought = Number(price);
    else if (Number(price) < this.#bought) this.#sulks = 3;
  }

  override onCandle(candle: Candle): void {
    this.#sulks -= 1;
    if (this.#sulks <= 0) super.onCandle(candle);
  }
}
