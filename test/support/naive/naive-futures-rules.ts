import { Decimal } from '../../../src/domain/index.js';
import {
  accountOf,
  dec,
  exactWorth,
  gainsWithWorth,
  least,
  positionsOf,
  rounded,
  worth,
  ZERO,
  type NaiveContract,
  type NaiveHeld,
  type NaiveState,
} from './naive-futures-ledger.js';

export function valueOf({ contract, position }: NaiveHeld): Decimal {
  return worth(contract, position.quantity, contract.mark);
}

export function unrealizedOf(held: NaiveHeld): Decimal {
  const gain = valueOf(held).minus(held.position.cost);
  return gainsWithWorth(held.contract, held.position) ? gain : gain.neg();
}

function maintenanceOf(held: NaiveHeld): Decimal {
  const { tiers, maxFeeRate } = held.contract.terms;
  const value = valueOf(held);
  const tier =
    tiers.find(({ maxValue }) => maxValue === undefined || value.lte(dec(maxValue))) ??
    tiers.at(-1);
  return value.times(dec(tier?.keepRate ?? 0n).plus(dec(maxFeeRate)));
}

const total = (list: readonly NaiveHeld[], of: (held: NaiveHeld) => Decimal): Decimal =>
  list.reduce((sum, held) => sum.plus(of(held)), ZERO);
const isHeld = ({ position }: NaiveHeld): boolean => position.quantity.gt(0);
const isCross = ({ contract }: NaiveHeld): boolean => contract.mode === 'cross';
const purseOf = ({ position }: NaiveHeld): Decimal => position.margin.plus(position.kept);

/** Figures of the account of an asset. */
export function figuresOf(
  state: NaiveState,
  asset: string,
): Readonly<
  Record<
    'balance' | 'frozen' | 'available' | 'equity' | 'crossEquity' | 'isolatedEquity' | 'insurance',
    Decimal
  >
> {
  const { cash, frozen, insurance } = accountOf(state, asset);
  const all = positionsOf(state, asset).filter(isHeld);
  const cross = all.filter(isCross);
  const isolated = all.filter((held) => !isCross(held));
  const loss = least(ZERO, total(cross, unrealizedOf));
  const takenUp = total(cross, (held) => rounded(valueOf(held).div(held.contract.leverage)));
  return {
    balance: cash.plus(total(isolated, purseOf)),
    frozen,
    available: cash.minus(takenUp).minus(frozen).plus(loss),
    equity: cash.plus(total(isolated, purseOf)).plus(total(all, unrealizedOf)),
    crossEquity: cash.plus(total(cross, unrealizedOf)),
    isolatedEquity: total(isolated, purseOf).plus(total(isolated, unrealizedOf)),
    insurance,
  };
}

/** Whether the money behind a held position has fallen to its maintenance margin or below. */
export function isShort(state: NaiveState, held: NaiveHeld): boolean {
  if (!isHeld(held)) return false;
  if (!isCross(held)) return purseOf(held).plus(unrealizedOf(held)).lte(maintenanceOf(held));
  const asset = held.contract.terms.instrument.marginAsset;
  const cross = positionsOf(state, asset).filter((one) => isCross(one) && isHeld(one));
  return accountOf(state, asset)
    .cash.plus(total(cross, unrealizedOf))
    .lte(total(cross, maintenanceOf));
}

/** The next step of the ladder in words: kind, contract, direction, number of contracts. */
export function nextStepOf(state: NaiveState, asset: string): string | undefined {
  const held = positionsOf(state, asset).filter(isHeld);
  const isolated = held.filter((one) => !isCross(one));
  const due = isolated.find((one) => isShort(state, one) || one.position.isLocked);
  if (due !== undefined) return stepOf(due, isShort(state, due));
  const cross = held.filter(isCross);
  const locked = cross.find(({ position }) => position.isLocked);
  const [first] = cross;
  if (first === undefined) return undefined;
  if (!isShort(state, first)) return locked === undefined ? undefined : stepOf(locked, false);
  const losses = cross.map((one) => ({ one, profit: unrealizedOf(one) }));
  const largest = losses.reduce((worst, next) => (next.profit.lt(worst.profit) ? next : worst));
  return stepOf(largest.one, true);
}

function stepOf(held: NaiveHeld, isDue: boolean): string {
  const { contract, position } = held;
  const id = contract.terms.instrument.id;
  const place = `${id} ${position.direction}`;
  if (!isDue) return `release ${place}`;
  if (!position.isLocked) return `cancel-orders ${place}`;
  const both = least(contract.long.quantity, contract.short.quantity);
  if (both.gt(0)) return `net ${id} ${both.toFixed()}`;
  const lower = contract.terms.tiers
    .filter(({ maxValue }) => maxValue !== undefined && valueOf(held).gt(dec(maxValue)))
    .at(-1)?.maxValue;
  const keep = lower === undefined ? ZERO : wholeContractsWithin(contract, dec(lower));
  const word = keep.isZero() ? 'close' : 'reduce';
  return `${word} ${place} ${position.quantity.minus(keep).toFixed()}`;
}

/** The largest whole number of contracts whose value is at most `maximum`. It counts down from a guess. */
function wholeContractsWithin(contract: NaiveContract, maximum: Decimal): Decimal {
  let count = maximum.div(exactWorth(contract, new Decimal(1), contract.mark)).ceil();
  while (exactWorth(contract, count, contract.mark).gt(maximum)) count = count.minus(1);
  return count;
}
