import { formatFixed, type EpochMs } from '../domain/index.js';
import { heldPositions, type Engine } from '../engine/index.js';
import type { MarketTerms } from './market/load-terms.js';

interface ClosedRun {
  readonly engine: Pick<Engine, 'dust' | 'portfolio'>;
  readonly terms: Pick<MarketTerms, 'rules'>;
  readonly end: EpochMs;
}

/** Positions that `closeAtEnd` has not closed. Dust has a warning of its own. */
export function listLeftPositions({ engine, terms, end }: ClosedRun): readonly string[] {
  return heldPositions(engine).map(({ instrumentId: id, direction, quantity }) => {
    const why =
      terms.rules.at(id, end)?.tradable === false
        ? 'the instrument is not tradable then'
        : 'its exit was refused';
    return `closeAtEnd: ${id}: ${direction} ${formatFixed(quantity)} is still held, because ${why}`;
  });
}
