import {
  maxFixed,
  minFixed,
  type Asset,
  type Fixed,
  type ProductKind,
} from '../../domain/index.js';

/** Accounts whose cash may differ between joined branches. Margin is not among them, because borrowing depends on cash. */
export const CASH_ACCOUNTS = ['spot', 'futures'] as const;
type CashAccount = (typeof CASH_ACCOUNTS)[number];

/** Amounts of the equity currency, by account. */
export type Cash = Readonly<Record<CashAccount, Fixed>>;

interface Span {
  readonly low: Fixed;
  readonly high: Fixed;
}

/** More money than any account can have. */
const ENDLESS: Fixed = 10n ** 60n;

/** Fees that are rounded part by part may need slightly more than was compared. */
const CUSHION: Fixed = 10n ** 9n;

/** How much less and how much more cash each account could have without any effect on the run. */
export class CashTolerance {
  readonly #spans: Readonly<Record<CashAccount, Span>>;

  private constructor(spans: Readonly<Record<CashAccount, Span>>) {
    this.#spans = spans;
  }

  // `this` instead of the class's name: the compiler replaces the name by one of its own, and sets that only after the static members.

  /** Any other amount has no effect. */
  static readonly ANY = new this({
    spot: { low: -ENDLESS, high: ENDLESS },
    futures: { low: -ENDLESS, high: ENDLESS },
  });

  /** Any other amount may have an effect. */
  static readonly NONE = new this({
    spot: { low: 0n, high: 0n },
    futures: { low: 0n, high: 0n },
  });

  /** The tolerance in which `available` still covers `needed`, or still does not cover it. */
  static ofComparison(account: CashAccount, available: Fixed, needed: Fixed): CashTolerance {
    const spare = available - needed;
    const span =
      spare >= 0n
        ? { low: minFixed(0n, CUSHION - spare), high: ENDLESS }
        : { low: -ENDLESS, high: maxFixed(0n, -spare - CUSHION) };
    return new CashTolerance({ ...CashTolerance.ANY.#spans, [account]: span });
  }

  /** The tolerance that both share. */
  and(other: CashTolerance): CashTolerance {
    if (this === CashTolerance.ANY) return other;
    if (other === CashTolerance.ANY) return this;
    return this.#map((account, { low, high }) => {
      const their = other.#spans[account];
      return { low: maxFixed(low, their.low), high: minFixed(high, their.high) };
    });
  }

  /** The same tolerance for a branch that has `offset` more cash. */
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

/** The tolerance of a comparison of one asset. Only the given currency may differ. */
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
  // Joined branches have the same margin cash and the same amounts of all other assets.
  if (asset !== currency || account === 'margin') return CashTolerance.ANY;
  return CashTolerance.ofComparison(account, available, needed);
}
