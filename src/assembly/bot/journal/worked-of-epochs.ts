import type { RunRecord } from '../../../report/index.js';

type Worked = NonNullable<RunRecord['worked']>[number];

/**
 * Worked intents of a bot's epochs. An intent that is still worked at the end of an epoch continues in the next one, which counts it from its
 * beginning: the later record takes the place of the earlier.
 */
export class WorkedOfEpochs {
  readonly #records = new Map<string, Worked>();

  /** Takes the worked intents that an epoch lists. Call it epoch by epoch. */
  take(worked: Iterable<Worked>): void {
    for (const record of worked) {
      const { intentId, instrumentId, side } = record;
      this.#records.set(`${String(intentId)} ${instrumentId} ${side}`, record);
    }
  }

  get all(): readonly Worked[] {
    return [...this.#records.values()];
  }
}
