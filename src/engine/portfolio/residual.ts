import { absFixed, type AccountBalances, type Fixed } from '../../domain/index.js';
import type { CashBook } from './cash-book.js';
import type { InstrumentAccount } from './instrument-account.js';
import { expectedFlows } from './pair-book.js';
import { realizedProfit } from './realized.js';
import type { SideLedger } from './side-ledger.js';

/**
 * Sum of all differences between what balances hold and what the flows of every position say they should, and between positions and
 * theirs: 0 unless there is a bug (DESIGN R15). `venue` adds the venue's own accounts to the comparison, those it gives.
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

/** What the trades of an instrument have brought of an asset. */
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

/** Contracts are neither paid as fees nor charged as interest: what was there or opened, and not closed, is held. */
function quantityResidual({ initial, holding, opened, closed }: SideLedger): Fixed {
  return holding.quantity - (initial.quantity + opened.quantity - closed.quantity);
}
