import type { EpochMs } from '../../domain/index.js';
import type { DueInterest, Engine, EngineEvent } from '../../engine/index.js';
import type { NotedFill } from '../margin/forced-trades.js';

export interface InterestWatchOptions {
  readonly engine: Pick<Engine, 'portfolio' | 'workingOrders'>;
  readonly now: () => EpochMs;
  /** Appends an event. It is dropped if `isWanted` returns false when its turn comes. */
  readonly events: { pushIf(isWanted: () => boolean, make: (time: EpochMs) => EngineEvent): void };
}

/** Number of earlier charges that are reported before a fill: a loan, and one hour of two assets. Further ones are reported after the fill. */
const BEFORE_FILL = 3;

/**
 * Reports interest to the engine when its own books say it is due, because a margin account shows none (DESIGN R13). Charges go one by one, each
 * after the books have taken the previous one. A charge is reported when a backtest would learn of it: with the next poll, and before a fill that
 * this poll has found. Interest from the time without a bot is reported at its return.
 */
export class InterestWatch {
  readonly #options: InterestWatchOptions;
  #isWaiting = false;

  constructor(options: InterestWatchOptions) {
    this.#options = options;
  }

  /** To be called after a poll. Reports all interest that is due. */
  tick(): void {
    if (this.#isWaiting) return;
    this.#isWaiting = true;
    const { engine, now } = this.#options;
    this.#push(() => {
      this.#isWaiting = false;
      return engine.portfolio.debts.due(now());
    });
  }

  /** To be called after the engine has taken an event. */
  processed(event: EngineEvent): void {
    if (event.kind === 'venue' && event.update.kind === 'interest') this.tick();
  }

  /**
   * To be called before a fill that a poll has found is reported. Reports interest due before the fill, and interest of the loan that the fill
   * causes. A forced fill borrows nothing.
   */
  beforeFill({ kind, fill }: NotedFill): void {
    const { engine } = this.#options;
    const { portfolio } = engine;
    const { instrument } = portfolio.instrument(fill.instrumentId);
    if (instrument.kind !== 'margin') return;
    for (let count = 0; count < BEFORE_FILL; count += 1)
      this.#push(() => portfolio.debts.due(fill.eventTime, fill));
    if (kind === 'forced-fill') return;
    for (const asset of new Set([instrument.base, instrument.quote, fill.feeAsset]))
      this.#push(() => {
        const order = engine.workingOrders.find(
          ({ request }) => request.clientOrderId === fill.clientOrderId,
        );
        return portfolio.debts.dueWith(instrument, fill, asset, order?.createdTime);
      });
  }

  /** Pushes interest that is found only when the event has its turn: earlier fills have been booked by then. */
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
