import {
  multiplyFixed,
  type EpochMs,
  type FillRecord,
  type Fixed,
  type Halt,
  type InstrumentId,
} from '../domain/index.js';
import {
  createGuards,
  foldProtections,
  INITIAL_PROTECTION_STATE,
  type EntryGuard,
  type Exposure,
  type ProtectionConfig,
  type ProtectionState,
  type ProtectionView,
  type RiskStateEvent,
} from '../risk/index.js';
import type { InstrumentAccount, Portfolio } from './portfolio.js';
import type { WorkingOrder } from './working-order.js';

export interface ProtectionsOptions {
  readonly config: ProtectionConfig;
  readonly portfolio: Portfolio;
  /** What the account holds of an instrument, dust left out. */
  readonly held: (account: InstrumentAccount) => Fixed;
  /** Orders that may still fill. */
  readonly workingOrders: () => readonly WorkingOrder[];
  /** Called once for each halt, when it begins. */
  readonly onHalt: (halt: Halt) => void;
}

/** What an instrument's cash flows and fees were when its position was last flat. */
interface FlatMark {
  readonly profit: Fixed;
  readonly fees: Fixed;
}

/**
 * The owner's protections within the engine: what they remember, folded from what the engine tells them, and what they read of the
 * account.
 */
export class Protections implements ProtectionView {
  /** Asked of entries by `assess`. */
  readonly guards: readonly EntryGuard[];
  /** Whether a limit reads the equity curve; without one it need not be sampled. */
  readonly readsEquity: boolean;
  readonly #options: ProtectionsOptions;
  /** Whether any protection is configured. */
  readonly #isLimited: boolean;
  readonly #flatMarks = new Map<InstrumentId, FlatMark>();
  #state: ProtectionState = INITIAL_PROTECTION_STATE;

  /** @throws {DomainError} `E_PROTECTION` when a limit cannot be one. */
  constructor(options: ProtectionsOptions) {
    const { maxDailyLoss, maxDailyLossRatio, maxDrawdown, maxDrawdownRatio } = options.config;
    this.#options = options;
    this.#isLimited = Object.values(options.config).some((limit) => limit !== undefined);
    this.guards = createGuards(options.config, this);
    this.readsEquity = [maxDailyLoss, maxDailyLossRatio, maxDrawdown, maxDrawdownRatio].some(
      (limit) => limit !== undefined,
    );
  }

  /** Takes one event in; what it brought to a halt is announced. Where nothing is limited only the owner's commands matter. */
  take(event: RiskStateEvent): void {
    if (!this.#isLimited && event.kind !== 'operator') return;
    const { state, halted } = foldProtections(this.#state, event, this.#options.config);
    this.#state = state;
    for (const halt of halted) this.#options.onHalt(halt);
  }

  /** Takes a fill in that has been booked already: one that leaves nothing but dust ends a trade. */
  onFill(fill: FillRecord, step: Fixed, time: EpochMs): void {
    if (!this.#isLimited) return;
    const { portfolio } = this.#options;
    const { instrument, holding, received, released } = portfolio.instrument(fill.instrumentId);
    const before = this.#flatMarks.get(instrument.id) ?? { profit: 0n, fees: 0n };
    // A fee in base has made the position smaller, which its sale shows.
    const fee = fill.feeAsset === instrument.base ? 0n : portfolio.valueOf(fill.feeAsset, fill.fee);
    const fees = before.fees + fee;
    const isFlat = fill.action === 'close' && (holding.quantity < step || holding.quantity === 0n);
    if (!isFlat) {
      this.#flatMarks.set(instrument.id, { profit: before.profit, fees });
      return;
    }
    const realized = received - released;
    const profit = portfolio.valueOf(instrument.quote, realized - before.profit) - fees;
    this.#flatMarks.set(instrument.id, { profit: realized, fees: 0n });
    this.take({ kind: 'trade-closed', time, profit });
  }

  /** Whether a halt that leaves every position is in force. */
  isFlattening(time: EpochMs): boolean {
    if (this.#state.halts.length === 0) return false;
    return this.#state.halts.some(
      ({ action, until }) => action === 'flatten' && (until === undefined || until > time),
    );
  }

  // ProtectionView.

  state(): ProtectionState {
    return this.#state;
  }

  exposures(): readonly Exposure[] {
    const { portfolio, held, workingOrders } = this.#options;
    const quantities = new Map<InstrumentId, Fixed>();
    for (const account of portfolio.instruments()) {
      const quantity = held(account);
      if (quantity > 0n) quantities.set(account.instrument.id, quantity);
    }
    for (const { request, remaining } of workingOrders()) {
      if (request.action !== 'open' || remaining <= 0n) continue;
      const { instrumentId, unit } = request;
      const opening = unit === 'quote' ? portfolio.quantityFor(instrumentId, remaining) : remaining;
      quantities.set(instrumentId, (quantities.get(instrumentId) ?? 0n) + opening);
    }
    return [...quantities].map(([id, quantity]) => this.#exposure(id, quantity));
  }

  /** Spot holds long only. */
  #exposure(id: InstrumentId, quantity: Fixed): Exposure {
    const { portfolio } = this.#options;
    const { instrument } = portfolio.instrument(id);
    const last = portfolio.last(id);
    const worth = portfolio.worthOf(instrument.quote);
    const isPriced = last !== undefined && worth !== undefined;
    const notional = isPriced ? multiplyFixed(multiplyFixed(quantity, last), worth) : undefined;
    return { instrument, direction: 'long', quantity, notional };
  }

  /** Spot is paid in full. */
  usedMargin(): Fixed {
    return 0n;
  }

  openOrders(): number {
    return this.#options.workingOrders().length;
  }

  priceTime(instrumentId: InstrumentId): EpochMs | undefined {
    return this.#options.portfolio.instrument(instrumentId).lastTime;
  }

  /** Spot has none. */
  fundingTimes(): undefined {
    return undefined;
  }
}
