import { absFixed, type AccountBalances, type Fixed } from '../../domain/index.js';
import type { CashBook } from './cash-book.js';
import type { InstrumentAccount } from './instrument-account.js';
import { expectedFlows } from './pair-book.js';
import { realizedProfit } from './realized.js';
import type { SideLedger } from './side-ledger.js';

/**
 * Sum of all absolute differences between balances and the flows of all positions, and between positions and their own flows: 0 unless
 * there is a bug (DESIGN R15). With `venue`, balances are also compared with those accounts of the venue that it contains.
 */
export function computeResidual(
  cash: CashBook,
  accounts: readonly InstrumentAccount[],
  venue: AccountBalances = {},
): Fixed {
  let residual = 0n;
  for (const account of cash.list) {
    const { kind, asset, initial, fees, funding, interest, insurance, total } = account;
    let expected = initial - fees - funding - interest + insurance;
    for (const traded of accounts)
      if (traded.instrument.kind === kind) expected += tradingFlow(traded, asset);
    residual += absFixed(total - expected);
    const atVenue = venue[kind];
    if (atVenue !== undefined) residual += absFixed(total - (atVenue.get(asset) ?? 0n));
  }
  for (const { instrument, long, short } of accounts) {
    for (const ledger of [long, short]) {
      residual += absFixed(ledger.entryResidual());
      if (instrument.kind === 'futures') residual += absFixed(quantityResidual(ledger));
    }
  }
  return residual;
}

/** Net change of an asset by the trades of an instrument. */
function tradingFlow({ instrument, long, short }: InstrumentAccount, asset: string): Fixed {
  let flow = 0n;
  for (const ledger of [long, short]) {
    if (instrument.kind === 'futures') {
      if (instrument.marginAsset === asset) flow += realizedProfit(instrument, ledger);
    } else {
      const { base, quote } = expectedFlows(ledger);
      if (instrument.base === asset) flow += base;
      if (instrument.quote === asset) flow += quote;
    }
  }
  return flow;
}

/** Fees and interest are never paid in contracts, so the holding must equal initial + opened − closed. */
function quantityResidual({ initial, holding, opened, closed }: SideLedger): Fixed {
  return holding.quantity - (initial.quantity + opened.quantity - closed.quantity);
}
