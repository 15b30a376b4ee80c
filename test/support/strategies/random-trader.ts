import {
  CandleStrategy,
  decimalFromNumber,
  int,
  number,
  type DecimalInput,
  type Direction,
  type EntryTerms,
  type ExitTerms,
  type Level,
  type Protection,
  type Size,
} from 'evenkeel';

/** A decimal text of at most so many decimals; off every grid now and then. */
export const decimalText = (value: number, decimals = 3): DecimalInput => value.toFixed(decimals);

/** Whether an instrument is an inverse contract. A MARKET order for an amount cannot open one. */
export const isInverse = (instrument: string): boolean => instrument.startsWith('futures:I-');

type LimitTerms = Pick<EntryTerms, 'limitPrice' | 'timeInForce' | 'priceRounding'>;

const directionOf = (direction: Direction | undefined): Pick<ExitTerms, 'direction'> =>
  direction === undefined ? {} : { direction };

/**
 * Raises any intent at any time: entries and exits of every size and kind, brackets, cancels, replacements, also in reply to fills.
 * Intents depend only on the run's seed and on data that the strategy may know, so two equal runs raise the same.
 */
export class RandomTrader extends CandleStrategy({
  warmup: int(0, 10, 0),
  activity: number(0, 1, 0.6),
  /** Quote of a typical order. */
  money: number(1, 1e9, 2_000),
}) {
  override readonly warmup = this.parameters.warmup;
  /** The intent that a cancel by number names. */
  protected lastIntent = 0;

  override onCandle(): void {
    while (this.random() < this.parameters.activity) this.#actOn(this.#instrument());
  }

  override onFill(): void {
    // Rare enough that chains of replies to fills end.
    if (this.random() < 0.2) this.#actOn(this.#instrument());
  }

  #instrument(): string {
    return this.pick(this.instruments).instrumentId;
  }

  #actOn(instrument: string): void {
    const actions = [
      () => this.#enter(instrument),
      () => this.#enter(instrument),
      () => this.#enter(instrument),
      () => this.#exitAll(instrument),
      () => this.#exitPart(instrument),
      () => this.protect(this.#protection(instrument), instrument, this.direction()),
      () => this.cancel({ label: this.pick(['a', 'b']) }),
      () => this.cancel({ intentId: this.lastIntent }),
      () => this.#replace(instrument),
      () => this.flatten(this.random() < 0.5 ? instrument : undefined),
      () => this.#target(instrument),
    ];
    this.lastIntent = this.pick(actions)();
  }

  #enter(instrument: string): number {
    // Spot holds no shorts.
    const isShort = !instrument.startsWith('spot') && this.random() < 0.5;
    const size = this.#size(instrument);
    const terms = this.#entryTerms(instrument);
    return (isShort ? this.enterShort(size, terms) : this.enterLong(size, terms)).intentId;
  }

  #entryTerms(instrument: string): EntryTerms {
    return {
      instrument,
      label: this.pick(['a', 'b']),
      add: this.random() < 0.4,
      ...((isInverse(instrument) || this.random() < 0.5) && this.limit(instrument)),
      ...this.#lifetime(),
      ...this.#guards(instrument),
    };
  }

  /** Guards of the position, guards of this entry alone, or none. */
  #guards(instrument: string): Pick<EntryTerms, 'protection' | 'bracket'> {
    const drawn = this.random();
    if (drawn < 0.3) return { protection: this.#protection(instrument) };
    if (drawn > 0.7) return {};
    const stopLoss = this.level(instrument);
    const takeProfit = this.level(instrument);
    if (drawn < 0.55) return { bracket: { stopLoss, takeProfit } };
    return { bracket: drawn < 0.65 ? { stopLoss } : { takeProfit } };
  }

  #lifetime(): Pick<EntryTerms, 'expireAfter' | 'goodForMs' | 'oco' | 'work'> {
    const drawn = this.random();
    if (drawn < 0.1) return { expireAfter: `${String(1 + Math.floor(drawn * 3_000))}s` };
    if (drawn > 0.9) return { oco: 'one' };
    if (drawn > 0.84) return { work: { limitFor: '90s', then: 'market' } };
    if (drawn > 0.78) return { work: { chase: { every: '5s', maxBps: '30' } } };
    if (drawn > 0.7) return { work: { twap: { over: '4min', slices: 5 } } };
    return drawn < 0.3 ? { goodForMs: Math.floor(this.random() * 400_000) } : {};
  }

  #exitAll(instrument: string): number {
    return this.exit({
      instrument,
      ...(this.random() < 0.4 && { cancelEntries: true }),
      ...(this.random() < 0.3 && this.limit(instrument)),
    }).intentId;
  }

  #exitPart(instrument: string): number {
    return this.exit({
      instrument,
      label: this.pick(['a', 'b']),
      ...this.#part(instrument),
      ...(this.random() < 0.5 && this.limit(instrument)),
      ...directionOf(this.direction()),
    }).intentId;
  }

  #target(instrument: string): number {
    const { instrumentId: other } = this.pick(this.instruments);
    const weight = (): DecimalInput => decimalText(this.random() * 1.5 - 0.5, 5);
    const terms = { label: this.pick(['a', 'b']), tolerance: decimalText(this.random() * 0.1) };
    return this.random() < 0.5
      ? this.rebalance({ [instrument]: weight(), [other]: weight() }, terms).intentId
      : this.target(instrument, { quantity: this.#quantity(instrument) }, terms).intentId;
  }

  #part(instrument: string): Pick<ExitTerms, 'share' | 'size'> {
    const drawn = this.random();
    if (drawn < 0.15) return { share: decimalText(drawn / 0.15) };
    return drawn < 0.5 ? { size: { quantity: this.#quantity(instrument) } } : {};
  }

  protected limit(instrument: string): LimitTerms {
    return { limitPrice: this.near(instrument) };
  }

  /** Side of the position that an exit or a protection names, if any. */
  protected direction(): Direction | undefined {
    return undefined;
  }

  /** Level of a stop-loss or a take-profit. */
  protected level(instrument: string): Level {
    return this.#away(instrument);
  }

  #away(instrument: string): Level {
    return this.random() < 0.7
      ? { ratio: decimalText(this.random() * 0.01, 5) }
      : { distance: decimalText(this.lastOf(instrument) * this.random() * 0.01) };
  }

  #replace(instrument: string): number {
    return this.replace(
      { label: this.pick(['a', 'b']) },
      {
        ...(this.random() < 0.7 && { limitPrice: this.near(instrument) }),
        ...(this.random() < 0.5 && { quantity: this.#quantity(instrument) }),
      },
    );
  }

  #protection(instrument: string): Protection {
    return {
      ...(this.random() < 0.5 && { stopLoss: this.level(instrument) }),
      ...(this.random() < 0.5 && { takeProfit: this.level(instrument) }),
      ...(this.random() < 0.3 && { trailingStop: this.#away(instrument) }),
    };
  }

  #size(instrument: string): Size {
    const kind = this.random();
    if (kind < 0.3) return { notional: decimalText(this.random() * this.parameters.money) };
    if (kind < 0.6) return { quantity: this.#quantity(instrument) };
    if (kind > 0.9) return { risk: decimalText(this.random() * 0.02, 5) };
    return { equity: decimalFromNumber(this.random()) };
  }

  #quantity(instrument: string): DecimalInput {
    return decimalText((this.random() * this.parameters.money) / this.lastOf(instrument), 6);
  }

  /** A price within 1 % of last. */
  protected near(instrument: string): DecimalInput {
    return decimalText(this.lastOf(instrument) * (0.99 + this.random() * 0.02));
  }

  protected lastOf(instrument: string): number {
    return this.last(instrument) ?? 100;
  }

  protected pick<T>(choices: readonly T[]): T {
    return choices[Math.floor(this.random() * choices.length)] as T;
  }
}
