import { CandleStrategy, decimalFromNumber, int, number, roc } from 'evenkeel';

/** Each Monday, sets the shares of equity anew: larger for coins that rose more, 0 for coins that fell. */
export class Weights extends CandleStrategy(
  {
    momentumCandles: int(2, 2_000, 720, { description: 'candles over which rises are compared' }),
    invested: number(0.1, 1, 0.9, { description: 'share of equity in all positions together' }),
    tolerance: number(0, 0.2, 0.02, { description: 'share of equity that a position may be off' }),
  },
  { instruments: 5 },
) {
  readonly coins = this.instruments.map(({ instrumentId }) => ({
    instrumentId,
    momentum: this.indicator(roc(this.parameters.momentumCandles), { instrument: instrumentId }),
  }));
  readonly weekly = this.every('@weekly mon 00:00', () => {
    const { invested, tolerance } = this.parameters;
    const rises = this.coins.map(({ momentum }) => Math.max(momentum.value, 0));
    const sum = rises.reduce((one, other) => one + other, 0);
    const weights = this.coins.map(({ instrumentId }, index) => {
      const share = sum === 0 ? 0 : ((rises[index] ?? 0) / sum) * invested;
      return [instrumentId, decimalFromNumber(share)] as const;
    });
    const terms = { tolerance: decimalFromNumber(tolerance), label: 'weekly' };
    this.rebalance(Object.fromEntries(weights), terms);
  });

  override onCandle(): void {
    // Nothing to do: the positions are changed once a week.
  }
}
