import type { EpochMs, InstrumentId, VenueOrderId } from '../../domain/index.js';
import type { AccountSource, VenueOrder } from '../../venue/index.js';
import {
  externalOrdersIn,
  readVenueView,
  type ExternalOrders,
  type ReadingRequest,
  type InstrumentReading,
} from './read-external-orders.js';

/** A search that waits for a reading. */
interface Waiting {
  readonly request: ReadingRequest;
  readonly sentAt: EpochMs;
  readonly take: (view: InstrumentReading) => void;
  readonly fail: (error: unknown) => void;
}

/** State of the readings of one instrument. */
interface Line {
  waiting: Waiting[];
  isReading: boolean;
  /** Orders that a search has claimed, with the search. */
  readonly claimed: Map<VenueOrderId, object>;
}

/**
 * Readings that searches for lost orders share: one at a time for each instrument, for all searches that wait when it begins. So twelve orders are
 * proved absent with the calls that one needs.
 */
export class SearchReadings {
  readonly #source: AccountSource;
  readonly #signal: AbortSignal;
  readonly #gather: () => Promise<void>;
  readonly #lines = new Map<InstrumentId, Line>();

  /** `gather` waits for other searches that are about to ask. */
  constructor(
    source: AccountSource,
    signal: AbortSignal,
    gather: () => Promise<void> = () => Promise.resolve(),
  ) {
    this.#source = source;
    this.#signal = signal;
    this.#gather = gather;
  }

  /**
   * Judges a reading that begins after this call, for one search. Waiting searches judge in the order in which their orders were sent, and each knows
   * what the earlier ones have claimed. So of two equal orders, the first gets the order that the venue shows.
   *
   * @throws errors of the source and of `gather`.
   */
  read<T>(
    request: ReadingRequest,
    { sentAt, search }: { readonly sentAt: EpochMs; readonly search: object },
    judge: (found: ExternalOrders) => T,
  ): Promise<T> {
    const line = this.#lineOf(request.instrumentId);
    const isKnown = (id: VenueOrderId): boolean =>
      (line.claimed.get(id) ?? search) !== search || request.isKnown(id);
    return new Promise((resolve, fail) => {
      const take = (view: InstrumentReading): void => {
        resolve(judge(externalOrdersIn(view, { ...request, isKnown })));
      };
      line.waiting.push({ request, sentAt, take, fail });
      if (line.isReading) return;
      line.isReading = true;
      void this.#readAll(request.instrumentId, line);
    });
  }

  /** Claims an order of the venue for a search: no other search may take it. */
  claim({ instrumentId, venueOrderId }: VenueOrder, search: object): void {
    this.#lineOf(instrumentId).claimed.set(venueOrderId, search);
  }

  async #readAll(instrumentId: InstrumentId, line: Line): Promise<void> {
    while (line.waiting.length > 0) {
      const served = line.waiting;
      try {
        await this.#gather().finally(() => {
          line.waiting = [];
        });
        served.sort((a, b) => a.sentAt - b.sentAt);
        const lookers = served.map(({ request }) => request);
        const signal = this.#signal;
        const view = await readVenueView(this.#source, instrumentId, { lookers, signal });
        for (const { take } of served) take(view);
      } catch (error: unknown) {
        for (const { fail } of served) fail(error);
      }
    }
    line.isReading = false;
  }

  #lineOf(instrumentId: InstrumentId): Line {
    const known = this.#lines.get(instrumentId);
    if (known !== undefined) return known;
    const line: Line = { waiting: [], isReading: false, claimed: new Map() };
    this.#lines.set(instrumentId, line);
    return line;
  }
}
