import { INTERVALS, type Candle, type EpochMs } from '../../domain/index.js';
import { CandleRun } from '../candle-run.js';
import type { EngineOptions } from '../engine-options.js';
import {
  createEngineParts,
  routeOfCandle,
  takeCheckpoint,
  type EngineParts,
} from '../engine-parts.js';
import { EventStep } from '../event-step.js';
import type { Command } from '../events.js';
import { NO_JOURNAL, type JournalEntry } from '../journal.js';
import { SingleSlice } from '../market/candle-batch.js';
import type { StreamRoute } from '../market/candle-stream.js';
import type { EngineCheckpoint } from '../state/engine-checkpoint.js';
import { RecordedDecisions } from './recorded-decisions.js';

/** How the engine began whose journal entries are replayed. */
export interface RecordedBeginning {
  /** The engine's clock while the strategy was constructed. */
  readonly constructed: EpochMs;
  /** When the engine subscribed to the strategy. */
  readonly started: EpochMs;
  readonly checkpoint: EngineCheckpoint;
  /** Whether the replay starts within an epoch, when the strategy was already warm. @defaultValue it begins an epoch */
  readonly isWarm?: boolean | undefined;
}

/**
 * Rebuilds the state of an engine from its journal alone, for when the strategy, its parameters or the configuration have changed since.
 * Intents and commands are taken from the entries; nothing is decided again. The state of protections follows the limits of the given
 * configuration.
 */
export class Bookkeeper {
  readonly #parts: EngineParts;
  readonly #eventStep: EventStep;
  readonly #decisions = new RecordedDecisions();
  readonly #candleRun: CandleRun;
  #state: EngineCheckpoint['state'];
  /** Whether the account was opened, which happens once the strategy is warm. */
  #isOpened: boolean;

  /** @throws {DomainError} `E_CHECKPOINT` when the epoch's checkpoint does not fit the options. */
  constructor(
    options: EngineOptions,
    { constructed, started, checkpoint, isWarm = false }: RecordedBeginning,
  ) {
    this.#isOpened = isWarm;
    this.#parts = createEngineParts({
      ...options,
      // The epoch may have had other streams, so every interval is allowed.
      instruments: options.instruments.map(({ instrument }) => ({
        instrument,
        intervals: INTERVALS,
      })),
      startTime: constructed,
      checkpoint,
      journal: NO_JOURNAL,
      decisions: this.#decisions,
    });
    this.#eventStep = new EventStep(this.#parts);
    this.#candleRun = new CandleRun(this.#parts, this.#eventStep);
    this.#parts.clock.restart(started);
    this.#state = checkpoint.state;
  }

  /**
   * Takes the next entry of the epoch.
   *
   * @throws {InvariantError} `E_MISSING` for an entry about an instrument that is no longer configured.
   */
  take(entry: JournalEntry): void {
    const { event, intents = [] } = entry;
    const { run, clock, feedback, intents: queue } = this.#parts;
    this.#decisions.begin(entry);
    queue.reserve(new Set(intents.map(({ intentId }) => intentId)));
    // An intent from a timer of the strategy is judged at the timer's time.
    for (const { time } of intents) if (time < event.time) clock.timers.once(() => undefined, time);
    feedback.begin();
    run.event = event;
    // A strategy's intents are accepted and recorded only while it is warm.
    run.isWarm = this.#isOpened || intents.some(({ intent }) => intent !== undefined);
    try {
      if (event.kind === 'candles') this.#candleRun.run(new SingleSlice(event, this.#routeOf));
      else this.#eventStep.step(event);
      for (const command of this.#decisions.left) this.#force(command);
    } finally {
      run.event = undefined;
    }
    queue.reach(Math.max(0, ...intents.map(({ intentId }) => intentId)));
    this.#isOpened ||= event.kind === 'opening';
    if (entry.state !== undefined && this.#state !== undefined)
      this.#state = { ...this.#state, json: entry.state };
  }

  readonly #routeOf = (candle: Candle): StreamRoute => routeOfCandle(this.#parts, candle);

  /** Applies a recorded command that the replay did not produce by itself. */
  #force(command: Command): void {
    const { orderManager, feedback, clock, intents } = this.#parts;
    if (orderManager.venueStops?.book.force(command) === true) {
      if (command.kind === 'submit') intents.reach(command.order.intentId);
      return;
    }
    if (command.kind === 'submit') {
      const { order } = command;
      orderManager.ownOrders.followUnwanted(order);
      intents.reach(order.intentId);
      feedback.command(command);
      return;
    }
    const order = orderManager.ownOrders.working.find(command.clientOrderId);
    if (order !== undefined && order.status !== 'canceling') order.moveTo('canceling', clock.now);
  }

  checkpoint(): EngineCheckpoint {
    return takeCheckpoint(this.#parts, this.#state);
  }
}
