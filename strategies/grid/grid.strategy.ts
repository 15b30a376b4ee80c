import { CandleStrategy, decimal, decimalFromNumber, int, isFinalStatus, number } from 'evenkeel';
import type { Candle, Order } from 'evenkeel';

/** Rests bids in steps below the market, and for each that was filled an ask one step above it. */
export class Grid extends CandleStrategy(
  {
    levels: int(1, 50, 5, { description: 'bids below the market' }),
    step: number(0.001, 0.2, 0.01, { description: 'between two levels, as a ratio' }),
    stake: int(5, 100_000, 1_000, { description: 'quote of one level' }),
  },
  { state: { levels: [] as { bid: number; held: string; intentId: number }[] } },
) {
  override onCandle({ close }: Candle): void {
    const { levels, step, stake } = this.parameters;
    const working = this.workingOrders().map(({ intentId }) => intentId);
    const isFlat = this.position.quantity.times(decimalFromNumber(close)).lt(stake / 10);
    const isAbove = close * (1 - step) ** 2 > (this.state.levels[0]?.bid ?? 0);
    if (isFlat && (isAbove || this.state.levels.some(({ held }) => held !== '0'))) {
      // What is canceled may be filled, and locks its money, until its end is known: the new bids are those of a later candle.
      for (const intentId of working) this.cancel({ intentId });
      if (working.length > 0) return;
      const bids = Array.from({ length: levels }, (_, index) => close * (1 - step) ** (index + 1));
      this.state.levels = bids.map((bid) => ({ bid, held: '0', intentId: 0 }));
    }
    for (const level of this.state.levels) if (!working.includes(level.intentId)) this.offer(level);
  }

  offer(level: { bid: number; held: string; intentId: number }): void {
    const { step, stake } = this.parameters;
    const limitPrice = decimalFromNumber(level.held === '0' ? level.bid : level.bid / (1 - step));
    const quantity = level.held === '0' ? decimal(String(stake)).div(limitPrice) : level.held;
    const terms = { limitPrice, label: `level ${String(this.state.levels.indexOf(level) + 1)}` };
    if (level.held !== '0') level.intentId = this.exit({ size: { quantity }, ...terms }).intentId;
    else level.intentId = this.enterLong({ quantity }, { ...terms, add: true }).intentId;
  }

  override onOrder({ intentId, action, status, filledQuantity }: Order): void {
    const level = this.state.levels.find((one) => one.intentId === intentId);
    if (level === undefined || !isFinalStatus(status)) return;
    if (action === 'open') level.held = filledQuantity.toFixed();
    else if (status === 'filled') level.held = '0';
    else level.held = decimal(level.held).minus(filledQuantity).toFixed();
    // What ended otherwise, or was refused, is offered again with the next candle.
    if (status === 'filled') this.offer(level);
  }
}
