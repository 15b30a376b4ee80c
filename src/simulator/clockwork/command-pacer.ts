import {
  splitInstrumentId,
  type ClientOrderId,
  type EpochMs,
  type InstrumentId,
  type ProductKind,
} from '../../domain/index.js';
import {
  COMMAND_LIMITS,
  RateLimitPolicy,
  type LimitRule,
  type LimitedCall,
} from '../../venue/index.js';
import type { VenueCommand } from './venue-command.js';

const RULES: readonly LimitRule[] = Object.values(COMMAND_LIMITS).flatMap(({ submit, cancel }) =>
  submit.id === cancel.id ? [submit] : [submit, cancel],
);

const LONGEST_WINDOW_MS = Math.max(...RULES.map(({ windowMs }) => windowMs));

/** What the commands of one product ask of the budgets. */
interface CommandCalls {
  readonly entry: LimitedCall;
  readonly exit: LimitedCall;
  readonly cancel: LimitedCall;
}

const CALLS = {
  spot: createCalls('spot'),
  margin: createCalls('margin'),
  futures: createCalls('futures'),
} as const;

function createCalls(kind: ProductKind): CommandCalls {
  const { submit, cancel } = COMMAND_LIMITS[kind];
  const principal = 'bot';
  return {
    entry: { ruleId: submit.id, principal, priority: 'entry' },
    exit: { ruleId: submit.id, principal, priority: 'exit' },
    cancel: { ruleId: cancel.id, principal, priority: 'exit' },
  };
}

/**
 * Holds commands back until the venue's rate limits take them, in virtual time (DESIGN R14): what a live bot would have to wait for, a
 * backtest waits for. Commands of one budget leave in the order in which they were given; a cancel never before its order.
 */
export class CommandPacer {
  readonly #policy = new RateLimitPolicy({ rules: RULES });
  /** The instrument that was commanded last, nearly always the next, and its product's calls. */
  #latestId: InstrumentId | undefined;
  #latest: CommandCalls = CALLS.spot;
  /** Orders that had to wait, and when they leave. */
  readonly #delayed = new Map<ClientOrderId, EpochMs>();
  #lastDeparture: EpochMs = Number.NEGATIVE_INFINITY;
  /** Commands that had to wait. */
  delayed = 0;

  /** Whether no command that left by `time` takes from what may leave from then on. */
  isRested(time: EpochMs): boolean {
    return this.#lastDeparture + LONGEST_WINDOW_MS <= time;
  }

  /** When a command that is given at `time` leaves: at once, or when its budget has a share. Times must not fall. */
  departure(command: VenueCommand, time: EpochMs): EpochMs {
    const isSubmit = command.kind === 'submit';
    const { clientOrderId, instrumentId } = isSubmit ? command.order : command;
    const calls = this.#callsOf(instrumentId);
    const isOpening = isSubmit && command.order.action === 'open';
    const call = isOpening ? calls.entry : isSubmit ? calls.exit : calls.cancel;
    const own = this.#policy.reserve(time, call) ?? time;
    const at = isSubmit ? own : Math.max(own, this.#delayed.get(clientOrderId) ?? own);
    if (!isSubmit && this.#delayed.size > 0) this.#delayed.delete(clientOrderId);
    this.#lastDeparture = Math.max(this.#lastDeparture, at);
    if (at > time) {
      this.delayed += 1;
      if (isSubmit) this.#delayed.set(clientOrderId, at);
    }
    return at;
  }

  #callsOf(instrumentId: InstrumentId): CommandCalls {
    if (instrumentId !== this.#latestId) {
      this.#latestId = instrumentId;
      this.#latest = CALLS[splitInstrumentId(instrumentId).kind];
    }
    return this.#latest;
  }
}
