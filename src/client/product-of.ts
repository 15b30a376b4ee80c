import {
  DomainError,
  splitInstrumentId,
  type InstrumentId,
  type ProductKind,
} from '../domain/index.js';
import type { HostName } from './venue-client-options.js';

/**
 * Splits an instrument and checks that the call serves its product.
 *
 * @throws {DomainError} `E_INSTRUMENT` if it does not.
 */
export function productOf<Kind extends ProductKind>(
  instrumentId: InstrumentId,
  served: readonly Kind[],
): { readonly kind: Kind; readonly symbol: string } {
  const { kind, symbol } = splitInstrumentId(instrumentId);
  const product = served.find((candidate) => candidate === kind);
  if (product === undefined) {
    throw new DomainError(
      'E_INSTRUMENT',
      `expected an instrument of ${served.join(' or ')}, received ${instrumentId}`,
    );
  }
  return { kind: product, symbol };
}

/** Returns the host of a product. Margin is on the spot host. */
export function hostOf(product: ProductKind): HostName {
  return product === 'futures' ? 'futures' : 'spot';
}
