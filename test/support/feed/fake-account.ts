import { compareIds, type InstrumentId } from '../../../src/domain/index.js';
import { TransportError, type EpochMs } from '../../../src/domain/index.js';
import {
  INTERFACE_CAPABILITIES,
  type AccountSnapshot,
  type AccountSource,
  type PageOptions,
  type VenueOrder,
  type VenueTrade,
} from '../../../src/venue/index.js';
import type { VirtualTime } from '../virtual-time.js';

/** An account whose trades a test adds to. */
export class FakeAccount implements AccountSource {
  readonly capabilities = INTERFACE_CAPABILITIES.account;
  readonly calls: { readonly at: EpochMs; readonly what: string }[] = [];
  executions: readonly VenueTrade[] = [];
  /** Rows after which reading trades fails. */
  failsAfter = Number.POSITIVE_INFINITY;
  readonly #time: VirtualTime;

  constructor(time: VirtualTime) {
    this.#time = time;
  }

  account(product: 'spot' | 'futures'): Promise<AccountSnapshot> {
    this.#note(`account ${product}`);
    return Promise.resolve({ kind: 'spot', balances: [] });
  }

  order(): Promise<VenueOrder | undefined> {
    return Promise.resolve(undefined);
  }

  openOrders(instrumentId: InstrumentId): Promise<readonly VenueOrder[]> {
    this.#note(`orders ${instrumentId}`);
    return Promise.resolve([]);
  }

  async *trades(instrumentId: InstrumentId, { fromId }: PageOptions): AsyncGenerator<VenueTrade> {
    this.#note(`trades ${instrumentId} from ${fromId ?? 'the oldest'}`);
    let rows = 0;
    for (const trade of this.executions) {
      if (trade.instrumentId !== instrumentId) continue;
      if (fromId !== undefined && compareIds(trade.venueTradeId, fromId) < 0) continue;
      if (rows >= this.failsAfter) throw new TransportError('E_TIMEOUT', 'expected a page');
      rows += 1;
      yield trade;
    }
  }

  async *orderHistory(): AsyncGenerator<VenueOrder> {
    // This account has no order history.
  }

  async *profits(): AsyncGenerator<never> {
    // This account has no profits.
  }

  #note(what: string): void {
    this.calls.push({ at: this.#time.now(), what });
  }
}
