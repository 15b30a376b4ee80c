import {
  absFixed,
  FIXED_ONE,
  formatFixed,
  maxFixed,
  minFixed,
  multiplyFixed,
  type Direction,
  type EpochMs,
  type Fixed,
  type InstrumentId,
  type Refusal,
  type TargetIntent,
} from '../../../domain/index.js';
import { unknownRules, valueOfOne } from '../../../risk/index.js';
import type { MarketHub } from '../../market/market-hub.js';
import { DIRECTIONS, type AccountView } from '../account-view.js';
import type { Entries } from '../entries.js';
import type { Exits } from '../exits.js';
import { NO_EXITS } from '../failed-exits.js';
import { canceledRefusal, supersededRefusal } from '../order-refusals.js';
import type { OwnOrders } from '../own-orders.js';
import type { PositionSide, Wanted } from '../position-side.js';
import {
  areEnding,
  cutGap,
  findTargetProblem,
  gapOf,
  isUntouched,
  readFixed,
  targetAmount,
  wantedQuantity,
  type InstrumentTarget,
  type TargetGap,
} from './target-gap.js';
import { targetPriceRefusal, spotRefusal, tooLittleFreeRefusal } from './target-refusals.js';
import type { UnitWorth } from './under-way.js';
import type { WaitingIntent } from '../waiting-intents.js';

/** Targets whose purchases wait until their sales have ended. */
export interface WaitingTargets {
  readonly intentId: number;
  readonly intent: TargetIntent;
  readonly since: EpochMs;
  /** Set if all its trades wait until orders that are being canceled have ended. @defaultValue only purchases wait */
  readonly hasWithdrawn?: true;
}

interface TargetsOptions {
  readonly hub: MarketHub;
  readonly ownOrders: OwnOrders;
  readonly exits: Exits;
  readonly entries: Entries;
}

/**
 * Brings positions to their targets. Orders that are being canceled end, and entries that would lead beyond a target are withdrawn, before anything is traded. Holdings, working orders, rests to be
 * sent and balances are read again before anything is bought.
 */
export class Targets {
  readonly #options: TargetsOptions;
  readonly #account: AccountView;
  #waiting: readonly WaitingTargets[] = [];

  constructor(options: TargetsOptions) {
    this.#options = options;
    this.#account = options.ownOrders.account;
  }

  get waiting(): readonly WaitingTargets[] {
    return this.#waiting;
  }

