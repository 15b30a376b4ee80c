import {
  keepsAsset,
  PRODUCT_KINDS,
  UnvaluedAssetError,
  type AccountBalances,
  type Asset,
  type ProductKind,
} from '../../domain/index.js';
import type { CashAccount, CashBook } from './cash-book.js';
import type { InstrumentAccount } from './instrument-account.js';

interface Opening {
  /** The account of the first instrument. */
  readonly home: ProductKind;
  readonly equityCurrency: Asset;
  readonly balances: AccountBalances;
}

/**
 * Opens an account for each asset that has an initial balance or may come in by trading. An initial balance is a long position in the
 * instrument with that asset as base and the equity currency as quote. Its entry value is set later.
 *
 * @throws {UnvaluedAssetError} `E_EQUITY_CURRENCY` when an asset cannot be valued in the equity currency by any instrument.
 */
export function openCash(
  cash: CashBook,
  accounts: readonly InstrumentAccount[],
  { home, equityCurrency, balances }: Opening,
): void {
  const open = (kind: ProductKind, asset: Asset): void => {
    const initial = balances[kind]?.get(asset) ?? 0n;
    const valuation = asset === equityCurrency ? undefined : valuationOf(asset);
    cash.open(kind, asset, { initial, valuation });
  };
  const valuationOf = (asset: Asset): InstrumentAccount => {
    const valuation = accounts.find(
      ({ instrument: { base, quote } }) => base === asset && quote === equityCurrency,
    );
    if (valuation !== undefined) return valuation;
    const known = accounts.map(({ instrument }) => instrument.id);
    throw new UnvaluedAssetError(asset, equityCurrency, known);
  };
  open(home, equityCurrency);
  for (const kind of PRODUCT_KINDS)
    for (const asset of balances[kind]?.keys() ?? []) open(kind, asset);
  for (const { instrument } of accounts) {
    const { kind } = instrument;
    if (kind === 'futures') open(kind, instrument.marginAsset);
    else for (const asset of [instrument.base, instrument.quote]) open(kind, asset);
  }
  for (const account of cash.list) holdInitial(account, accounts, equityCurrency);
}

function holdInitial(
  { kind, asset, initial }: CashAccount,
  accounts: readonly InstrumentAccount[],
  equityCurrency: Asset,
): void {
  const account = accounts.find(({ instrument }) =>
    keepsAsset(instrument, { account: kind, asset, equityCurrency }),
  );
  if (account === undefined) return;
  account.long.holding = { quantity: initial, entryValue: 0n };
  account.long.isUnopened = true;
}

/** The instruments that value what the accounts own or owe, or get by trading another instrument, such as the base of LTCBTC by LTCUSDT. */
export function valuingOf(
  cash: CashBook,
  accounts: readonly InstrumentAccount[],
): ReadonlySet<InstrumentAccount> {
  const isTradedBeside = ({ kind, asset, valuation }: CashAccount): boolean =>
    accounts.some(
      ({ instrument: { id, kind: traded, base, quote } }) =>
        id !== valuation?.instrument.id && traded === kind && (base === asset || quote === asset),
    );
  return new Set(
    cash.list
      .filter((money) => money.total !== 0n || isTradedBeside(money))
      .flatMap(({ valuation }) => valuation ?? []),
  );
}
