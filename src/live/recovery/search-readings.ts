import type { EpochMs, InstrumentId, VenueOrderId } from '../../domain/index.js';
import type { AccountSource, VenueOrder } from '../../venue/index.js';
import {
  externalOrdersIn,
  readVenueView,
  type ExternalOrders,
  type ReadingRequest,
  type VenueView,
} from './read-external-orders.js';

/** One who waits for a reading. */
interface Waiting {
  readonly request: ReadingRequest;
  readonly sentAt: EpochMs;
  readonly take: (view: VenueView) => void;
  readonly fail: (error: unknown) => void;
}

/** Readings of one instrument. */
interface Line {
  waiting: Waiting[];
  isReading: boolean;
  /** Orders that a search has taken for its own. */
  readonly claimed: Map<VenueOrderId, object>;
}

/**
 * Readings that searches for lost orders share: one at a time for each instrument, and all who wait when it begins have the same. So twelve
 * orders are proved absent together, with the calls that one takes.
 */
export class SearchReadings {
  readonly #source: AccountSource;
  readonly #signal: AbortSignal;
  readonly #gather: () => Promise<void>;
  readonly #lines = new Map<InstrumentId, Line>();

  /** `gather` waits for others that are about to ask. */
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
   * What is to be said of a reading that begins after this call, for a search. Those who wait judge it in the order in which their orders were
   * sent, each knowing what the one before has claimed: of two orders that are alike the first has what the venue shows.
   *
   * @throws whatever the source throws.
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
      const take = (view: VenueView): void => {
        resolve(judge(externalOrdersIn(view, { ...request, isKnown })));
      };
      line.waiting.push({ request, sentAt, take, fail });
      if (line.isReading) return;
      line.isReading = true;
      void this.#readAll(request.instrumentId, line);
    });
  }

  /** An order of the venue is what a search has looked for: it is nobody else's. */
  claim({ instrumentId, venueOrderId }: VenueOrder, search: object): void {
    this.#lineOf(instrumentId).claimed.set(venueOrderId, search);
  }

  async #readAll(instrumentId: InstrumentId, line: Line): Promise<void> {
    while (line.waiting.length > 0) {
      await this.#gather();
      const served = line.waiting.toSorted((a, b) => a.sentAt - b.sentAt);
      line.waiting = [];
      try {
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
