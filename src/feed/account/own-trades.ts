import { compareIds, type InstrumentId } from '../../domain/index.js';
import type { AccountSource, VenueTrade } from '../../venue/index.js';

const PAGE_SIZE = 100;

/**
 * Reads own executions of one instrument page by page, from the last known one: each once, in rising order of ids. A trade between two own orders is an
 * execution of each.
 *
 * If no execution is known yet, reads everything that the venue keeps.
 */
export class OwnTrades {
  readonly #source: Pick<AccountSource, 'trades'>;
  readonly #instrumentId: InstrumentId;
  #last: string | undefined;

  /** `last`: id of the newest known trade. */
  constructor(source: Pick<AccountSource, 'trades'>, instrumentId: InstrumentId, last?: string) {
    this.#source = source;
    this.#instrumentId = instrumentId;
    this.#last = last;
  }

  get last(): string | undefined {
    return this.#last;
  }

  /** Reads new executions. If a call fails, the next one reads the same executions again. */
  async read(signal: AbortSignal): Promise<readonly VenueTrade[]> {
    const last = this.#last;
    const found = new Map<string, VenueTrade>();
    const options = { signal, pageSize: PAGE_SIZE, ...(last !== undefined && { fromId: last }) };
    for await (const trade of this.#source.trades(this.#instrumentId, options)) {
      const isNew = last === undefined || compareIds(trade.venueTradeId, last) > 0;
      if (isNew) found.set(`${trade.venueTradeId} ${trade.venueOrderId}`, trade);
    }
    const trades = [...found.values()].sort((a, b) => compareIds(a.venueTradeId, b.venueTradeId));
    const newest = trades.at(-1)?.venueTradeId;
    // Another reading may have begun later and ended earlier.
    if (newest !== undefined && (this.#last === undefined || compareIds(newest, this.#last) > 0))
      this.#last = newest;
    return trades;
  }
}
