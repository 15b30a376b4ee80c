import type { DecimalInput, EntryTerms, Order } from 'evenkeel';

import { BroadTrader } from './random-strategies.js';
import { decimalText, isInverse } from './random-trader.js';

/** Works targets, slices, brackets, groups, trailing stops and a grid of orders at once, on the same instruments. */
export class Mixed extends BroadTrader {
  override onCandle(): void {
    while (this.random() < this.parameters.activity)
      this.#act(this.pick(this.instruments).instrumentId);
    if (this.random() < this.parameters.activity / 3) super.onCandle();
  }

  override onOrder({ instrumentId, status, label }: Order): void {
    // A filled step of the grid is sold one step higher.
    if (status === 'filled' && label === 'bid' && this.random() < 0.6)
      this.exit({
        instrument: instrumentId,
        label: 'ask',
        size: { share: '0.4' },
        limitPrice: this.#step(instrumentId, 2),
      });
  }

  #act(instrument: string): void {
    const actions = [
      () => this.#grid(instrument),
      () => this.#grid(instrument),
      () => this.#weights(),
      () => this.#weights(),
      () => this.target(instrument, { notional: this.#money(-0.3) }, { label: 'target' }),
      () => this.#slices(instrument),
      () => this.#slices(instrument),
      () => this.#leave(instrument),
      () => this.#group(instrument),
      () =>
        this.protect(
          { trailingStop: { ratio: this.#ratio() }, stopLoss: { ratio: this.#ratio() } },
          instrument,
          this.direction(),
        ),
      () => this.cancel({ label: this.pick(['bid', 'ask', 'target', 'slices', 'weights']) }),
      () => this.flatten(this.random() < 0.7 ? instrument : undefined),
    ];
    this.pick(actions)();
  }

  #grid(instrument: string): void {
    for (const step of [-1, -2, -3])
      this.enterLong(
        { quantity: this.#quantity(instrument) },
        {
          instrument,
          label: 'bid',
          add: true,
          limitPrice: this.#step(instrument, step),
          ...(this.random() < 0.4 && {
            bracket: { stopLoss: { ratio: this.#ratio() }, takeProfit: { ratio: this.#ratio() } },
          }),
        },
      );
  }

  #weights(): void {
    const weights = this.instruments.map(({ instrumentId }): [string, DecimalInput] => [
      instrumentId,
      decimalText(this.random() * 0.9 - (instrumentId.startsWith('spot') ? 0 : 0.4), 4),
    ]);
    this.rebalance(Object.fromEntries(weights.filter(() => this.random() < 0.8)), {
      label: 'weights',
    });
  }

  #slices(instrument: string): void {
    const work: NonNullable<EntryTerms['work']> = this.pick([
      { twap: { over: '3min', slices: 4 } },
      { twap: { over: '20s', slices: 3 } },
      { chase: { every: '7s', maxBps: '40' } },
      { limitFor: '45s', then: 'market' },
    ]);
    const terms = { instrument, label: 'slices', work };
    const isLeft = this.random() < 0.4;
    if (isLeft) this.exit({ ...terms, ...(this.random() < 0.5 && { size: { share: '0.7' } }) });
    else if (!isInverse(instrument) || 'chase' in work)
      this.enterLong(
        { quantity: this.#quantity(instrument) },
        {
          ...terms,
          add: this.random() < 0.8,
          ...(this.random() < 0.5 && { bracket: { stopLoss: { ratio: this.#ratio() } } }),
          ...(this.random() < 0.2 && { oco: 'group' }),
        },
      );
  }

  #leave(instrument: string): void {
    this.exit({
      instrument,
      cancelEntries: this.random() < 0.5,
      ...(this.random() < 0.3 && { limitPrice: this.near(instrument) }),
    });
  }

  #group(instrument: string): void {
    const terms = { instrument, oco: 'group', label: 'group' };
    this.enterLong(
      { quantity: this.#quantity(instrument) },
      { ...terms, add: true, limitPrice: this.#step(instrument, -1) },
    );
    this.exit({ ...terms, size: { share: '0.5' }, limitPrice: this.#step(instrument, 1) });
  }

  #step(instrument: string, steps: number): DecimalInput {
    return decimalText(this.lastOf(instrument) * (1 + steps * 0.0015));
  }

  #ratio(): DecimalInput {
    return decimalText(0.0005 + this.random() * 0.006, 5);
  }

  #money(from: number): DecimalInput {
    return decimalText((from + this.random()) * this.parameters.money);
  }

  #quantity(instrument: string): DecimalInput {
    return decimalText(
      (0.1 + this.random() * this.parameters.money * 0.4) / this.lastOf(instrument),
      6,
    );
  }
}
