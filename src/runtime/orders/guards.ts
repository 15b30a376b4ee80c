import type {
  EnterIntent,
  Fixed,
  InstrumentId,
  OrderIntent,
  ProtectIntent,
  Protection,
} from '../../domain/index.js';
import { DIRECTIONS, type AccountView } from './account-view.js';
import { noPositionRefusal, protectionRefusal, sidesRefusal } from './order-refusals.js';
import type { Exits } from './exits.js';
import { createGuard, firingLevel, sampleGuard, type Guard } from './guard.js';
import type { OrderBook } from './order-book.js';
import { entryPriceOf, heldQuantity, isWatched, type Slot } from './slot.js';
import { watchStop, type StopWatch } from './stop-watch.js';
import { reviewTakeProfit } from './take-profit.js';

export interface GuardsOptions {
  readonly book: OrderBook;
  readonly exits: Exits;
  readonly onStopFired: (instrumentId: InstrumentId) => void;
  readonly nextIntentId: () => number;
}

/** Watches over positions: stops that fire at samples of last, and take-profits that rest at the venue (DESIGN R9). */
export class Guards {
  readonly #options: GuardsOptions;
  readonly #book: OrderBook;
  readonly #account: AccountView;
  readonly #guarded = new Set<Slot>();

  constructor(options: GuardsOptions) {
    this.#options = options;
    this.#book = options.book;
    this.#account = options.book.account;
  }

  get hasAny(): boolean {
    return this.#guarded.size > 0;
  }

  /** Whether a guarded side has something to do when a candle begins: a stop that failed is tried again, what an exit waits for is canceled again. */
  get awaitsCandle(): boolean {
    for (const { instrumentId } of this.#guarded)
      for (const direction of DIRECTIONS) {
        const { stopFailed, exitJob, rests } = this.#account.slot(instrumentId, direction);
        if (stopFailed || exitJob !== undefined || rests.size > 0) return true;
      }
    return false;
  }

  /** Stops to be sampled, for drivers that can tell in advance which samples matter. */
  watches(): StopWatch[] {
    return [...this.#guarded].flatMap((slot) => watchStop(slot) ?? []);
  }

  /** Guarded sides, in the order in which their stops are sampled. */
  get sides(): readonly Slot[] {
    return [...this.#guarded];
  }

  /** Goes on with a guard. */
  restore(slot: Slot, guard: Guard): void {
    slot.guard = guard;
    this.#guarded.add(slot);
  }

  /** Guards the side that is held, or the one of both that the intent names. */
  protect(instrumentId: InstrumentId, intentId: number, intent: ProtectIntent): void {
    const [first, second] = DIRECTIONS.filter(
      (direction) => intent.direction === undefined || intent.direction === direction,
    )
      .map((direction) => this.#account.slot(instrumentId, direction))
      .filter((slot) => heldQuantity(slot, this.#account.rules(slot)) > 0n);
    if (first === undefined || second !== undefined) {
      const slot = first ?? this.#account.slot(instrumentId, intent.direction ?? 'long');
      const refusal =
        first === undefined ? noPositionRefusal(instrumentId) : sidesRefusal(instrumentId);
      this.#book.refuse(slot, intentId, intent, refusal);
      return;
    }
    const created = this.#create(first, intentId, intent, intent.protection);
    if (created === undefined) return;
    this.#set(first, created);
    this.reviewTakeProfit(first);
  }

  /** Guards what an entry has filled. A position that cannot be guarded is left. */
  guardEntry(slot: Slot, intentId: number, intent: EnterIntent): void {
    if (intent.protection === undefined) return;
    const guard = this.#create(slot, intentId, intent, intent.protection);
    if (guard !== undefined) this.#set(slot, guard);
    // The levels were possible at the last price but are not at the fill's.
    else this.#stop(slot, this.#options.nextIntentId(), 'unguarded');
  }

  /** The guard, or undefined after a refusal. */
  #create(
    slot: Slot,
    intentId: number,
    intent: OrderIntent,
    protection: Protection,
  ): Guard | undefined {
    const created = createGuard(protection, entryPriceOf(slot), slot.direction);
    if (created.kind === 'guard') return created.guard;
    this.#book.refuse(slot, intentId, intent, protectionRefusal(created.problem));
    return undefined;
  }

  /** The best price since entry goes on to count, and what failed under the guard before is tried again. */
  #set(slot: Slot, guard: Guard): void {
    const { stop, takeProfit, trail } = guard;
    const isEmpty = stop === undefined && takeProfit === undefined && trail === undefined;
    slot.guard = isEmpty ? undefined : { ...guard, best: slot.guard?.best ?? guard.best };
    slot.takeProfitRefused = false;
    slot.stopFailed = false;
    if (isEmpty) this.#guarded.delete(slot);
    else this.#guarded.add(slot);
  }

  /** The position is gone: nothing is left to guard. */
  lift(slot: Slot): void {
    if (slot.guard === undefined) return;
    slot.guard = undefined;
    this.#guarded.delete(slot);
  }

  /** Samples a last price: trailing stops follow it, and stops it has reached fire. */
  onLast(instrumentId: InstrumentId, last: Fixed): void {
    for (const slot of this.#guarded) {
      if (slot.instrumentId !== instrumentId || slot.guard === undefined || !isWatched(slot))
        continue;
      slot.guard = sampleGuard(slot.guard, last, slot.direction);
      const level = firingLevel(slot.guard, slot.direction);
      if (level === undefined || (slot.direction === 'long' ? last > level : last < level))
        continue;
      const label = slot.guard.stop === level ? 'stop-loss' : 'trailing-stop';
      this.#options.onStopFired(instrumentId);
      this.#stop(slot, this.#options.nextIntentId(), label);
    }
  }

  #stop(slot: Slot, intentId: number, label: string): void {
    const { instrumentId: instrument, direction } = slot;
    const intent = { kind: 'exit', instrument, direction, label } as const;
    this.#options.exits.exit(slot, { intentId, intent, role: 'stop' });
  }

  /** Keeps one resting LIMIT for the whole position. */
  reviewTakeProfit(slot: Slot): void {
    // Mostly nothing is guarded, and what works has ended.
    if (slot.guard === undefined && slot.working.size === 0) return;
    const step = reviewTakeProfit(slot, this.#account.rules(slot));
    if (step === undefined) return;
    if (step.kind === 'cancel') {
      this.#book.cancel(step.order);
      return;
    }
    const isSent = this.#book.propose(slot, {
      intentId: this.#options.nextIntentId(),
      intent: step.intent,
      role: 'take-profit',
      size: { all: true },
    });
    if (!isSent) slot.takeProfitRefused = true;
  }
}
