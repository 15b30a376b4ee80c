import { InvariantError } from '../../domain/index.js';
import type { AccountSource, CallPriority, FuturesAccountSnapshot } from '../../venue/index.js';
import type { FeedTime } from '../feed-time.js';
import { AGAIN_MS, SharedReadings, type ReadOptions } from '../shared-readings.js';

type Urgency = Extract<CallPriority, 'stops' | 'reconciliation'>;

/** The futures account of one key. One reading has the marks and positions of all its bots, so readers at about the same time share it. */
export class SharedAccount {
  /** Readings by priority. */
  readonly #readings: SharedReadings<Urgency, FuturesAccountSnapshot>;

  constructor(source: Pick<AccountSource, 'account'>, time: FeedTime) {
    this.#readings = new SharedReadings(
      time,
      async (priority, signal, onTurn) => {
        const options = { signal, priority, isAskedAgain: true, onTurn };
        const snapshot = await source.account('futures', options);
        if (snapshot.kind === 'futures') return snapshot;
        throw new InvariantError('E_PRODUCT', `the account of futures came as ${snapshot.kind}`);
      },
      // These readings sample the stops of contracts.
      { againAfterMs: AGAIN_MS },
    );
  }

  /** Reads the account as it was at `since` or later; shared with other readers. @throws errors of the source; the signal's reason. */
  read(options: ReadOptions): Promise<FuturesAccountSnapshot> {
    const isSampled = this.#readings.has('stops', options.since);
    return this.#readings.read(isSampled ? 'stops' : 'reconciliation', options);
  }

  /** Reads the same for sampling stops, with a higher priority. */
  sample(options: ReadOptions): Promise<FuturesAccountSnapshot> {
    return this.#readings.read('stops', options);
  }
}
