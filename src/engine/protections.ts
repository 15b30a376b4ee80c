import {
  contractValue,
  directionOf,
  divideFixed,
  type Direction,
  type EpochMs,
  type FillRecord,
  type Fixed,
  type FundingTimesAt,
  type FundingTimes,
  type FuturesInstrument,
  type Halt,
  type InstrumentId,
} from '../domain/index.js';
import {
  createGuards,
  equityBounds,
  foldProtections,
  INITIAL_PROTECTION_STATE,
  type EntryGuard,
  type EquityBounds,
  type Exposure,
  type ProtectionConfig,
  type ProtectionState,
  type ProtectionView,
  type RiskStateEvent,
} from '../risk/index.js';
import type { AccountView } from './orders/account-view.js';
import {
  isOpeningByMoney,
  isOpeningByQuantity,
  isOpeningContract,
} from './orders/working/order-questions.js';
import { heldQuantity, isDust, isRest, type PositionSide } from './orders/position-side.js';
import type { WorkingOrder } from './orders/working/working-order.js';
import type { Financing } from './portfolio/financing.js';
import type { Portfolio } from './portfolio/portfolio.js';
import { realizedProfit } from './portfolio/realized.js';
import type { SideLedger } from './portfolio/side-ledger.js';
import {
  restoreProtectionState,
  takeProtectionState,
  type ProtectionsCheckpoint,
} from './state/protections-checkpoint.js';

interface ProtectionsOptions {
  readonly config: ProtectionConfig;
  readonly portfolio: Portfolio;
  /** Holdings and working orders. */
  readonly account: () => AccountView;
  /** When funding is settled, if that is known. */
  readonly fundingTimes?: FundingTimesAt | undefined;
  readonly now: () => EpochMs;
  /** Called once for each halt, when it begins. */
  readonly onHalt: (halt: Halt) => void;
}

const ALWAYS_HEARD: ReadonlySet<RiskStateEvent['kind']> = new Set([
  'operator',
  'health',
  'strategy-failed',
]);
const DIRECTIONS: readonly Direction[] = ['long', 'short'];

/** Realized profit of a side when it was last flat, and its costs since then, in the equity currency. */
interface FlatMark {
  readonly profit: Fixed;
  readonly costs: Fixed;
}

const NEVER_HELD: FlatMark = { profit: 0n, costs: 0n };

/**
 * The operator's protections within the engine: their state, folded from the events that the engine passes to them, and the data that they read of
 * the account.
 */
export class Protections implements ProtectionView {
  /** Guards that `assess` applies to entries. */
  readonly guards: readonly EntryGuard[];
  /** Whether a limit reads the equity curve; without one it need not be sampled. */
  readonly readsEquity: boolean;
  readonly #options: ProtectionsOptions;
  /** Whether any protection is configured: without one only the operator's commands and health matter. */
  readonly isLimited: boolean;
  readonly #flatMarks = new Map<SideLedger, FlatMark>();
  state: ProtectionState = INITIAL_PROTECTION_STATE;

  /** @throws {DomainError} `E_PROTECTION` when a limit cannot be one. */
  constructor(options: ProtectionsOptions) {
    const { maxDailyLoss, maxDailyLossRatio, maxDrawdown, maxDrawdownRatio } = options.config;
    this.#options = options;
    this.isLimited = Object.values(options.config).some((limit) => limit !== undefined);
    this.guards = createGuards(options.config, this);
    this.readsEquity = [maxDailyLoss, maxDailyLossRatio, maxDrawdown, maxDrawdownRatio].some(
      (limit) => limit !== undefined,
    );
  }

