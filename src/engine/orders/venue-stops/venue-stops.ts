import {
  formatFixed,
  type Candle,
  type EpochMs,
  type Fixed,
  type InstrumentId,
  type Refusal,
} from '../../../domain/index.js';
import { assess, type GuardedPolicy } from '../../../risk/index.js';
import type { OrderUpdate } from '../../../venue/index.js';
import type { Command } from '../../events.js';
import type { OrderIds } from '../../order-ids.js';
import type { Exits } from '../exits.js';
import { isTakingEntry } from '../working/order-questions.js';
import { orphanRefusal } from '../order-refusals.js';
import type { OwnOrders, OwnOrdersOptions } from '../own-orders.js';
import { PlannedProposal } from '../planned-order.js';
import { heldQuantity, isDust, isLeaving, type PositionSide } from '../position-side.js';
import { TriggerAccount } from './trigger-account.js';
import { TriggerBook } from './trigger-book.js';
import {
  batchesOf,
  disasterLevel,
  familyStops,
  isFiring,
  isOver,
  isReached,
  sumOf,
  type VenueStop,
  type VenueStopKind,
  type VenueStopTerms,
  type WantedStop,
} from './venue-stop.js';

interface VenueStopsOptions {
  readonly terms: VenueStopTerms;
  readonly ownOrders: OwnOrders;
  readonly exits: Exits;
  readonly ids: OrderIds;
  readonly policy: GuardedPolicy;
  /** Whether commands are taken from a journal, so that nothing is decided here. @defaultValue false */
  readonly isRecorded: boolean;
  readonly nextIntentId: () => number;
  readonly onCommand: (command: Command) => void;
  readonly onStopFired: (instrumentId: InstrumentId) => void;
}

/** For a trigger that no longer waits: how long the stop in the process waits for its order, and how long that order is expected at all. */
const FIRED_MS = { holdsBack: 5_000, isExpected: 120_000 } as const;
/** A cancel without an answer is repeated after this time. */
const RETRY_MS = 2_000;

/**
 * Keeps triggers at the venue in step with positions in contracts, which they close (DESIGN R9). Triggers are not orders and hold back nothing. When
 * a trigger fires, its order is followed like any other.
 *
 * The next trigger is placed before the last one is canceled, so that one always stands. The stop in the process is still sampled. If last reaches the
 * level of a waiting trigger, that trigger is canceled first. The stop fires once the trigger has ended without firing, so that never both sell.
 */
export class VenueStops {
  readonly terms: VenueStopTerms;
  readonly book: TriggerBook;
  readonly #options: VenueStopsOptions;
  readonly #ownOrders: OwnOrders;
  /** Refused triggers by kind, which are not tried again before the next candle. */
  readonly #refused = new Map<PositionSide, Set<VenueStopKind>>();
  /** Sides whose triggers may follow a trailing stop: once with each candle. */
  readonly #mayTrail = new Set<PositionSide>();

  constructor(options: VenueStopsOptions) {
    this.terms = options.terms;
    this.#options = options;
    this.#ownOrders = options.ownOrders;
    this.book = new TriggerBook(options.ownOrders.account);
  }

