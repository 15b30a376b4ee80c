import { Subject } from 'rxjs';
import { Fill, type Halt, type Order } from '../domain/index.js';
import type { StrategyContext, StrategyInstance, Verdict } from '../strategy/index.js';
import type { RecordedFill, RecordedRefusal } from './records.js';
import type { WorkingOrder } from './working-order.js';

/** Tells a strategy what became of its intents, by its methods and by streams, and keeps what a report needs of it. */
export class StrategyFeedback {
  readonly fills: RecordedFill[] = [];
  readonly refusals: RecordedRefusal[] = [];
  readonly halts: Halt[] = [];
  readonly #verdicts = new Subject<Verdict>();
  readonly #orders = new Subject<Order>();
  readonly #fills = new Subject<Fill>();
  readonly #halts = new Subject<Halt>();
  /** Who is told; known once it is constructed. */
  strategy: StrategyInstance | undefined;

  /** Hot; replay nothing; complete when the run ends; never error. */
  readonly streams: Pick<StrategyContext, 'verdicts$' | 'orders$' | 'fills$' | 'halts$'> = {
    verdicts$: this.#verdicts.asObservable(),
    orders$: this.#orders.asObservable(),
    fills$: this.#fills.asObservable(),
    halts$: this.#halts.asObservable(),
  };

  verdict(verdict: Verdict, refusal: RecordedRefusal | undefined): void {
    if (refusal !== undefined) this.refusals.push(refusal);
    this.strategy?.onVerdict?.(verdict);
    this.#verdicts.next(verdict);
  }

  orderChanged(order: WorkingOrder): void {
    if (!this.#orders.observed && this.strategy?.onOrder === undefined) return;
    const snapshot = order.snapshot();
    this.strategy?.onOrder?.(snapshot);
    this.#orders.next(snapshot);
  }

  filled(fill: RecordedFill): void {
    this.fills.push(fill);
    if (!this.#fills.observed && this.strategy?.onFill === undefined) return;
    const view = new Fill(fill.record);
    this.strategy?.onFill?.(view);
    this.#fills.next(view);
  }

  halted(halt: Halt): void {
    this.halts.push(halt);
    this.strategy?.onHalt?.(halt);
    this.#halts.next(halt);
  }

  complete(): void {
    this.#verdicts.complete();
    this.#orders.complete();
    this.#fills.complete();
    this.#halts.complete();
  }
}