  /** For display. */
  list(): readonly WaitingIntent[] {
    return this.#waiting.map((one) => ({
      ...one,
      instrumentId: this.#firstOf(one.intent),
      direction: directionOf(one.intent),
    }));
  }

  restore(waiting: readonly WaitingTargets[] = []): void {
    this.#waiting = waiting;
  }

  /** Withdraws entries that would lead beyond a target. Then, or when these have ended, trades. */
  carryOut(intentId: number, intent: TargetIntent): void {
    const targets = this.#targetsOf(intent);
    const problem = findTargetProblem(targets);
    if (problem !== undefined) {
      this.#refuse(intentId, intent, problem);
      return;
    }
    if (this.#waiting.length > 0) {
      const ids = targets.map(({ instrumentId }) => instrumentId);
      this.withdraw(supersededRefusal, (one) => this.isOf(one.intent, ids));
    }
    for (const { sides } of targets) {
      for (const direction of DIRECTIONS) {
        sides[direction].failedExits = NO_EXITS;
        this.#options.entries.withdraw(sides[direction], supersededRefusal);
      }
    }
    this.#begin({ intentId, intent, since: this.#account.now }, targets);
  }

  /**
   * Whether {@link carryOut} would do nothing: nothing is missing, and no order or waiting intent of the instruments is there. The form of the intent must
   * have been checked.
   */
  changesNothing(intent: TargetIntent): boolean {
    if (this.#waiting.length > 0) return false;
    const { hub } = this.#options;
    for (const { instrument } of intent.targets)
      if (hub.knownInstrument(instrument) === undefined) return false;
    const targets = this.#targetsOf(intent);
    for (const { sides } of targets)
      if (!isUntouched(sides.long) || !isUntouched(sides.short)) return false;
    if (findTargetProblem(targets) !== undefined) return false;
    const gaps = this.#gapsOf(targets, intent);
    return !('check' in gaps) && gaps.length === 0;
  }

  /** Waits for the end of orders that are being canceled. Withdraws entries that would lead beyond a target, and waits for their end. Then trades. */
  #begin(wanted: WaitingTargets, targets = this.#targetsOf(wanted.intent)): void {
    const { intentId, intent } = wanted;
    const gaps = this.#gapsOf(targets, intent);
    if ('check' in gaps) {
      this.#refuse(intentId, intent, gaps);
      return;
    }
    if (!areEnding(targets)) {
      const crowded = gaps.filter(({ isCrowded }) => isCrowded);
      if (crowded.length === 0) {
        this.#trade(wanted, gaps);
        return;
      }
      for (const { positionSide } of crowded) this.#options.exits.withdrawEntries(positionSide);
    }
    this.#wait({ ...wanted, hasWithdrawn: true });
  }

  /** Reduces positions above their target; then, or when these sales have ended, increases the others. */
  #trade({ intentId, intent, since }: WaitingTargets, gaps: readonly TargetGap[]): void {
    for (const gap of gaps)
      if (gap.difference < 0n || gap.isToBeLeft) this.#reduce(gap, intentId, intent);
    if (gaps.some(({ difference }) => difference > 0n)) this.#wait({ intentId, intent, since });
  }

  #wait(one: WaitingTargets): void {
    this.#waiting = [...this.#waiting, one];
    this.goOn();
  }

  /** Call after an order has ended: trades for targets whose withdrawn entries have ended, and buys for those whose sales have ended. */
  goOn(): void {
    for (const one of this.#waiting) {
      // A trade within this loop may have looked at those that follow.
      if (!this.#waiting.includes(one) || this.#mustWait(one)) continue;
      this.#waiting = this.#waiting.filter((other) => other !== one);
      if (one.hasWithdrawn) this.#begin(one);
      else this.#buy(one);
    }
  }

  #buy({ intentId, intent }: WaitingTargets): void {
    const gaps = this.#gapsOf(this.#targetsOf(intent), intent);
    if ('check' in gaps) this.#refuse(intentId, intent, gaps);
    else for (const gap of gaps) if (gap.difference > 0n) this.#increase(gap, intentId, intent);
  }

  #mustWait({ intentId, intent, hasWithdrawn }: WaitingTargets): boolean {
    return hasWithdrawn ? areEnding(this.#targetsOf(intent)) : this.#isSelling(intentId);
  }

  has(intentId: number): boolean {
    return this.#waiting.some((one) => one.intentId === intentId);
  }

  /** Drops waiting purchases. */
  withdraw(
    refusalOf = canceledRefusal,
    isMeant: (one: Wanted & { readonly intent: TargetIntent }) => boolean = () => true,
  ): void {
    if (this.#waiting.length === 0) return;
    const given = this.#waiting.filter((one) => isMeant({ ...one, role: 'entry' }));
    this.#waiting = this.#waiting.filter((one) => !given.includes(one));
    for (const { intentId, intent } of given)
      this.#refuse(intentId, intent, refusalOf(this.#firstOf(intent)));
  }

  #isSelling(intentId: number): boolean {
    const { ownOrders } = this.#options;
    const isMeant = (one: Wanted): boolean => one.intentId === intentId;
    return (
      ownOrders.meant(isMeant).some(({ request }) => request.action === 'close') ||
      this.#account
        .positionSides()
        .some(({ exitJobs, failedExits, remainders }) =>
          [...exitJobs, ...failedExits, ...remainders.values()].some(
            (one) => isMeant(one) && one.role !== 'entry',
          ),
        )
    );
  }

  #reduce(
    { positionSide, difference, isToBeLeft }: TargetGap,
    intentId: number,
    intent: TargetIntent,
  ): void {
    const { instrumentId: instrument, direction } = positionSide;
    const label = intent.label === undefined ? {} : { label: intent.label };
    const size = isToBeLeft ? {} : { size: { quantity: formatFixed(-difference) } };
    this.#options.exits.exit(positionSide, {
      intentId,
      intent: { kind: 'exit', instrument, direction, ...size, ...label },
      role: 'exit',
      withdrawsEntries: isToBeLeft,
    });
  }

  /**
   * For weights on spot and margin, the size is a share of equity, because risk takes the costs off such a size. On spot it is never more than the free
   * balance. So weights that sum to 1 can be paid, even if a sale was too small to be made. If the free balance leaves less than the smallest trade, the
   * purchase is refused. Otherwise the size is a quantity, as for contracts.
   */
  #increase(gap: TargetGap, intentId: number, intent: TargetIntent): void {
    const { positionSide, difference } = gap;
    const { instrumentId: instrument, direction, account } = positionSide;
    const { kind, quote } = account.instrument;
    const isByWorth = kind !== 'futures' && gap.isByWeight;
    const free = kind === 'spot' ? this.#account.freeBalance(quote, kind) : undefined;
    const most = free === undefined ? gap.worth : worthAt(free, this.#account.worthOf(quote));
    const worth = minFixed(gap.worth, most);
    const size = isByWorth
      ? { equity: formatFixed((worth * FIXED_ONE) / this.#account.equity()) }
      : { quantity: formatFixed(difference) };
    const label = intent.label === undefined ? {} : { label: intent.label };
    const entry = { kind: 'enter', instrument, direction, size, add: true, ...label } as const;
    const isCut = isByWorth && worth < gap.worth;
    if (isCut && !this.#isTradable(cutGap(gap, worth), intent))
      this.#options.ownOrders.refuse(
        positionSide,
        intentId,
        entry,
        tooLittleFreeRefusal(gap.money, free ?? 0n, quote),
      );
    else this.#options.entries.enter(positionSide, intentId, entry);
  }

  #gapsOf(
    targets: readonly InstrumentTarget[],
    intent: TargetIntent,
  ): readonly TargetGap[] | Refusal {
    const tolerance = intent.tolerance === undefined ? 0n : readFixed(intent.tolerance);
    // A share of less than nothing would be on the other side.
    const equity = maxFixed(this.#account.equity(), 0n);
    const tolerated = (equity * tolerance) / FIXED_ONE;
    const gaps: TargetGap[] = [];
    for (const { instrumentId, sides, to } of targets) {
      const unit = this.#worthOfOne(sides.long);
      if (unit === undefined) return targetPriceRefusal(instrumentId);
      const quantity = wantedQuantity(to, equity, unit);
      if (quantity < 0n && sides.short.account.instrument.kind === 'spot')
        return spotRefusal(instrumentId, quantity);
      const rules = this.#account.rules(sides.long);
      if (rules === undefined) return unknownRules(instrumentId);
      const wanted = { to, quantity, rules, unit, tolerated };
      for (const direction of DIRECTIONS) {
        const gap = gapOf(sides[direction], wanted);
        if (gap !== undefined && this.#isTradable(gap, intent)) gaps.push(gap);
      }
    }
    return gaps;
  }

  /** Whether a trade reaches the minimum of the strategy, or without one the minimums of the venue. Risk checks a side that is left as a whole. */
  #isTradable(
    { positionSide, difference, isToBeLeft, isCrowded, money }: TargetGap,
    { minimumTrade }: TargetIntent,
  ): boolean {
    if (minimumTrade !== undefined) return absFixed(money) >= readFixed(minimumTrade);
    if (isToBeLeft || isCrowded) return true;
    const rules = this.#account.rules(positionSide);
    return (
      absFixed(difference) >= (rules?.minOrderQuantity ?? 0n) &&
      absFixed(money) >= (rules?.minOrderMoney ?? 0n)
    );
  }

  #worthOfOne({ account, instrumentId }: PositionSide): UnitWorth | undefined {
    const { instrument } = account;
    const last = this.#account.lastPrice(instrumentId);
    const worth = this.#account.worthOf(instrument.quote);
    if (last === undefined || last <= 0n || worth === undefined) return undefined;
    const inQuote = valueOfOne(instrument, last);
    return { inQuote, inEquity: (inQuote * worth) / FIXED_ONE };
  }

  #refuse(intentId: number, intent: TargetIntent, refusal: Refusal): void {
    const positionSide = this.#account.positionSide(this.#firstOf(intent), 'long');
    this.#options.ownOrders.refuse(positionSide, intentId, intent, refusal);
  }

  /** Whether the intent has a target in one of these instruments. */
  isOf({ targets }: TargetIntent, ids: readonly InstrumentId[]): boolean {
    const { hub } = this.#options;
    return targets.some(({ instrument }) => ids.includes(hub.resolveInstrument(instrument)));
  }

  #targetsOf({ targets }: TargetIntent): readonly InstrumentTarget[] {
    const { hub } = this.#options;
    return targets.map(({ instrument, to }) => {
      const instrumentId = hub.resolveInstrument(instrument);
      return { instrumentId, sides: this.#account.sides(instrumentId), to };
    });
  }

  #firstOf({ targets }: TargetIntent): InstrumentId {
    return this.#options.hub.resolveInstrument(targets[0]?.instrument);
  }
}

/** Side that the first target wants; long for a target of 0. */
function directionOf({ targets: [first] }: TargetIntent): Direction {
  return first !== undefined && targetAmount(first.to) < 0n ? 'short' : 'long';
}

function worthAt(amount: Fixed, worth = 0n): Fixed {
  return multiplyFixed(amount, worth);
}
