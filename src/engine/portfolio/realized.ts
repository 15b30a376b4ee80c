import { contractProfit, type Fixed, type Instrument } from '../../domain/index.js';
import type { SideLedger } from './side-ledger.js';

/** Realized profit of a side without costs: in quote, for inverse contracts in base. */
export function realizedProfit(instrument: Instrument, ledger: SideLedger): Fixed {
  const exitValue = ledger.closed.value + ledger.feeValue;
  const values = { entryValue: ledger.released, exitValue };
  if (instrument.kind === 'futures') return contractProfit(instrument, ledger.direction, values);
  const gain = values.exitValue - values.entryValue;
  return ledger.direction === 'long' ? gain : -gain;
}
