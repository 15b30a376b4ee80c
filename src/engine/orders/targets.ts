import {
  absFixed,
  FIXED_ONE,
  formatFixed,
  maxFixed,
  minFixed,
  multiplyFixed,
  type DecimalInput,
  type Direction,
  type EpochMs,
  type Fixed,
  type InstrumentId,
  type Refusal,
  type ResolvedRules,
  type TargetIntent,
  type TargetSize,
} from '../../domain/index.js';
import { readAmount, unknownRules, valueOfOne } from '../../risk/index.js';
import type { MarketHub } from '../market/market-hub.js';
import { DIRECTIONS, type AccountView } from './account-view.js';
import type { Entries } from './entries.js';
import type { Exits } from './exits.js';
import { NO_EXITS } from './failed-exits.js';
import { isEnding } from './order-questions.js';
import { canceledRefusal, supersededRefusal } from './order-refusals.js';
import type { OwnOrders } from './own-orders.js';
import { heldQuantity, type PositionSide, type Wanted } from './position-side.js';
import { targetPriceRefusal, spotRefusal, sumRefusal, twiceRefusal } from './target-refusals.js';
import { quantityEntering, quantityLeaving, type UnitWorth } from './under-way.js';
import type { WaitingIntent } from './waiting-intents.js';

/** Targets whose purchases wait until their sales have ended. */
export interface WaitingTargets {
  readonly intentId: number;
  readonly intent: TargetIntent;
  readonly since: EpochMs;
  /** Set if all its trades wait until orders that are being canceled have ended. @defaultValue only purchases wait */
  readonly hasWithdrawn?: true;
}

/** The difference between one side of an instrument and its target. */
interface Gap {
  readonly positionSide: PositionSide;
  /** Base or contracts, rounded down; negative for a quantity to sell, 0 if only entries are to be withdrawn. */
  readonly difference: Fixed;
  readonly isToBeLeft: boolean;
  /** Whether entries would lead beyond a target other than 0. */
  readonly isCrowded: boolean;
  readonly isByWeight: boolean;
  /** Value of the difference, or of these entries, in the equity currency, and (`money`) in quote. */
  readonly worth: Fixed;
  readonly money: Fixed;
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
    const ids = this.#idsOf(intent);
    const twice = ids.find((id, place) => ids.indexOf(id) !== place);
    const problem =
      twice === undefined ? sumRefusal(this.#spotWeights(intent)) : twiceRefusal(twice);
    if (problem !== undefined) {
      this.#refuse(intentId, intent, problem);
      return;
    }
    this.withdraw(supersededRefusal, (one) => this.isOf(one.intent, ids));
    for (const positionSide of this.#sidesOf(intent)) {
      positionSide.failedExits = NO_EXITS;
      this.#options.entries.withdraw(positionSide, supersededRefusal);
    }
    this.#begin({ intentId, intent, since: this.#account.now });
  }

