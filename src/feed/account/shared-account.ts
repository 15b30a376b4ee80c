import { InvariantError } from '../../domain/index.js';
import type { AccountSource, FuturesAccountSnapshot } from '../../venue/index.js';
import type { FeedTime } from '../feed-time.js';
import { AGAIN_MS, SharedReadings, type ReadOptions } from '../shared-readings.js';

/** The account of contracts of one key: one answer has the marks and positions of all its bots, so who asks at about the same time shares it. */
export class SharedAccount {
  readonly #readings: SharedReadings<'futures', FuturesAccountSnapshot>;

  constructor(source: Pick<AccountSource, 'account'>, time: FeedTime) {
    this.#readings = new SharedReadings(
      time,
      async (product, signal) => {
        const snapshot = await source.account(product, { signal, isAskedAgain: true });
        if (snapshot.kind === 'futures') return snapshot;
        throw new InvariantError('E_PRODUCT', `the account of ${product} came as ${snapshot.kind}`);
      },
      // Stops of contracts are sampled by it.
      { againAfterMs: AGAIN_MS },
    );
  }

  /** The account as it was at `since` or later. @throws errors of the source; the signal's reason. */
  read(options: ReadOptions): Promise<FuturesAccountSnapshot> {
    return this.#readings.read('futures', options);
  }
}
