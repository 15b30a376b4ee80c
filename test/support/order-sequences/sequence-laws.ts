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

/** Laws after each step of a sequence: the engine agrees with a model of its venue, and with itself. */
export class SequenceLaws {
  readonly ends: IntentEnds;
  readonly #model: VenueModel;
  readonly #bench: OrderManagerBench;

  /** Sides that were held, entered or left before this event, with the kind of intent. */
  #before: ReadonlySet<string> = new Set();
  /** Sides that intents of this event want to enter, one entry for each intent. */
  #entered: Direction[] = [];
  /** Quantity that each entry asks for, in base or contracts, by intent number. Below it the largest quantity of any replacement. */
  readonly #wanted = new Map<number, Fixed>();
  #mostReplaced = 0n;
  /** Number of verdicts before this event. */
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

  /** Notes the state before an event in which intents are raised. */
  begin(): void {
    this.#before = this.#whatIsThere();
  }

  /** Throws if a law is broken. */
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

  /** Brackets guard at most the held quantity, and no bracket sells more than its entry has bought. */
  #checkBrackets(): void {
    const { bought, sold, rules } = this.#model;
    if (bought.size === 0) return;
    const step = fixedFromDecimal(this.#model.step);
    // With a minimum order money, a remainder too small to sell alone is sold with a later sale. Then this law does not hold.
    for (const [entry, quantity] of rules.minOrderMoney === undefined ? sold : [])
      // Earlier dust of less than one step may be sold with it.
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

  /** All orders of an entry together fill at most its quantity, or the largest quantity of a replacement. */
  #checkFilled(): void {
    const { filled, entered } = this.#model;
    const wanted = filled && this.#wanted.get(filled.origin);
    if (filled === undefined || wanted === undefined) return;
    const quantity = entered.get(filled.origin) ?? 0n;
    if (quantity > maxFixed(wanted, this.#mostReplaced))
      throw new Error(`enters ${String(quantity)} for ${String(filled.origin)}`);
  }

  /** A fill cancels the other orders of its group. */
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
      // A later intent of the event may have given up an entry of an earlier one.
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
    // An exit with `cancelEntries` may have waited for the end of the entries. Meanwhile another side may have been entered.
    if (cancelEntries === true && sides.some(isLeft)) return true;
    return sides.every((side) => isLeft(side) || this.#isThere(side, 'exit'));
  }

  /** Whether this event gave up a waiting entry of a side. */
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

  /** Keys `enter` or `exit` with a side: for held sides, working orders, waiting intents, and rests to send again. */
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
