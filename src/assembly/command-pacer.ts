import {
  splitInstrumentId,
  type ClientOrderId,
  type EpochMs,
  type InstrumentId,
} from '../domain/index.js';
import type { Command } from '../runtime/index.js';
import { COMMAND_LIMITS, RateLimitPolicy } from '../venue/index.js';

const RULES = Object.values(COMMAND_LIMITS).flatMap(({ submit, cancel }) =>
  submit.id === cancel.id ? [submit] : [submit, cancel],
);

type CommandLimits = (typeof COMMAND_LIMITS)[keyof typeof COMMAND_LIMITS];

/**
 * Holds commands back until the venue's rate limits take them, in virtual time (DESIGN R14): what a live bot would have to wait for, a
 * backtest waits for. Commands of one budget leave in the order in which they were given; a cancel never before its order.
 */
export class CommandPacer {
  readonly #policy = new RateLimitPolicy({ rules: RULES });
  readonly #limits = new Map<InstrumentId, CommandLimits>();
  /** Orders that had to wait, and when they leave. */
  readonly #delayed = new Map<ClientOrderId, EpochMs>();
  /** Commands that had to wait. */
  delayed = 0;

  /** When a command that is given at `time` leaves: at once, or when its budget has a share. Times must not fall. */
  departure(command: Command, time: EpochMs): EpochMs {
    const isSubmit = command.kind === 'submit';
    const { clientOrderId, instrumentId } = isSubmit ? command.order : command;
    const { id } = this.#limitsOf(instrumentId)[command.kind];
    const isExit = !isSubmit || command.order.action === 'close';
    const ticket = this.#policy.reserve(time, {
      ruleId: id,
      principal: 'bot',
      priority: isExit ? 'exit' : 'entry',
    });
    const own = ticket?.at ?? time;
    const at = isSubmit ? own : Math.max(own, this.#delayed.get(clientOrderId) ?? own);
    if (!isSubmit) this.#delayed.delete(clientOrderId);
    if (at > time) {
      this.delayed += 1;
      if (isSubmit) this.#delayed.set(clientOrderId, at);
    }
    return at;
  }

  #limitsOf(instrumentId: InstrumentId): CommandLimits {
    let limits = this.#limits.get(instrumentId);
    if (limits === undefined) {
      limits = COMMAND_LIMITS[splitInstrumentId(instrumentId).kind];
      this.#limits.set(instrumentId, limits);
    }
    return limits;
  }
}