  /** Waits for the end of orders that are being canceled. Withdraws entries that would lead beyond a target, and waits for their end. Then trades. */
  #begin(wanted: WaitingTargets): void {
    const { intentId, intent } = wanted;
    const gaps = this.#gapsOf(intent);
    if ('check' in gaps) {
      this.#refuse(intentId, intent, gaps);
      return;
    }
    if (!this.#isEnding(intent)) {
      const crowded = gaps.filter(({ isCrowded }) => isCrowded);
      if (crowded.length === 0) {
        this.#trade(wanted, gaps);
        return;
      }
      for (const { positionSide } of crowded) this.#options.exits.withdrawEntries(positionSide);
    }
    this.#wait({ ...wanted, hasWithdrawn: true });
  }

  /** The sum of the weights of spot instruments. */
  #spotWeights({ targets }: TargetIntent): Fixed {
    let sum = 0n;
    for (const { instrument, to } of targets) {
      const id = this.#options.hub.resolveInstrument(instrument);
      const { kind } = this.#account.positionSide(id, 'long').account.instrument;
      if (kind === 'spot' && 'weight' in to) sum += readFixed(to.weight);
    }
    return sum;
  }

  /** Reduces positions above their target; then, or when these sales have ended, increases the others. */
  #trade({ intentId, intent, since }: WaitingTargets, gaps: readonly Gap[]): void {
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
    const gaps = this.#gapsOf(intent);
    if ('check' in gaps) this.#refuse(intentId, intent, gaps);
    else for (const gap of gaps) if (gap.difference > 0n) this.#increase(gap, intentId, intent);
  }

  #mustWait({ intentId, intent, hasWithdrawn }: WaitingTargets): boolean {
    return hasWithdrawn ? this.#isEnding(intent) : this.#isSelling(intentId);
  }

  /** Whether orders are being canceled that change how much is missing: what they still fill is known at their end. */
  #isEnding(intent: TargetIntent): boolean {
    return this.#sidesOf(intent).some(({ working }) => working.some(isEnding));
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
    { positionSide, difference, isToBeLeft }: Gap,
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
   * balance. So weights that sum to 1 can be paid, even if a sale was too small to be made. Otherwise the size is a quantity, as for contracts.
   */
  #increase(gap: Gap, intentId: number, intent: TargetIntent): void {
    const { positionSide, difference } = gap;
    const { instrumentId: instrument, direction, account } = positionSide;
    const { kind, quote } = account.instrument;
    const isByWorth = kind !== 'futures' && gap.isByWeight;
    const free = kind === 'spot' ? this.#account.freeBalance(quote, kind) : undefined;
    const most = free === undefined ? gap.worth : worthAt(free, this.#account.worthOf(quote));
    const worth = minFixed(gap.worth, most);
    const isCut = isByWorth && worth < gap.worth;
    if (isCut && !this.#isTradable(cutTo(gap, worth), intent)) return;
    const size = isByWorth
      ? { equity: formatFixed((worth * FIXED_ONE) / this.#account.equity()) }
      : { quantity: formatFixed(difference) };
    const label = intent.label === undefined ? {} : { label: intent.label };
    this.#options.entries.enter(positionSide, intentId, {
      ...{ kind: 'enter', instrument, direction, size, add: true },
      ...label,
    });
  }

  #gapsOf(intent: TargetIntent): readonly Gap[] | Refusal {
    const tolerance = intent.tolerance === undefined ? 0n : readFixed(intent.tolerance);
    // A share of less than nothing would be on the other side.
    const equity = maxFixed(this.#account.equity(), 0n);
    const most = (equity * tolerance) / FIXED_ONE;
    const gaps: Gap[] = [];
    for (const { instrument, to } of intent.targets) {
      const id = this.#options.hub.resolveInstrument(instrument);
      const unit = this.#worthOfOne(id);
      if (unit === undefined) return targetPriceRefusal(id);
      const wanted = quantityOf(to, equity, unit);
      const short = this.#account.positionSide(id, 'short');
      if (wanted < 0n && short.account.instrument.kind === 'spot') return spotRefusal(id, wanted);
      if (this.#account.rules(short) === undefined) return unknownRules(id);
      for (const direction of DIRECTIONS) {
        const gap = this.#gapOf(this.#account.positionSide(id, direction), to, wanted, unit);
        if (gap !== undefined && absFixed(gap.worth) > most && this.#isTradable(gap, intent))
          gaps.push(gap);
      }
    }
    return gaps;
  }

  /** `wanted`: the quantity of the target, negative for short. */
  #gapOf(
    positionSide: PositionSide,
    to: TargetSize,
    wanted: Fixed,
    unit: UnitWorth,
  ): Gap | undefined {
    const rules = this.#account.rules(positionSide);
    if (rules === undefined) return undefined;
    const held = heldQuantity(positionSide, rules);
    const entering = quantityEntering(positionSide, unit);
    const staying = held - quantityLeaving(positionSide, held, unit);
    const isMeant = positionSide.direction === 'long' ? wanted > 0n : wanted < 0n;
    const target = isMeant ? absFixed(wanted) : 0n;
    const off = target - staying - entering;
    const difference = off < 0n ? -floor(maxFixed(staying - target, 0n), rules) : floor(off, rules);
    const isToBeLeft = target === 0n && off < 0n;
    const isCrowded = target > 0n && off < 0n && entering > 0n;
    // If too little is held to be sold, entries may still be withdrawn: then they are the gap.
    const isOfEntries = isCrowded || (isToBeLeft && difference === 0n && entering > 0n);
    const size = isOfEntries ? off : difference;
    if (size === 0n) return undefined;
    return {
      ...{ positionSide, difference, isToBeLeft, isCrowded },
      isByWeight: 'weight' in to,
      worth: multiplyFixed(size, unit.inEquity),
      money: multiplyFixed(size, unit.inQuote),
    };
  }

  /** Whether a trade reaches the minimum of the strategy, or without one the minimums of the venue. Risk checks a side that is left as a whole. */
  #isTradable(
    { positionSide, difference, isToBeLeft, isCrowded, money }: Gap,
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

  #worthOfOne(id: InstrumentId): UnitWorth | undefined {
    const last = this.#account.lastPrice(id);
    const { instrument } = this.#account.positionSide(id, 'long').account;
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
  isOf(intent: TargetIntent, ids: readonly InstrumentId[]): boolean {
    return this.#idsOf(intent).some((id) => ids.includes(id));
  }

  #sidesOf(intent: TargetIntent): readonly PositionSide[] {
    return this.#idsOf(intent).flatMap((id) =>
      DIRECTIONS.map((direction) => this.#account.positionSide(id, direction)),
    );
  }

  #idsOf({ targets }: TargetIntent): readonly InstrumentId[] {
    return targets.map(({ instrument }) => this.#options.hub.resolveInstrument(instrument));
  }

  #firstOf({ targets }: TargetIntent): InstrumentId {
    return this.#options.hub.resolveInstrument(targets[0]?.instrument);
  }
}

/** Side that the first target wants; long for a target of 0. */
function directionOf({ targets: [first] }: TargetIntent): Direction {
  return first !== undefined && readFixed(amountOf(first.to)) < 0n ? 'short' : 'long';
}

function amountOf(to: TargetSize): DecimalInput {
  if ('quantity' in to) return to.quantity;
  return 'notional' in to ? to.notional : to.weight;
}

/** Target quantity in base or contracts, negative for short. */
function quantityOf(to: TargetSize, equity: Fixed, { inQuote, inEquity }: UnitWorth): Fixed {
  const amount = readFixed(amountOf(to));
  if ('quantity' in to) return amount;
  return 'notional' in to ? (amount * FIXED_ONE) / inQuote : (amount * equity) / inEquity;
}

/** The form of the intent has been checked, so the input is a decimal. */
function readFixed(input: DecimalInput): Fixed {
  const amount = readAmount(input);
  return typeof amount === 'bigint' ? amount : 0n;
}

function floor(value: Fixed, { step }: ResolvedRules): Fixed {
  return value <= 0n ? 0n : value - (value % step);
}

function worthAt(amount: Fixed, worth = 0n): Fixed {
  return multiplyFixed(amount, worth);
}

/** Reduces a gap in proportion to a lower worth. */
function cutTo(gap: Gap, worth: Fixed): Gap {
  const share = (worth * FIXED_ONE) / gap.worth;
  const [difference, money] = [gap.difference, gap.money].map((one) => multiplyFixed(one, share));
  return { ...gap, worth, difference: difference ?? 0n, money: money ?? 0n };
}
