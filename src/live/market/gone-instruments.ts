import type { InstrumentId, ProductKind } from '../../domain/index.js';
import {
  VenueRefusalError,
  type Listing,
  type Listings,
  type MarketDataSource,
} from '../../venue/index.js';

/** Instruments that are gone from the venue. They are not read and not entered. */
export class GoneInstruments {
  readonly #ids: Set<InstrumentId>;

  constructor(ids: Iterable<InstrumentId> = []) {
    this.#ids = new Set(ids);
  }

  readonly has = (instrumentId: InstrumentId): boolean => this.#ids.has(instrumentId);

  /** Returns whether this changes anything. */
  set(instrumentId: InstrumentId, isGone: boolean): boolean {
    if (this.#ids.has(instrumentId) === isGone) return false;
    if (isGone) this.#ids.add(instrumentId);
    else this.#ids.delete(instrumentId);
    return true;
  }
}

/** Identity of an instrument at the venue. */
export interface NamedInstrument {
  readonly id: InstrumentId;
  readonly kind: ProductKind;
  readonly symbol: string;
}

/** Listings of some instruments. Unlisted instruments are missing in the result. @throws errors of `read`. */
export async function readListings(
  instruments: readonly NamedInstrument[],
  read: (product: ProductKind) => Promise<Listings>,
): Promise<ReadonlyMap<InstrumentId, Listing>> {
  const listed = new Map<string, Listing>();
  for (const product of new Set(instruments.map(({ kind }) => kind)))
    for (const listing of (await read(product)).listings)
      listed.set(`${product} ${listing.symbol}`, listing);
  return new Map(
    instruments.flatMap(({ id, kind, symbol }) => {
      const listing = listed.get(`${kind} ${symbol}`);
      return listing === undefined ? [] : [[id, listing]];
    }),
  );
}

/**
 * Finds the gone instruments: the venue does not list them and refuses their ticker. The list alone is not enough: it may have been cut, or its
 * record may be unreadable.
 *
 * @throws errors of the source: a failed request proves nothing.
 */
export async function findGone(
  source: Pick<MarketDataSource, 'ticker'>,
  instruments: readonly NamedInstrument[],
  {
    listed,
    signal,
  }: { readonly listed: ReadonlyMap<InstrumentId, unknown>; readonly signal: AbortSignal },
): Promise<ReadonlySet<InstrumentId>> {
  const gone = new Set<InstrumentId>();
  for (const { id } of instruments)
    if (!listed.has(id) && (await isRefused(source, id, signal))) gone.add(id);
  return gone;
}

async function isRefused(
  source: Pick<MarketDataSource, 'ticker'>,
  instrumentId: InstrumentId,
  signal: AbortSignal,
): Promise<boolean> {
  try {
    await source.ticker(instrumentId, { signal });
    return false;
  } catch (error: unknown) {
    if (error instanceof VenueRefusalError && !error.retryable) return true;
    throw error;
  }
}
