import {
  fixedFromDecimal,
  maxFixed,
  parseFixed,
  type Direction,
  type Fixed,
  type OrderIntent,
} from '../../../src/domain/index.js';
import type { OrderManagerBench } from '../engine/order-manager-bench.js';
import { IntentEnds } from './intent-ends.js';
import { checkOrders, expectSame } from './order-laws.js';
import type { VenueModel } from './venue-model.js';

/** What holds after each step of a sequence: the engine agrees with a model of its venue, and with itself. */
export class SequenceLaws {
  readonly ends: IntentEnds;
  readonly #model: VenueModel;
  readonly #bench: OrderManagerBench;

  /** Sides that were held, entered or left before this event. */
  #before: ReadonlySet<string> = new Set();
  /** Sides that this event wants to be entered, once for each intent. */
  #entered: Direction[] = [];
  /** Base or contracts that entries want, by number, and the most that any replacement asked for. */
  readonly #wanted = new Map<number, Fixed>();
  #mostReplaced = 0n;
  /** Verdicts of the events before this one. */
  #seen = 0;

  constructor(model: VenueModel, bench: OrderManagerBench) {
    this.#model = model;
    this.#bench = bench;
    this.ends = new IntentEnds((intent) => this.#hasNothingToDo(intent));
    bench.onRaised = (handle, intent) => {
      this.ends.follow(handle, intent);
      if (intent.kind === 'enter') this.#entered.push(intent.direction);
      this.#note(handle.intentId, intent);
      if (intent.kind === 'target') this.#entered.push('long', 'short');
    };
  }

  /** Looks at what there is before an event in which intents are raised. */
  begin(): void {
    this.#before = this.#whatIsThere();
  }

  /** Throws where something does not hold. */
  check(): void {
    const { engine, verdicts } = this.#bench;
    const { instrument, product } = this.#model;
    this.#checkMoney();
    this.#checkPositions();
    expectSame(
      'working',
      [...this.#model.working.keys()].join(),
      engine.workingOrders.map(({ request }) => request.clientOrderId).join(),
    );
    checkOrders(engine, [instrument], {
      positionMode: product.positionMode,
      mostToClose: (_id, direction, held) => this.#model.mostToClose(direction, held),
    });
    this.#checkBrackets();
    this.#checkFilled();
    this.#checkGroup();
    this.ends.check(engine, verdicts);
    this.#entered = [];
    this.#seen = verdicts.length;
  }

  #checkMoney(): void {
    const { portfolio } = this.#bench.engine;
    const { instrument } = this.#model;
    const totals = this.#model.totals();
    expectSame('residual', 0n, portfolio.residual({ [instrument.kind]: totals }));
    for (const [asset, total] of totals) {
      const { free, locked } = portfolio.balance(asset).exact;
      expectSame(`locked ${asset}`, this.#model.locked(asset), locked);
      if (instrument.kind !== 'futures') expectSame(`free ${asset}`, total - locked, free);
    }
  }

  #checkPositions(): void {
    const account = this.#bench.engine.portfolio.instrument(this.#model.instrument.id);
    for (const direction of this.#model.directions) {
      const { quantity } = account[direction].holding;
      expectSame(`held ${direction}`, this.#model.held(direction), quantity);
      const offered = this.#model.offered(direction);
      if (offered > this.#model.mostToClose(direction, quantity))
        throw new Error(`sells ${String(offered)} of ${String(quantity)}`);
    }
  }

  /** What brackets guard is held, and no bracket sells more than its entry has bought. */
  #checkBrackets(): void {
    const { bought, sold, rules } = this.#model;
    if (bought.size === 0) return;
    const step = fixedFromDecimal(this.#model.step);
    // What could not be sold alone joins what is sold, where the venue has a minimum.
    for (const [entry, quantity] of rules.minOrderMoney === undefined ? sold : [])
      // Dust of before, less than one step, goes with what is sold.
      if (quantity >= this.#model.mostToClose('short', bought.get(entry) ?? 0n) + step)
        throw new Error(`the bracket of ${String(entry)} sells ${String(quantity)}`);
    for (const { direction, brackets = [] } of this.#bench.engine.checkpoint().sides) {
      const guarded = brackets.reduce((sum, { quantity }) => sum + quantity, 0n);
      const held = this.#model.held(direction);
      if (guarded > held) throw new Error(`guards ${String(guarded)} of ${String(held)}`);
    }
  }

  #note(intentId: number, intent: OrderIntent): void {
    if (intent.kind === 'enter' && 'quantity' in intent.size)
      this.#wanted.set(intentId, parseFixed(String(intent.size.quantity)));
    if (intent.kind === 'replace' && intent.quantity !== undefined)
      this.#mostReplaced = maxFixed(this.#mostReplaced, parseFixed(String(intent.quantity)));
  }

  /** All orders of an entry together fill no more than it wanted, or than a replacement has made of it. */
  #checkFilled(): void {
    const { filled, entered } = this.#model;
    const wanted = filled && this.#wanted.get(filled.origin);
    if (filled === undefined || wanted === undefined) return;
    const quantity = entered.get(filled.origin) ?? 0n;
    if (quantity > maxFixed(wanted, this.#mostReplaced))
      throw new Error(`enters ${String(quantity)} for ${String(filled.origin)}`);
  }

  /** A fill has the others of its group withdrawn. */
  #checkGroup(): void {
    const { filled, working } = this.#model;
    this.#model.filled = undefined;
    if (filled?.oco === undefined) return;
    for (const [id, { oco, origin, isCancelAsked }] of working)
      if (oco === filled.oco && origin !== filled.origin)
        expectSame(`${id} is canceled for its group`, true, isCancelAsked);
    for (const { intentId, intent } of this.#bench.engine.waitingIntents)
      if ('oco' in intent && intent.oco === filled.oco)
        expectSame(`${String(intentId)} waits in a group that has filled`, filled.origin, intentId);
  }

  #hasNothingToDo(intent: OrderIntent): boolean {
    if (intent.kind === 'enter') {
      const { add, direction } = intent;
      // What one before it wanted to enter may have been given up by one after it.
      const isSaidAgain = this.#entered.filter((one) => one === direction).length > 1;
      return (
        add !== true &&
        (isSaidAgain || this.#wasGivenUp(direction) || this.#isThere(direction, 'enter'))
      );
    }
    if (intent.kind !== 'exit') return true;
    const { direction, cancelEntries } = intent;
    const sides = direction === undefined ? this.#model.directions : [direction];
    const isLeft = (side: Direction): boolean => !this.#model.isHeld(side);
    // One that withdraws entries may have waited for their end, with another side being entered meanwhile.
    if (cancelEntries === true && sides.some(isLeft)) return true;
    return sides.every((side) => isLeft(side) || this.#isThere(side, 'exit'));
  }

  /** Whether an entry that waited was given up in this event. */
  #wasGivenUp(of: Direction): boolean {
    return this.#bench.verdicts.slice(this.#seen).some(({ intent, decision }) => {
      const isEntry = intent.kind === 'enter' && intent.direction === of;
      return isEntry && decision.kind === 'refused' && decision.refusal.check === 'superseded';
    });
  }

  #isThere(direction: Direction, kind: 'enter' | 'exit'): boolean {
    const key = `${kind} ${direction}`;
    return this.#before.has(key) || this.#whatIsThere().has(key);
  }

  /** Which sides are held, and what enters or leaves them works, waits, or is to be sent again. */
  #whatIsThere(): ReadonlySet<string> {
    const { engine } = this.#bench;
    const { workingOrders, waitingIntents } = engine;
    const there = new Set<string>();
    for (const { direction, intent } of [...workingOrders, ...waitingIntents])
      there.add(`${intent.kind} ${direction}`);
    for (const { direction, rests } of engine.checkpoint().sides)
      for (const { intent } of rests) there.add(`${intent.kind} ${direction}`);
    for (const direction of this.#model.directions)
      if (this.#model.isHeld(direction)) there.add(`enter ${direction}`);
    return there;
  }
}
