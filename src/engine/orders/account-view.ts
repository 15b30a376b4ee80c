import type {
  Asset,
  CashWatch,
  Direction,
  EpochMs,
  Fixed,
  InstrumentId,
  PositionMode,
  ProductKind,
  ResolvedRules,
  RuleBook,
} from '../../domain/index.js';
import type { RiskAccount, RiskPolicy } from '../../risk/index.js';
import { liquidationOf, type AddedContracts } from '../portfolio/liquidation.js';
import type { Portfolio } from '../portfolio/portfolio.js';
import { OwnQuotes } from './own-quotes.js';
import { fundsOf } from './reservation.js';
import { createPositionSide, heldQuantity, type PositionSide } from './position-side.js';
import { isClosing } from './order-questions.js';

export const DIRECTIONS: readonly Direction[] = ['long', 'short'];

/** Both sides of one instrument. */
export type PositionSides = Readonly<Record<Direction, PositionSide>>;

export interface AccountOptions {
  readonly portfolio: Portfolio;
  readonly rules: RuleBook;
  /** Whether long and short of a contract can be held at once. */
  readonly positionMode: PositionMode;
  /** Not a function: each engine's would be one of its own to the compiler. */
  readonly clock: { now(): EpochMs };
  readonly policy: Pick<RiskPolicy, 'tiers'>;
  /** Largest fee of a contract, as a ratio: the venue keeps it. @defaultValue 0 */
  readonly maxFeeRate?: Fixed | undefined;
  /** Is told where money decides. @defaultValue nobody */
  readonly cashWatch?: CashWatch | undefined;
}

/** What risk and the order manager read of the account: its money and prices, and what is held and works on each side of each instrument. */
export class AccountView implements RiskAccount {
  readonly #options: AccountOptions;
  readonly #positionSides = new Map<InstrumentId, PositionSides>();
  readonly #listed: PositionSide[] = [];
  /** The sides that were asked for last. */
  #latest: PositionSides | undefined;

  constructor(options: AccountOptions) {
    this.#options = options;
  }

  // Money and prices.

  get now(): EpochMs {
    return this.#options.clock.now();
  }

  lastPrice(instrumentId: InstrumentId): Fixed | undefined {
    return this.#options.portfolio.last(instrumentId);
  }

  markPrice(instrumentId: InstrumentId): Fixed | undefined {
    return this.#options.portfolio.mark(instrumentId);
  }

  owed(): Fixed {
    return this.#options.portfolio.owed();
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
    return this.#options.rules.at(instrumentId, this.now);
  }

  /** Quantity step in force; 0 where no rules are known. */
  step(positionSide: PositionSide): Fixed {
    return this.rules(positionSide)?.step ?? 0n;
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
    // Asked for with every intent, and mostly for the instrument of the last one.
    if (instrumentId !== this.#latest?.long.instrumentId)
      this.#latest =
        this.#positionSides.get(instrumentId) ?? this.#createPositionSides(instrumentId);
    return this.#latest;
  }

  #createPositionSides(instrumentId: InstrumentId): PositionSides {
    const { portfolio } = this.#options;
    const account = portfolio.instrument(instrumentId);
    const funds = fundsOf(account.instrument, portfolio);
    const quotes = new OwnQuotes();
    const positionSides = {
      long: createPositionSide(account, 'long', funds, quotes),
      short: createPositionSide(account, 'short', funds, quotes),
    };
    this.#positionSides.set(instrumentId, positionSides);
    this.#listed.push(positionSides.long, positionSides.short);
    return positionSides;
  }

  /** The sides that anything has asked for. */
  positionSides(): readonly PositionSide[] {
    return this.#listed;
  }

  /**
   * The other side of an instrument of which one side at a time can be held: on margin always, because long and short are one balance,
   * on futures in one-way mode. Undefined where both can be held, or only one ever is.
   */
  rival({
    account: { instrument },
    instrumentId,
    direction,
  }: PositionSide): PositionSide | undefined {
    const isOneWay = instrument.kind === 'futures' && this.#options.positionMode === 'oneWay';
    if (!isOneWay && instrument.kind !== 'margin') return undefined;
    return this.positionSide(instrumentId, direction === 'long' ? 'short' : 'long');
  }

  /** Whether a side holds anything that counts: less than one step does not. Asked with every intent. */
  isHeld(positionSide: PositionSide): boolean {
    const { known, ledger } = positionSide;
    if (known.holding !== ledger.holding) {
      known.holding = ledger.holding;
      known.isNothing = ledger.holding.quantity === 0n;
      known.rules = undefined;
    }
    // Nothing is nothing by any rules: they need not be looked up.
    if (known.isNothing) return false;
    const rules = this.rules(positionSide);
    if (rules === undefined || known.rules !== rules) {
      known.rules = rules;
      known.isHeld = heldQuantity(positionSide, rules) > 0n;
    }
    return known.isHeld;
  }
}
