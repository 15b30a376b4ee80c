import {
  formatFixed,
  type Asset,
  type EpochMs,
  type Fixed,
  type MarginInstrument,
} from '../domain/index.js';
import type { Portfolio } from '../engine/index.js';
import type { MarketTerms } from './market/load-terms.js';

interface EndedAccount {
  readonly portfolio: Pick<Portfolio, 'balances' | 'instruments'>;
  readonly terms: Pick<MarketTerms, 'rules'>;
  readonly end: EpochMs;
}

/**
 * Base that a margin account owns beyond its positions, at least a step of it. If fees are paid in base, a short is bought back with the dearer fee on
 * top, because the order may pay either. What that brings beyond the debt belongs to no position, so no exit sells it.
 */
export function listSurplus({ portfolio, terms, end }: EndedAccount): readonly string[] {
  const owned = portfolio.balances().margin ?? new Map<Asset, Fixed>();
  const pairs = [...portfolio.instruments()].filter(
    ({ instrument: { kind } }) => kind === 'margin',
  );
  const quotes = new Set(pairs.map(({ instrument: { quote } }) => quote));
  const held = new Map<Asset, { quantity: Fixed; step: Fixed }>();
  for (const { instrument, long, short } of pairs) {
    const { base, id } = instrument as MarginInstrument;
    const step = terms.rules.at(id, end)?.step;
    if (step === undefined) continue;
    const before = held.get(base) ?? { quantity: 0n, step };
    const quantity = before.quantity + long.holding.quantity - short.holding.quantity;
    held.set(base, { quantity, step: before.step < step ? before.step : step });
  }
  return [...held].flatMap(([base, { quantity, step }]) => {
    const surplus = (owned.get(base) ?? 0n) - quantity;
    // What a pair pays with its quote is not told apart from what another pair holds of it.
    return quotes.has(base) || surplus < step
      ? []
      : [
          `margin: ${formatFixed(surplus)} ${base} is owned beyond all positions, because buy-backs of shorts brought more than their debt; no exit sells it`,
        ];
  });
}
