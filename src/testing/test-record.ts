import type { Observable } from 'rxjs';
import type { EpochMs, Fill, Order, OrderIntent } from '../domain/index.js';
import type { Command, EngineEvent, Journal, RecordedIntent } from '../engine/index.js';
import type { StrategyContext, StrategyLog, Verdict } from '../strategy/index.js';

/** A line of the strategy's log. */
export interface LogLine {
  readonly time: EpochMs;
  readonly level: 'debug' | 'info' | 'warn';
  readonly message: string;
  readonly fields?: Readonly<Record<string, unknown>> | undefined;
}

/** An intent that was refused. */
export interface TestRefusal {
  readonly time: EpochMs;
  readonly intent: OrderIntent;
  /** Name of the check, as in docs/risk.md. */
  readonly check: string;
  /** Text for people. */
  readonly text: string;
}

/** Records the intents, orders, fills, refusals and logs of a strategy under test, oldest first. */
export class TestRecord implements Journal {
  readonly intents: RecordedIntent[] = [];
  readonly orders = new Map<string, Order>();
  readonly fills: Fill[] = [];
  readonly refusals: TestRefusal[] = [];
  readonly logs: LogLine[] = [];
  /** Number of intents that were dropped, because the strategy was not to trade. */
  dropped = 0;

  append(
    _event: EngineEvent,
    _commands: readonly Command[],
    intents: readonly RecordedIntent[],
  ): void {
    for (const one of intents)
      if (one.intent === undefined) this.dropped += 1;
      else this.intents.push(one);
  }

  logAt(now: () => EpochMs): StrategyLog {
    const at =
      (level: LogLine['level']) =>
      (message: string, fields?: LogLine['fields']): void => {
        this.logs.push({ time: now(), level, message, ...(fields !== undefined && { fields }) });
      };
    return { debug: at('debug'), info: at('info'), warn: at('warn') };
  }

  /** Subscribes to the orders, fills and verdicts of the strategy. */
  listen({ orders$, fills$, verdicts$ }: StrategyContext): void {
    hear(orders$, (order) => this.orders.set(order.clientOrderId, order));
    hear(fills$, (fill) => this.fills.push(fill));
    hear(verdicts$, (verdict) => {
      this.#judge(verdict);
    });
  }

  #judge({ time, intent, decision }: Verdict): void {
    if (decision.kind !== 'refused') return;
    const { check, text } = decision.refusal;
    this.refusals.push({ time, intent, check, text });
  }
}

function hear<T>(told$: Observable<T>, next: (told: T) => void): void {
  told$.subscribe({
    next,
    error: (error: unknown) => {
      throw error;
    },
  });
}