  /** Whether triggers have something to do at each candle: to follow a trailing stop, to be tried again, or to be found fired. */
  get awaitsCandle(): boolean {
    if (this.#refused.size > 0 || this.readsCandles) return true;
    if (this.book.list.some(({ state }) => state === 'gone')) return true;
    return this.#ownOrders.account
      .positionSides()
      .some((side) => side.guard?.trail !== undefined && isContract(side));
  }

  /** Whether the take-profit of a position is a trigger: a resting LIMIT would leave the stop nothing to close. */
  takesProfit(positionSide: PositionSide): boolean {
    const { guard } = positionSide;
    if (this.terms.kind !== 'family' || !isContract(positionSide)) return false;
    return guard?.stop !== undefined || guard?.trail !== undefined;
  }

  /** Call at a new candle: triggers are placed again if they were refused or fired without a fill, and may follow trailing stops. */
  beginCandle(positionSide: PositionSide): void {
    this.#refused.delete(positionSide);
    for (const stop of this.book.of(positionSide))
      if (this.#isOverdue(stop)) this.book.moveTo(stop, 'canceled', stop.since);
    if (positionSide.guard?.trail !== undefined) this.#mayTrail.add(positionSide);
  }

  /** Whether candles say which triggers have fired. A venue without a list reports nothing of a trigger whose order found nothing to close. */
  get readsCandles(): boolean {
    return this.terms.kind === 'disaster' && this.book.list.length > 0;
  }

  /** Call at each candle, after {@link beginCandle} of its instrument: a trigger whose level it touches has fired. */
  learnCandle(candle: Candle): void {
    for (const stop of this.book.firedIn(candle)) this.book.moveTo(stop, 'gone');
  }

  // Placing and canceling triggers.

  /** Brings triggers in step with positions and guards. Call after the engine has learned an event, and after its intents have been judged. */
  review(): void {
    if (this.#options.isRecorded || this.#ownOrders.isOver) return;
    const { now } = this.#ownOrders.account;
    for (const stop of this.book.list)
      if (isOver(stop) && now - stop.since >= FIRED_MS.isExpected) this.book.remove(stop);
    for (const positionSide of this.#ownOrders.account.positionSides())
      if (isContract(positionSide)) this.#reviewSide(positionSide);
    this.#mayTrail.clear();
  }

  #reviewSide(positionSide: PositionSide): void {
    const rules = this.#ownOrders.account.rules(positionSide);
    if (rules === undefined) return;
    const held = heldQuantity(positionSide, rules);
    const isHeld = held > 0n && !isDust(positionSide);
    // An entry fills in pieces, and an exit of the whole position leaves none: wait for their end.
    if (isHeld && (isLeaving(positionSide) || positionSide.working.some(isTakingEntry))) return;
    if (this.terms.kind === 'disaster') {
      if (isHeld) this.#placeOnce(positionSide, held);
      return;
    }
    const { instrumentId, direction } = positionSide;
    const free = held - this.#ownOrders.account.closing(instrumentId, direction);
    const wanted = isHeld ? familyStops(positionSide, free, rules) : [];
    for (const trigger of ['stop-loss', 'take-profit'] as const)
      this.#keep(
        positionSide,
        trigger,
        wanted.find((one) => one.trigger === trigger),
      );
  }

  /** Places the wanted trigger if none like it stands. Cancels other triggers once the wanted one stands. */
  #keep(positionSide: PositionSide, trigger: VenueStopKind, wanted: WantedStop | undefined): void {
    const own = this.book
      .of(positionSide)
      .filter((stop) => stop.trigger === trigger && !isOver(stop) && stop.state !== 'canceling');
    if (wanted === undefined) {
      for (const stop of own) this.#takeAway(stop);
      return;
    }
    const batches = batchesOf(own);
    const isWhole = (batch: readonly VenueStop[]): boolean => sumOf(batch) === wanted.quantity;
    const fitting = batches.findLast(
      (batch) => isWhole(batch) && batch.every(({ level }) => level === wanted.level),
    );
    if (fitting !== undefined) {
      if (fitting.every(({ state }) => state === 'waiting'))
        for (const stop of own) if (!fitting.includes(stop)) this.#takeAway(stop);
      return;
    }
    if (this.book.of(positionSide).some((stop) => stop.trigger === trigger && isFiring(stop)))
      return;
    const isTrailing = wanted.label === 'trailing-stop' && batches.some(isWhole);
    if (isTrailing && !this.#mayTrail.has(positionSide)) return;
    if (!own.some(({ state }) => state === 'submitting')) this.#place(positionSide, wanted);
  }

  /** Whether the report of a trigger's order no longer counts as being about to come. */
  #isOverdue({ state, since }: VenueStop): boolean {
    return state === 'gone' && this.#ownOrders.account.now - since >= FIRED_MS.holdsBack;
  }

  #placeOnce(positionSide: PositionSide, quantity: Fixed): void {
    const isInPlace = ({ isOrphan, state }: VenueStop): boolean =>
      !isOrphan && state !== 'canceled';
    if (this.book.of(positionSide).some(isInPlace)) return;
    const { account } = this.#ownOrders;
    const rules = account.rules(positionSide);
    if (rules === undefined) return;
    const { instrumentId, direction } = positionSide;
    const liquidation = account.liquidationWith(instrumentId, direction);
    const level = disasterLevel(positionSide, this.terms.distance, { rules, liquidation });
    const wanted = { trigger: 'stop-loss', level, label: 'stop-loss', quantity } as const;
    if (level > 0n) this.#place(positionSide, wanted);
  }

