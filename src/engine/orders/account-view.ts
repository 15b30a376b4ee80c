import {
  dearestRate,
  type Asset,
  type CashWatch,
  type Direction,
  type EpochMs,
  type Fixed,
  type InstrumentId,
  type PositionMode,
  type ProductKind,
  type ResolvedRules,
  type RuleBook,
} from '../../domain/index.js';
import type { RiskAccount, RiskPolicy } from '../../risk/index.js';
import { lastPrice } from '../portfolio/instrument-account.js';
import { liquidationOf, type AddedContracts } from '../portfolio/liquidation.js';
import type { Portfolio } from '../portfolio/portfolio.js';
import type { EngineClock } from '../time/engine-clock.js';
import { isClosing } from './working/order-questions.js';
import {
  createPositionSides,
  heldQuantity,
  type PositionSide,
  type PositionSides,
} from './position-side.js';
import { fundsOf } from './reservation.js';

export const DIRECTIONS: readonly Direction[] = ['long', 'short'];

export interface AccountOptions {
  readonly portfolio: Portfolio;
  readonly rules: RuleBook;
  /** Whether long and short of a contract can be held at once. */
  readonly positionMode: PositionMode;
  /** An object, not a function: V8 would see another function for each engine. */
  readonly clock: Pick<EngineClock, 'now' | 'eventTime'>;
  readonly policy: Pick<RiskPolicy, 'fees' | 'tiers'>;
  /** Fee of a forced close of contracts, as a ratio of the value: the venue keeps it besides the maintenance margin. @defaultValue 0 */
  readonly maxFeeRate?: Fixed | undefined;
  /** Notified when a decision depends on an amount of money. @defaultValue none */
  readonly cashWatch?: CashWatch | undefined;
}

/** The account as risk and the order manager read it: money, prices, and the holding and working orders of each side of each instrument. */
export class AccountView implements RiskAccount {
  readonly #options: AccountOptions;
  readonly #positionSides = new Map<InstrumentId, PositionSides>();
  readonly #listed: PositionSide[] = [];
  /** The last result of {@link sides}. */
  #latest: PositionSides | undefined;

  constructor(options: AccountOptions) {
    this.#options = options;
  }

  // Money and prices.

  get now(): EpochMs {
    return this.#options.clock.now;
  }

  /** Time of the present event; later than {@link now} while timers fire that were due before it. */
  get eventTime(): EpochMs {
    return this.#options.clock.eventTime;
  }

