import type { InstrumentId, MarginMode } from '../../domain/index.js';
import type { FuturesLedger } from '../../simulator/index.js';
import type { VenueOrderRequest } from '../../venue/index.js';
import { refuse, type ExchangeRefusal } from '../refusal.js';

/** The facts that decide whether the margin mode of a contract may change. */
interface ContractUse {
  readonly ledger: FuturesLedger;
  /** Whether orders or triggers of the contract wait or work. */
  readonly isWorking: (instrumentId: InstrumentId) => boolean;
}

/**
 * Chooses the margin mode of a contract by its orders: the interface sends the mode with each order and has no call to set it. The mode changes with
 * an order that opens, while the contract is flat and none of its orders or triggers waits or works. Until then, orders with another mode are
 * refused.
 *
 * @returns The mode for the order: the new one, or the current one if it stays. Or the refusal of the order.
 */
export function chooseMarginMode(
  { instrumentId, marginMode, action }: VenueOrderRequest,
  { ledger, isWorking }: ContractUse,
): MarginMode | ExchangeRefusal {
  const current = ledger.marginMode(instrumentId);
  if (marginMode === undefined || marginMode === current) return current;
  if (action === 'open' && !ledger.isHeld(instrumentId) && !isWorking(instrumentId)) {
    return marginMode;
  }
  return refuse(
    '-1165',
    `expected the margin mode ${current}, which positions and orders of the contract have, received ${marginMode}`,
  );
}