  #place(positionSide: PositionSide, wanted: WantedStop): void {
    if (this.#refused.get(positionSide)?.has(wanted.trigger) === true) return;
    const { ids, policy, nextIntentId, onCommand } = this.#options;
    const { instrumentId: instrument, direction } = positionSide;
    const { account } = this.#ownOrders;
    const { trigger, level, label, quantity } = wanted;
    const intentId = nextIntentId();
    const size = { quantity: formatFixed(quantity) };
    const intent = { kind: 'exit', instrument, direction, label } as const;
    const planned = { intentId, intent, role: 'venue-stop', size } as const;
    const decision = assess(
      new PlannedProposal(positionSide, planned, { ids, attempt: 0 }),
      account.rules(positionSide),
      new TriggerAccount(account),
      policy,
    );
    if (decision.kind === 'refused') {
      this.#noteRefused(positionSide, trigger);
      return;
    }
    for (const order of decision.orders) {
      this.book.add(order, { direction, trigger, level, label });
      onCommand({ kind: 'submit', order, condition: { trigger, triggerPrice: level } });
    }
  }

  #noteRefused(positionSide: PositionSide, trigger: VenueStopKind): void {
    const refused = this.#refused.get(positionSide) ?? new Set();
    this.#refused.set(positionSide, refused.add(trigger));
  }

  /** Cancels a waiting trigger. A trigger without an answer is canceled later, when it has one. */
  #takeAway(stop: VenueStop): void {
    const { now } = this.#ownOrders.account;
    // After a cancel without an answer, `since` lies in the future until the cancel may be repeated.
    if (stop.state !== 'waiting' || stop.since > now) return;
    this.book.moveTo(stop, 'canceling');
    const { clientOrderId, instrumentId } = stop.request;
    this.#options.onCommand({ kind: 'cancel', clientOrderId, instrumentId, isCondition: true });
  }

  // Updates of the venue.

  /** Applies an update of a trigger. Returns false if the update is of an order: of no trigger, or of one that has fired and whose order is now followed. */
  onUpdate(update: OrderUpdate): boolean {
    const stop = this.book.find(update.clientOrderId);
    if (stop === undefined) return false;
    switch (update.kind) {
      case 'accepted':
        stop.triggerId = update.venueOrderId;
        this.book.moveTo(stop, 'waiting');
        return true;
      case 'outcome-unknown':
        this.#onUnknown(stop);
        return true;
      case 'cancel-rejected':
        this.book.moveTo(stop, 'gone');
        return true;
      case 'ended':
        return this.#onEnded(stop);
      case 'fill':
        this.#onFired(stop, update.eventTime);
        return false;
    }
  }

  #onUnknown(stop: VenueStop): void {
    const { now } = this.#ownOrders.account;
    if (stop.state === 'canceling') {
      this.book.moveTo(stop, 'waiting', now + RETRY_MS);
      this.#goOn(stop);
    } else this.book.moveTo(stop, 'unknown');
  }

  /** The trigger was refused or canceled, or it has fired and its order ended unfilled. In each case it no longer stands. */
  #onEnded(stop: VenueStop): true {
    const positionSide = this.#sideOf(stop);
    if (stop.state === 'canceling') {
      this.book.moveTo(stop, 'canceled');
      this.#goOn(stop);
      return true;
    }
    this.book.remove(stop);
    if (stop.state === 'submitting' || stop.state === 'unknown') {
      if (this.#ownOrders.account.isHeld(positionSide))
        this.#noteRefused(positionSide, stop.trigger);
      this.#leaveWhereReached(positionSide, stop);
    }
    this.#goOn(stop);
    return true;
  }

  /** The venue refuses a trigger whose level is already reached. For a take-profit, the exit is sent here instead. A stop is sampled in the process. */
  #leaveWhereReached(positionSide: PositionSide, stop: VenueStop): void {
    const last = this.#ownOrders.account.lastPrice(positionSide.instrumentId);
    if (stop.trigger !== 'take-profit' || last === undefined || !isReached(stop, last)) return;
    if (this.takesProfit(positionSide)) this.#exit(positionSide, stop.label);
  }

  /** Lets the stop in the process fire, if it waited for this trigger. */
  #goOn(stop: VenueStop): void {
    if (!stop.isAwaited) return;
    stop.isAwaited = false;
    const positionSide = this.#sideOf(stop);
    if (!this.#ownOrders.account.isHeld(positionSide) || positionSide.guard === undefined) return;
    this.#options.onStopFired(positionSide.instrumentId);
    this.#exit(positionSide, stop.label);
  }

  #exit(positionSide: PositionSide, label: string): void {
    const { exits, nextIntentId } = this.#options;
    const { instrumentId: instrument, direction } = positionSide;
    const intent = { kind: 'exit', instrument, direction, label } as const;
    const wanted = { intentId: nextIntentId(), intent, role: 'stop' } as const;
    exits.exit(positionSide, { ...wanted, withdrawsEntries: label !== 'take-profit' });
  }

  /** Follows the order of a fired trigger. After a stop, resting entries are withdrawn: they would open the position again. */
  #onFired(stop: VenueStop, createdTime: EpochMs): void {
    this.book.remove(stop);
    const positionSide = this.#sideOf(stop);
    const { instrumentId: instrument, direction } = positionSide;
    const intent = { kind: 'exit', instrument, direction, label: stop.label } as const;
    const wanted = { role: 'venue-stop', intent, createdTime } as const;
    this.#ownOrders.followUnwanted(stop.request, wanted);
    if (stop.trigger === 'take-profit') return;
    this.#options.onStopFired(instrument);
    for (const order of positionSide.working.all)
      if (order.role === 'entry') this.#ownOrders.withdraw(order);
  }

  #sideOf({ request, direction }: VenueStop): PositionSide {
    return this.#ownOrders.account.positionSide(request.instrumentId, direction);
  }

  // The stop in the process, entries, and the end of positions.

  /**
   * Whether the stop in the process, which has reached its level at this last price, has to wait for a trigger that stands there. The trigger is
   * canceled first, and may be firing.
   */
  holdsBack(positionSide: PositionSide, last: Fixed): boolean {
    if (this.terms.kind !== 'family') return false;
    let holds = false;
    for (const stop of this.book.of(positionSide)) {
      if (stop.trigger !== 'stop-loss' || !isReached(stop, last)) continue;
      if (stop.state === 'waiting') this.#takeAway(stop);
      if (stop.state === 'canceling') stop.isAwaited = true;
      holds ||= isFiring(stop) && !this.#isOverdue(stop);
    }
    return holds;
  }

  /** Call when a position is closed: marks its triggers, which would close a later position. */
  onFlat(positionSide: PositionSide): void {
    this.#refused.delete(positionSide);
    for (const stop of this.book.of(positionSide)) {
      stop.isOrphan = true;
      stop.isAwaited = false;
    }
  }

  /** Why nothing may be opened on a side, because a trigger of an earlier position there may fire; undefined if it may. */
  refuseEntry(positionSide: PositionSide): Refusal | undefined {
    if (!isContract(positionSide) || this.#ownOrders.account.isHeld(positionSide)) return undefined;
    const { kind, orphans } = this.terms;
    const isInWay = ({ isOrphan, state, since }: VenueStop): boolean => {
      if (!isOrphan || state === 'gone' || state === 'canceled') return false;
      // A cancel arrives before an entry that is sent after it. A trigger without an answer may still stand.
      if (kind === 'family') return state === 'unknown' || since > this.#ownOrders.account.now;
      return orphans === 'refuse';
    };
    const stop = this.book.of(positionSide).find(isInWay);
    return stop && orphanRefusal(positionSide.instrumentId, stop);
  }
}

function isContract({ account }: PositionSide): boolean {
  return account.instrument.kind === 'futures';
}

/** Undefined if stops stay in the process. */
export function createVenueStops(
  options: OwnOrdersOptions & {
    readonly venueStops?: VenueStopTerms | undefined;
    readonly listener: { stopFired(instrumentId: InstrumentId): void };
    nextIntentId(): number;
  },
  ownOrders: OwnOrders,
  exits: Exits,
): VenueStops | undefined {
  const { venueStops: terms, ids, policy, decisions, listener } = options;
  if (terms === undefined) return undefined;
  const venueStops = new VenueStops({
    ...{ terms, ownOrders, exits, ids, policy },
    isRecorded: decisions !== undefined,
    nextIntentId: () => options.nextIntentId(),
    onCommand: (command) => {
      listener.command(command);
    },
    onStopFired: (instrumentId) => {
      listener.stopFired(instrumentId);
    },
  });
  ownOrders.refuseEntry = (positionSide) => venueStops.refuseEntry(positionSide);
  return venueStops;
}