  lastPrice(instrumentId: InstrumentId): Fixed | undefined {
    return lastPrice(this.#options.portfolio.instrument(instrumentId));
  }

  markPrice(instrumentId: InstrumentId): Fixed | undefined {
    return this.#options.portfolio.mark(instrumentId);
  }

  owed(): Fixed {
    return this.#options.portfolio.owed();
  }

  /** What a purchase that closes a side pays of the base it buys, as a ratio: the dearer rate for a short on margin whose fee is taken from the base, else 0. */
  feeInBase({ direction, account: { instrument } }: PositionSide): Fixed {
    if (instrument.kind !== 'margin' || direction !== 'short') return 0n;
    const fees = this.#options.policy.fees(instrument.id, this.now);
    return fees.paidIn === 'received' ? dearestRate(fees) : 0n;
  }

  freeBalance(asset: Asset, account: ProductKind): Fixed {
    return this.#options.portfolio.spendable(asset, account);
  }

  get cashWatch(): CashWatch | undefined {
    return this.#options.cashWatch;
  }

  equity(account?: ProductKind): Fixed {
    this.#options.cashWatch?.read();
    return this.#options.portfolio.equity(account);
  }

  get equityCurrency(): Asset {
    return this.#options.portfolio.equityCurrency;
  }

  worthOf(asset: Asset): Fixed | undefined {
    return this.#options.portfolio.worthOf(asset);
  }

  liquidationWith(
    instrumentId: InstrumentId,
    direction: Direction,
    added?: AddedContracts,
  ): Fixed | undefined {
    const { portfolio, policy, maxFeeRate = 0n, cashWatch } = this.#options;
    const { tiers } = policy;
    if (tiers === undefined) return undefined;
    cashWatch?.read();
    const { contracts } = portfolio;
    const side = contracts.side(instrumentId, direction);
    const tiersOf = ({ instrument }: typeof side) => tiers(instrument.id, this.now);
    return liquidationOf(side, contracts.open, { tiersOf, maxFeeRate }, added);
  }

  rules({ instrumentId }: Pick<PositionSide, 'instrumentId'>): ResolvedRules | undefined {
    return this.#options.rules.at(instrumentId, this.#options.clock.now);
  }

  /** Quantity step in force; 0 if no rules are known. */
  step(positionSide: PositionSide): Fixed {
    return this.rules(positionSide)?.step ?? 0n;
  }

  /** Whether other rules are in force than when they last kept an order of the side from being sent. */
  hasNewRules({ instrumentId, hinderedAt }: PositionSide): boolean {
    const { rules } = this.#options;
    return hinderedAt !== undefined && rules.hasChanged(instrumentId, hinderedAt, this.now);
  }

  /** Whether {@link hasNewRules} may become true without an event of its own. */
  expectsNewRules({ hinderedAt }: PositionSide): boolean {
    return (
      hinderedAt !== undefined &&
      this.#options.rules.changeAfter(hinderedAt) < Number.POSITIVE_INFINITY
    );
  }

  /** Whether the venue takes no further order of the instrument until one has ended. */
  isFull(positionSide: PositionSide): boolean {
    const most = this.rules(positionSide)?.maxWorkingOrders;
    return most !== undefined && this.workingOrders(positionSide.instrumentId) >= most;
  }

  // Sides of instruments.

  held(instrumentId: InstrumentId, direction: Direction): Fixed {
    return this.positionSide(instrumentId, direction).ledger.holding.quantity;
  }

  closing(instrumentId: InstrumentId, direction: Direction): Fixed {
    const { working } = this.positionSide(instrumentId, direction);
    return working.closing === 0 ? 0n : working.remaining(isClosing);
  }

  workingOrders(instrumentId: InstrumentId): number {
    const { long, short } = this.sides(instrumentId);
    return long.working.size + short.working.size;
  }

  positionSide(instrumentId: InstrumentId, direction: Direction): PositionSide {
    return this.sides(instrumentId)[direction];
  }

  sides(instrumentId: InstrumentId): PositionSides {
    // Called with every intent, usually for the same instrument as before.
    if (instrumentId !== this.#latest?.long.instrumentId)
      this.#latest =
        this.#positionSides.get(instrumentId) ?? this.#createPositionSides(instrumentId);
    return this.#latest;
  }

  #createPositionSides(instrumentId: InstrumentId): PositionSides {
    const { portfolio, positionMode } = this.#options;
    const account = portfolio.instrument(instrumentId);
    const funds = fundsOf(account.instrument, portfolio);
    const positionSides = createPositionSides(account, funds, positionMode === 'oneWay');
    this.#positionSides.set(instrumentId, positionSides);
    this.#listed.push(positionSides.long, positionSides.short);
    return positionSides;
  }

  /** All sides that were used so far. */
  positionSides(): readonly PositionSide[] {
    return this.#listed;
  }

  /** Whether a side holds at least one step. Called with every intent. */
  isHeld(positionSide: PositionSide): boolean {
    const { known, ledger } = positionSide;
    if (known.holding !== ledger.holding) {
      known.holding = ledger.holding;
      known.isNothing = ledger.holding.quantity === 0n;
      known.rules = undefined;
    }
    // A quantity of 0 needs no look-up of rules.
    if (known.isNothing) return false;
    const rules = this.rules(positionSide);
    if (rules === undefined || known.rules !== rules) {
      known.rules = rules;
      known.isHeld = heldQuantity(positionSide, rules) > 0n;
    }
    return known.isHeld;
  }
}
