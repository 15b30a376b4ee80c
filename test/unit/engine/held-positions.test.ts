import { describe, expect, it } from 'vitest';

import { heldPositions } from '../../../src/engine/index.js';
import { parseFixed, type Direction } from '../../../src/domain/index.js';
import { SideLedger } from '../../../src/engine/portfolio/side-ledger.js';
import { aContract } from '../../support/futures-contracts.js';

function aSide(direction: Direction, quantity: string): SideLedger {
  const side = new SideLedger(direction);
  side.holding = { ...side.holding, quantity: parseFixed(quantity) };
  side.isExposed = quantity !== '0';
  return side;
}

describe('heldPositions', () => {
  const { instrument } = aContract();
  const account = { instrument, long: aSide('long', '0.1'), short: aSide('short', '3') };
  const portfolio = { instruments: () => [account] };
  const tiny = { instrumentId: instrument.id, direction: 'long' as const, quantity: 1n };

  it('names a position beside one of the other side that is too small to be sold', () => {
    expect(heldPositions({ portfolio, dust: { held: [tiny] } })).toEqual([
      { instrumentId: instrument.id, direction: 'short', quantity: parseFixed('3') },
    ]);
  });

  it('names both sides, and none that is empty', () => {
    const flat = { instrument, long: aSide('long', '0'), short: account.short };

    expect(heldPositions({ portfolio, dust: { held: [] } })).toHaveLength(2);
    expect(
      heldPositions({ portfolio: { instruments: () => [flat] }, dust: { held: [] } }),
    ).toMatchObject([{ direction: 'short' }]);
  });
});
