import {
  maxFixed,
  minFixed,
  type Asset,
  type Fixed,
  type ProductKind,
} from '../../domain/index.js';

/** Accounts whose cash may differ between branches that go on alike. What is borrowed depends on cash: margin is not among them. */
export const CASH_ACCOUNTS = ['spot', 'futures'] as const;
type CashAccount = (typeof CASH_ACCOUNTS)[number];

/** Amounts of the equity currency, by account. */
export type Cash = Readonly<Record<CashAccount, Fixed>>;

interface Span {
  readonly low: Fixed;
  readonly high: Fixed;
}

/** More money than there is. */
const ENDLESS: Fixed = 10n ** 60n;

/** Fees that are rounded part by part may ask a little more than was looked for. */
const CUSHION: Fixed = 10n ** 9n;

/** How much less and how much more cash each account could have had, and everything would have gone on in the same way. */
export class CashTolerance {
  readonly #spans: Readonly<Record<CashAccount, Span>>;

  private constructor(spans: Readonly<Record<CashAccount, Span>>) {
    this.#spans = spans;
  }

  // By `this`: the compiler puts a name of its own in the place of the class's, and sets it only after these.

  /** Any other amount would have done. */
  static readonly ANY = new this({
    spot: { low: -ENDLESS, high: ENDLESS },
    futures: { low: -ENDLESS, high: ENDLESS },
  });

  /** No other amount would have done. */
  static readonly NONE = new this({
    spot: { low: 0n, high: 0n },
    futures: { low: 0n, high: 0n },
  });

  /** As far as `available` goes on to cover `needed`, or not to. */
  static ofComparison(account: CashAccount, available: Fixed, needed: Fixed): CashTolerance {
    const spare = available - needed;
    const span =
      spare >= 0n
        ? { low: minFixed(0n, CUSHION - spare), high: ENDLESS }
        : { low: -ENDLESS, high: maxFixed(0n, -spare - CUSHION) };
    return new CashTolerance({ ...CashTolerance.ANY.#spans, [account]: span });
  }

  /** What both tolerate. */
  and(other: CashTolerance): CashTolerance {
    if (this === CashTolerance.ANY) return other;
    if (other === CashTolerance.ANY) return this;
    return this.#map((account, { low, high }) => {
      const their = other.#spans[account];
      return { low: maxFixed(low, their.low), high: minFixed(high, their.high) };
    });
  }

  /** The same seen from a branch that has so much more than the one it was found in. */
  from(offset: Cash): CashTolerance {
    return this.#map((account, { low, high }) => ({
      low: low - offset[account],
      high: high - offset[account],
    }));
  }

  allows(offset: Cash): boolean {
    return CASH_ACCOUNTS.every((account) => {
      const { low, high } = this.#spans[account];
      return low <= offset[account] && offset[account] <= high;
    });
  }

  #map(change: (account: CashAccount, span: Span) => Span): CashTolerance {
    const { spot, futures } = this.#spans;
    return new CashTolerance({ spot: change('spot', spot), futures: change('futures', futures) });
  }
}

/** What a comparison of one asset says, if it is the currency that may differ. */
export function toleranceOf(
  currency: Asset,
  compared: {
    readonly account: ProductKind;
    readonly asset: Asset;
    readonly available: Fixed;
    readonly needed: Fixed;
  },
): CashTolerance {
  const { account, asset, available, needed } = compared;
  // The cash of margin, and any other asset, is the same wherever branches are joined.
  if (asset !== currency || account === 'margin') return CashTolerance.ANY;
  return CashTolerance.ofComparison(account, available, needed);
}