  /** The bounds outside which a sample of equity matters; undefined if each sample does. */
  get equityBounds(): EquityBounds | undefined {
    return equityBounds(this.state, this.#options.config);
  }

  /** Applies one event, and announces the halts that it begins. */
  take(event: RiskStateEvent): void {
    const isAlwaysHeard = ALWAYS_HEARD.has(event.kind);
    if (!this.isLimited && !isAlwaysHeard) return;
    const { state, halted } = foldProtections(this.state, event, this.#options.config);
    this.state = state;
    for (const halt of halted) this.#options.onHalt(halt);
  }

  /** Applies a fill that has been booked already, if {@link isLimited}. A fill that leaves nothing but dust ends a trade. */
  onFill(fill: FillRecord, step: Fixed, time: EpochMs): void {
    const { portfolio } = this.#options;
    const account = portfolio.instrument(fill.instrumentId);
    const { instrument } = account;
    const ledger = instrument.kind === 'spot' ? account.long : account[directionOf(fill)];
    const before = this.#flatMarks.get(ledger) ?? NEVER_HELD;
    // A fee in base of a pair has made the position smaller, so the realized profit contains it.
    const isInPosition = instrument.kind !== 'futures' && fill.feeAsset === instrument.base;
    const fee = isInPosition ? 0n : portfolio.valueOf(fill.feeAsset, fill.fee);
    this.#flatMarks.set(ledger, { profit: before.profit, costs: before.costs + fee });
    if (fill.action === 'close' && !ledger.isHeld(step))
      this.onFlat(fill.instrumentId, ledger, time);
  }

  /** Ends the trade of a side that holds nothing but dust any more, if {@link isLimited}. */
  onFlat(instrumentId: InstrumentId, ledger: SideLedger, time: EpochMs): void {
    const { portfolio } = this.#options;
    const { instrument } = portfolio.instrument(instrumentId);
    const before = this.#flatMarks.get(ledger) ?? NEVER_HELD;
    const realized = realizedProfit(instrument, ledger);
    const asset = instrument.kind === 'futures' ? instrument.marginAsset : instrument.quote;
    const profit = portfolio.valueOf(asset, realized - before.profit) - before.costs;
    this.#flatMarks.set(ledger, { profit: realized, costs: 0n });
    this.take({ kind: 'trade-closed', time, profit });
  }

  /** Applies funding or interest of a position. `cost`: in the equity currency. */
  onFinancing({ instrumentId, direction }: Financing, cost: Fixed): void {
    if (!this.isLimited) return;
    const ledger = this.#options.portfolio.instrument(instrumentId)[direction];
    const before = this.#flatMarks.get(ledger) ?? NEVER_HELD;
    this.#flatMarks.set(ledger, { profit: before.profit, costs: before.costs + cost });
  }

  checkpoint(): ProtectionsCheckpoint {
    const trades = [...this.#options.portfolio.instruments()].flatMap((account) =>
      DIRECTIONS.flatMap((direction) => {
        const { instrument } = account;
        const mark = this.#flatMarks.get(account[direction]) ?? NEVER_HELD;
        const profit = realizedProfit(instrument, account[direction]) - mark.profit;
        const isOver = profit === 0n && mark.costs === 0n;
        return isOver
          ? []
          : [{ instrumentId: instrument.id, direction, profit, costs: mark.costs }];
      }),
    );
    return takeProtectionState(this.state, this.isLimited ? trades : []);
  }

  /** Restores the state of earlier protections. Ignores trades of instruments that are no longer configured. */
  restore(checkpoint: ProtectionsCheckpoint): void {
    this.state = restoreProtectionState(checkpoint);
    for (const account of this.#options.portfolio.instruments()) {
      for (const { instrumentId, direction, profit, costs } of checkpoint.trades) {
        // The ledger has realized nothing yet.
        if (instrumentId === account.instrument.id)
          this.#flatMarks.set(account[direction], { profit: -profit, costs });
      }
    }
  }

  /** Whether a halt that leaves every position is in force. */
  isFlattening(time: EpochMs): boolean {
    if (this.state.halts.length === 0) return false;
    return this.state.halts.some(
      ({ action, until }) => action === 'flatten' && (until === undefined || until > time),
    );
  }

  // ProtectionView.

  exposures(): readonly Exposure[] {
    const { portfolio } = this.#options;
    const account = this.#options.account();
    const found: Exposure[] = [];
    for (const { instrument } of portfolio.instruments()) {
      for (const direction of DIRECTIONS) {
        const side = account.positionSide(instrument.id, direction);
        const opening = this.#opening(side);
        const quantity = heldQuantity(side, account.rules(side)) + opening;
        if (quantity <= 0n) continue;
        const notional = portfolio.notional(instrument.id, quantity);
        const isNoPosition = opening === 0n && (isDust(side) || isRest(side));
        found.push({ instrument, direction, quantity, notional, isDust: isNoPosition });
      }
    }
    return found;
  }

  /** Quantity that working orders of a side may still open, in base or contracts. */
  #opening({ working, instrumentId }: PositionSide): Fixed {
    if (working.size === working.closing) return 0n;
    let opening = working.remaining(isOpeningByQuantity);
    for (const { remaining } of working.those(isOpeningByMoney))
      if (remaining > 0n) opening += this.#options.portfolio.quantityFor(instrumentId, remaining);
    return opening;
  }

  usedMargin(): Fixed {
    const { portfolio } = this.#options;
    let used = portfolio.usedMargin();
    for (const { account, working } of this.#options.account().positionSides()) {
      const { instrument } = account;
      if (instrument.kind !== 'futures' || working.size === working.closing) continue;
      const margin = working.sum(isOpeningContract, (order) => initialMargin(instrument, order));
      used += portfolio.valueOf(instrument.marginAsset, margin);
    }
    return used;
  }

  openOrders(): number {
    return this.#options
      .account()
      .positionSides()
      .reduce((count, { working }) => count + working.size, 0);
  }

  priceTime(instrumentId: InstrumentId): EpochMs | undefined {
    const { lastTime } = this.#options.portfolio.instrument(instrumentId);
    return Number.isNaN(lastTime) ? undefined : lastTime;
  }

  fundingTimes(instrumentId: InstrumentId): FundingTimes | undefined {
    const { fundingTimes, portfolio, now } = this.#options;
    const { kind } = portfolio.instrument(instrumentId).instrument;
    return kind === 'futures' ? fundingTimes?.(instrumentId, now()) : undefined;
  }
}

/** Initial margin of the quantity that a working order may still open, in the margin asset. */
function initialMargin(instrument: FuturesInstrument, { request, remaining }: WorkingOrder): Fixed {
  if (remaining <= 0n) return 0n;
  const value =
    request.type === 'limit' ? contractValue(instrument, remaining, request.limitPrice) : remaining;
  return divideFixed(value, instrument.leverage);
}
