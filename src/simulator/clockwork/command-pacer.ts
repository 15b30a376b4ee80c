import {
  splitInstrumentId,
  type ClientOrderId,
  type EpochMs,
  type InstrumentId,
  type ProductKind,
} from '../../domain/index.js';
import { COMMAND_LIMITS, WindowLog, type LimitRule } from '../../venue/index.js';
import type { VenueCommand } from './venue-command.js';

const LONGEST_WINDOW_MS = Math.max(
  ...Object.values(COMMAND_LIMITS).flatMap(({ submit, cancel }) => [
    submit.windowMs,
    cancel.windowMs,
  ]),
);

/** One rate limit of the venue, with the commands that count toward it. */
interface Budget {
  readonly rule: LimitRule;
  readonly log: WindowLog;
}

/** The budgets that commands of one product use. Both may be the same object. */
interface CommandBudgets {
  readonly submit: Budget;
  readonly cancel: Budget;
}

function createBudgets(kind: ProductKind): CommandBudgets {
  const { submit, cancel } = COMMAND_LIMITS[kind];
  const own = createBudget(submit);
  return { submit: own, cancel: submit.id === cancel.id ? own : createBudget(cancel) };
}

function createBudget(rule: LimitRule): Budget {
  return { rule, log: new WindowLog(rule.windowMs, true) };
}

/**
 * Holds commands back until the venue's rate limits allow them, in virtual time (DESIGN R14). A backtest thus waits as long as a live bot would.
 * Commands of one budget leave in the order in which they were given. A cancel never leaves before its order.
 */
export class CommandPacer {
  readonly #budgets = new Map<ProductKind, CommandBudgets>();
  /** The instrument of the last command, nearly always also of the next, and the budgets of its product. */
  #latestId: InstrumentId | undefined;
  #latest: CommandBudgets | undefined;
  /** Orders that had to wait, and when they leave. */
  readonly #delayed = new Map<ClientOrderId, EpochMs>();
  #lastDeparture: EpochMs = Number.NEGATIVE_INFINITY;
  /** Number of commands that had to wait. */
  delayed = 0;

  /** Whether no earlier command reduces the budget from `time` on. */
  isRested(time: EpochMs): boolean {
    return this.#lastDeparture + LONGEST_WINDOW_MS <= time;
  }

  /** When a command that is given at `time` leaves: at once, or when its budget has room. Times must not fall. */
  departure(command: VenueCommand, time: EpochMs): EpochMs {
    const isSubmit = command.kind === 'submit';
    const { clientOrderId, instrumentId } = isSubmit ? command.order : command;
    const budgets =
      this.#latest !== undefined && instrumentId === this.#latestId
        ? this.#latest
        : this.#budgetsOf(instrumentId);
    const { rule, log } = isSubmit ? budgets.submit : budgets.cancel;
    const own = log.reserve(time, rule.limit);
    const at = isSubmit || this.#delayed.size === 0 ? own : this.#notBefore(clientOrderId, own);
    this.#lastDeparture = Math.max(this.#lastDeparture, at);
    if (at > time) {
      this.delayed += 1;
      if (isSubmit) this.#delayed.set(clientOrderId, at);
    }
    return at;
  }

  /** A cancel waits for its order. */
  #notBefore(clientOrderId: ClientOrderId, own: EpochMs): EpochMs {
    const leaves = this.#delayed.get(clientOrderId);
    this.#delayed.delete(clientOrderId);
    return Math.max(own, leaves ?? own);
  }

  #budgetsOf(instrumentId: InstrumentId): CommandBudgets {
    const { kind } = splitInstrumentId(instrumentId);
    const budgets = this.#budgets.get(kind) ?? createBudgets(kind);
    this.#budgets.set(kind, budgets);
    this.#latestId = instrumentId;
    this.#latest = budgets;
    return budgets;
  }
}
