import type { EpochMs } from '../domain/index.js';
import type { DueInterest, Engine, EngineEvent } from '../engine/index.js';
import type { NotedFill } from './forced-trades.js';

export interface InterestWatchOptions {
  readonly engine: Pick<Engine, 'portfolio' | 'workingOrders'>;
  readonly now: () => EpochMs;
  /** Appends an event that is dropped when it is no longer wanted once its turn has come. */
  readonly events: { pushIf(isWanted: () => boolean, make: (time: EpochMs) => EngineEvent): void };
}

/** How many charges of before are told before a fill: a loan, and an hour of two assets. More are told after it. */
const BEFORE_FILL = 3;

/**
 * Tells the engine of the interest that its own books say is due, because the venue of a margin account shows none (DESIGN R13): one charge after the
 * other, each once the books have the one before. It is told when a backtest would learn of it: with the next poll, and where a poll has found the fill as
 * well, before that. What was due while the bot was away is told when it is back.
 */
export class InterestWatch {
  readonly #options: InterestWatchOptions;
  #isWaiting = false;

  constructor(options: InterestWatchOptions) {
    this.#options = options;
  }

  /** A poll is over: all is told that is due by now. */
  tick(): void {
    if (this.#isWaiting) return;
    this.#isWaiting = true;
    const { engine, now } = this.#options;
    this.#push(() => {
      this.#isWaiting = false;
      return engine.portfolio.debts.due(now());
    });
  }

  /** The engine has taken an event. */
  processed(event: EngineEvent): void {
    if (event.kind === 'venue' && event.update.kind === 'interest') this.tick();
  }

  /** A fill is about to be told that a poll has found: what was due before it is told, and what it will owe. For one that was forced nothing is borrowed. */
  beforeFill({ kind, fill }: NotedFill): void {
    const { engine } = this.#options;
    const { portfolio } = engine;
    const { instrument } = portfolio.instrument(fill.instrumentId);
    if (instrument.kind !== 'margin') return;
    for (let count = 0; count < BEFORE_FILL; count += 1)
      this.#push(() => portfolio.debts.due(fill.eventTime));
    if (kind === 'forced-fill') return;
    for (const asset of new Set([instrument.base, instrument.quote, fill.feeAsset]))
      this.#push(() => {
        const { reserved = 0n } =
          engine.workingOrders.find(
            ({ request }) => request.clientOrderId === fill.clientOrderId,
          ) ?? {};
        return portfolio.debts.dueWith(instrument, fill, { asset, reserved });
      });
  }

  /** What is due is known when its turn has come: fills that were told before have been booked by then. */
  #push(find: () => DueInterest | undefined): void {
    let due: DueInterest | undefined;
    this.#options.events.pushIf(
      () => {
        due = find();
        return due !== undefined;
      },
      (time) => ({ kind: 'venue', time, update: due as DueInterest }),
    );
  }
}
