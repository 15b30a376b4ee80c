import { InvariantError } from '../../domain/index.js';
import type { AccountSource, CallPriority, FuturesAccountSnapshot } from '../../venue/index.js';
import type { FeedTime } from '../feed-time.js';
import { AGAIN_MS, SharedReadings, type ReadOptions } from '../shared-readings.js';

type Urgency = Extract<CallPriority, 'stops' | 'reconciliation'>;

/** The account of contracts of one key: one answer has the marks and positions of all its bots, so who asks at about the same time shares it. */
export class SharedAccount {
  /** By who goes first. */
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
      // Stops of contracts are sampled by it.
      { againAfterMs: AGAIN_MS },
    );
  }

  /** The account as it was at `since` or later, with other readings of one's own. @throws errors of the source; the signal's reason. */
  read(options: ReadOptions): Promise<FuturesAccountSnapshot> {
    const isSampled = this.#readings.has('stops', options.since);
    return this.#readings.read(isSampled ? 'stops' : 'reconciliation', options);
  }

  /** The same, for stops that are sampled by it: before others. */
  sample(options: ReadOptions): Promise<FuturesAccountSnapshot> {
    return this.#readings.read('stops', options);
  }
}
