import type { TargetSize } from 'evenkeel';
import { BroadTrader } from './random-strategies.js';
import { decimalText } from './random-trader.js';

/** Repeats the same targets with each candle, as a portfolio strategy does, and changes them or does something else now and then. */
export class RepeatingTargets extends BroadTrader {
  #act: () => void = () => undefined;

  override onCandle(): void {
    if (this.random() < 0.15) this.#act = this.#choose();
    if (this.random() < 0.1) super.onCandle();
    this.#act();
  }

  #choose(): () => void {
    const tolerance = decimalText(this.random() ** 3 * 0.5, 5);
    const terms = this.random() < 0.2 ? {} : { tolerance };
    const weights = Object.fromEntries(
      this.instruments.map(({ instrumentId }) => [instrumentId, this.#weight(instrumentId)]),
    );
    if (this.random() < 0.5) return () => this.rebalance(weights, terms);
    const { instrumentId } = this.pick(this.instruments);
    const to = this.#target(instrumentId);
    return () => this.target(instrumentId, to, terms);
  }

  #weight(instrumentId: string): string {
    const isSpot = instrumentId.startsWith('spot');
    const weight = (this.random() - (isSpot ? 0.1 : 0.5)) / this.instruments.length;
    return this.random() < 0.2 ? '0' : weight.toFixed(4);
  }

  #target(instrumentId: string): TargetSize {
    const drawn = this.random();
    if (drawn < 0.3) return { notional: decimalText(this.parameters.money * this.random()) };
    if (drawn < 0.6) return { weight: this.#weight(instrumentId) };
    const last = this.lastOf(instrumentId);
    return { quantity: drawn < 0.7 ? '0' : decimalText((2 * this.parameters.money) / last) };
  }
}
