import { CandleStrategy, decimal, decimalFromNumber, int, isFinalStatus, number } from 'evenkeel';
import type { Candle, Order } from 'evenkeel';

/** Rests bids in steps below the market and asks in steps above it. After a fill, the opposite order rests one step away. */
export class Grid extends CandleStrategy(
  {
    levels: int(1, 25, 5, { description: 'bids below the market, and asks above it' }),
    step: number(0.001, 0.2, 0.01, { description: 'between two levels, as a ratio' }),
    stake: int(5, 100_000, 900, { description: 'quote of one level' }),
  },
  { state: { levels: [] as { bid: number; held: string; intentId: number }[] } },
) {
  override onCandle({ close }: Candle): void {
    const { levels, step, stake } = this.parameters;
    const working = this.workingOrders().map(({ intentId }) => intentId);
    const isFlat = this.position.quantity.times(decimalFromNumber(close)).lt(stake / 10);
    const isDone = isFlat && close > (this.state.levels.at(-1)?.bid ?? 0);
    if (isDone) for (const intentId of working) this.cancel({ intentId });
    // A canceled order may fill, and locks its money, until its end is known: the new bids are sent with a later candle.
    if (isDone && working.length > 0) return;
    // Without position and orders, it starts a new grid at the price: at the start, above all levels, or after the operator has closed everything.
    if (isFlat && working.length === 0) {
      // The upper half of the levels is above the market: it is bought at once, to be sold by the asks.
      this.state.levels = [];
      for (let at = -levels; at < levels; at += 1)
        this.state.levels.push({ bid: close * (1 + step) ** at, held: '0', intentId: 0 });
    }
    for (const level of this.state.levels) if (!working.includes(level.intentId)) this.offer(level);
  }

  offer(level: { bid: number; held: string; intentId: number }): void {
    const { step, stake } = this.parameters;
    const limitPrice = decimalFromNumber(level.held === '0' ? level.bid : level.bid * (1 + step));
    const quantity = level.held === '0' ? decimal(String(stake)).div(limitPrice) : level.held;
    const terms = { limitPrice, label: `level ${String(this.state.levels.indexOf(level) + 1)}` };
    if (level.held !== '0') level.intentId = this.exit({ size: { quantity }, ...terms }).intentId;
    else level.intentId = this.enterLong({ quantity }, { ...terms, add: true }).intentId;
  }

  override onOrder({ intentId, action, status, filledQuantity }: Order): void {
    const level = this.state.levels.find((one) => one.intentId === intentId);
    if (level === undefined || !isFinalStatus(status)) return;
    const held = action === 'open' ? filledQuantity : decimal(level.held).minus(filledQuantity);
    level.held = action === 'close' && status === 'filled' ? '0' : held.toFixed();
    // A level above the market, or an order that ended without a complete fill, is offered again with the next candle.
    if (status === 'filled' && level.bid < (this.last() ?? 0)) this.offer(level);
  }
}
