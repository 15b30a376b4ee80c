import { formatFixed, type EpochMs, type InstrumentId } from '../domain/index.js';
import type { Engine } from '../engine/index.js';
import type { MarketTerms } from './market/load-terms.js';

interface ClosedRun {
  readonly engine: Pick<Engine, 'dust' | 'portfolio'>;
  readonly terms: Pick<MarketTerms, 'rules'>;
  readonly end: EpochMs;
}

/** Positions that `closeAtEnd` has not closed. Dust has a warning of its own. */
export function listLeftPositions({ engine, terms, end }: ClosedRun): readonly string[] {
  const { dust, portfolio } = engine;
  const tooSmall = new Set<InstrumentId>(dust.held.map(({ instrumentId }) => instrumentId));
  return [...portfolio.instruments()].flatMap(({ instrument: { id }, long, short }) => {
    if (tooSmall.has(id)) return [];
    const why =
      terms.rules.at(id, end)?.tradable === false
        ? 'the instrument is not tradable then'
        : 'its exit was refused';
    return [long, short]
      .filter(({ isExposed }) => isExposed)
      .map(
        ({ direction, holding: { quantity } }) =>
          `closeAtEnd: ${id}: ${direction} ${formatFixed(quantity)} is still held, because ${why}`,
      );
  });
}
