import { nominalIntervalMs, type Fixed } from '../domain/index.js';
import type { Portfolio } from '../runtime/index.js';
import type { SeriesCursor } from './series-cursor.js';

/** Counts the holes in the candles that drive the venue, and what was held across them (DESIGN R14). */
export class GapRecorder {
  readonly #portfolio: Portfolio;
  readonly #driving: ReadonlySet<SeriesCursor>;
  count = 0;
  missing = 0;
  moneyHeld: Fixed = 0n;

  /** `driving` are the finest series of each instrument; a gap in a coarser one says nothing new. */
  constructor(portfolio: Portfolio, driving: ReadonlySet<SeriesCursor>) {
    this.#portfolio = portfolio;
    this.#driving = driving;
  }

  /** Notes the gap before the cursor's next candle. Called before that candle is known, so last prices are those of the gap's start. */
  note(cursor: SeriesCursor): void {
    if (!this.#driving.has(cursor)) return;
    const from = cursor.closeTimeAt(cursor.row - 1);
    const to = cursor.nextOpenTime();
    this.count += 1;
    this.missing += Math.max(1, Math.round((to - from) / nominalIntervalMs(cursor.interval)));
    this.moneyHeld += this.#portfolio.heldValue(cursor.instrumentId);
  }
}
