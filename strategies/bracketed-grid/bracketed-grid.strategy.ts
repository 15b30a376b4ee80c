import { CandleStrategy, decimal, decimalFromNumber, int, number } from 'evenkeel';
import type { Candle, Order } from 'evenkeel';

/** Rests bids on a grid below the market. Each filled bid has its own stop and take-profit. */
export class BracketedGrid extends CandleStrategy(
  {
    levels: int(1, 50, 5, { description: 'bids and entries at most' }),
    step: number(0.001, 0.2, 0.01, { description: 'between two levels, as a ratio' }),
    stop: number(0.005, 0.5, 0.03, { description: 'from an entry to its stop, as a ratio' }),
    stake: int(5, 100_000, 1_000, { description: 'quote of one level' }),
  },
  { state: { held: [] as string[] } },
) {
  override onCandle({ close }: Candle): void {
    const { levels, step, stop, stake } = this.parameters;
    const top = Math.floor(Math.log(close) / Math.log1p(step));
    const bids = this.workingOrders().filter(({ action }) => action === 'open');
    for (const { intentId, label } of bids)
      if (Number(label) <= top - levels) this.cancel({ intentId });
    let left = levels - bids.length - this.state.held.length;
    for (let level = top; level > top - levels && left > 0; level -= 1) {
      const label = String(level);
      if (this.state.held.includes(label) || bids.some((bid) => bid.label === label)) continue;
      const limitPrice = decimalFromNumber((1 + step) ** level);
      const quantity = decimal(String(stake)).div(limitPrice);
      const bracket = { stopLoss: { ratio: String(stop) }, takeProfit: { ratio: String(step) } };
      this.enterLong({ quantity }, { add: true, limitPrice, label, bracket });
      left -= 1;
    }
  }

  /** The orders of a bracket have the label of its entry. */
  override onOrder({ action, label = '', status, filledQuantity }: Order): void {
    const others = this.state.held.filter((held) => held !== label);
    if (action === 'open' && filledQuantity.gt(0)) this.state.held = [...others, label];
    if (action === 'close' && status === 'filled') this.state.held = others;
  }
}
