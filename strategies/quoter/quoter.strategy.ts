import { CandleStrategy, decimalFromNumber, int, number } from 'evenkeel';
import type { Candle, Side } from 'evenkeel';

/** Keeps a bid below the last price of a contract and an ask above it, and moves both when the price has moved. */
export class Quoter extends CandleStrategy({
  distance: number(0.0001, 0.05, 0.002, { description: 'of bid and ask from last, as a ratio' }),
  tolerance: number(0.0001, 0.05, 0.001, { description: 'an order that is off by less stays' }),
  lot: int(1, 10_000, 10, { description: 'contracts of one order' }),
  bound: int(1, 100_000, 50, { description: 'contracts held from which only exits are quoted' }),
}) {
  override onCandle({ close }: Candle): void {
    this.quote('buy', close * (1 - this.parameters.distance));
    this.quote('sell', close * (1 + this.parameters.distance));
  }

  /** Exits a position on the other side; without one, adds to its own side. Up to three commands per candle, with replacements four. */
  quote(side: Side, price: number): void {
    const { lot, bound, tolerance } = this.parameters;
    const { symbol } = this.instrument();
    const [own, other] =
      side === 'buy' ? (['long', 'short'] as const) : (['short', 'long'] as const);
    const action = this.positionOf(symbol, other).quantity.isZero() ? 'open' : 'close';
    const limitPrice = decimalFromNumber(price);
    const terms = { limitPrice, timeInForce: 'POST_ONLY', label: side } as const;
    const quantity = String(lot);
    const working = this.workingOrders().find((order) => order.side === side);
    const offBy = Math.abs(Number(working?.limitPrice ?? price) / price - 1);
    if (working !== undefined) {
      const { intentId } = working;
      if (working.action !== action) this.cancel({ intentId });
      else if (offBy > tolerance) this.replace({ intentId }, { limitPrice });
    } else if (action === 'close') this.exit({ ...terms, direction: other, size: { quantity } });
    else if (this.positionOf(symbol, own).quantity.gte(bound)) return;
    else if (side === 'buy') this.enterLong({ quantity }, { ...terms, add: true });
    else this.enterShort({ quantity }, { ...terms, add: true });
  }
}
