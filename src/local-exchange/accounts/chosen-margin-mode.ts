import type { InstrumentId, MarginMode } from '../../domain/index.js';
import type { FuturesLedger } from '../../simulator/index.js';
import type { VenueOrderRequest } from '../../venue/index.js';
import { refuse, type ExchangeRefusal } from '../refusal.js';

/** What decides whether the margin mode of a contract may change. */
export interface ContractUse {
  readonly ledger: FuturesLedger;
  /** Whether orders or triggers of the contract wait or work. */
  readonly isWorking: (instrumentId: InstrumentId) => boolean;
}

/**
 * The margin mode of a contract is that of its orders: the interface names it with each of them and has no call that sets it. It
 * changes with an order that opens while the contract is flat and nothing of it waits or works; until then others are refused.
 *
 * @returns The mode to set for the order, the one in force where it stays, or why the order is refused.
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
