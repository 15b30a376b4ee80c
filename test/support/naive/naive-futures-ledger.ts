import { Decimal as Decimal40, formatFixed, type Fixed } from '../../../src/domain/index.js';
import type { FuturesContract } from '../../../src/simulator/futures/contract-book.js';

/** Enough digits for every product here to be exact, and every quotient to be rounded to 18 decimals as if it were. */
const Decimal = Decimal40.clone({ precision: 90 });
type Decimal = Decimal40;
type Direction = 'long' | 'short';

export const dec = (value: Fixed): Decimal => new Decimal(formatFixed(value));
export const rounded = (value: Decimal): Decimal =>
  value.toDecimalPlaces(18, Decimal.ROUND_HALF_EVEN);
export const least = (a: Decimal, b: Decimal): Decimal => Decimal.min(a, b);
export const ZERO = new Decimal(0);

/** All events of a futures account, in order. */
export type NaiveEvent =
  | { readonly kind: 'mark'; readonly id: string; readonly mark: Fixed }
  | { readonly kind: 'leverage'; readonly id: string; readonly leverage: Fixed }
  | { readonly kind: 'mode'; readonly id: string; readonly mode: 'cross' | 'isolated' }
  | {
      readonly kind: 'open' | 'close' | 'forced';
      readonly id: string;
      readonly direction: Direction;
      readonly contracts: Fixed;
      readonly price: Fixed;
      readonly feeRate: Fixed;
    }
  | { readonly kind: 'net'; readonly id: string; readonly contracts: Fixed }
  | {
      readonly kind: 'funding';
      readonly id: string;
      readonly rate: Fixed;
      readonly mark: Fixed;
    }
  | { readonly kind: 'freeze'; readonly asset: string; readonly amount: Fixed }
  | {
      readonly kind: 'freezeLock';
      readonly id: string;
      readonly direction: Direction;
      readonly on: boolean;
    };

/** A position with its full money. An isolated position has its own purse, `margin` and `kept`, which is not part of the account's cash. */
export interface NaivePosition {
  readonly direction: Direction;
  quantity: Decimal;
  cost: Decimal;
  margin: Decimal;
  kept: Decimal;
  profit: Decimal;
  fees: Decimal;
  funding: Decimal;
  /** Results of closes less their fees, and funding. */
  realized: Decimal;
  isLocked: boolean;
}

export interface NaiveContract {
  readonly terms: FuturesContract;
  leverage: Decimal;
  mode: 'cross' | 'isolated';
  mark: Decimal;
  readonly long: NaivePosition;
  readonly short: NaivePosition;
}

interface NaiveAccount {
  cash: Decimal;
  frozen: Decimal;
  insurance: Decimal;
}

/** The state after all events. */
export interface NaiveState {
  readonly contracts: ReadonlyMap<string, NaiveContract>;
  readonly accounts: ReadonlyMap<string, NaiveAccount>;
}

/**
 * A second implementation of the rules of a futures account, slow and obvious. It keeps only the list of events, and answers every question by
 * going through all of them again in plain decimal.js.
 */
export class NaiveFuturesLedger {
  readonly events: NaiveEvent[] = [];
  readonly #contracts: readonly FuturesContract[];
  readonly #start: ReadonlyMap<string, Fixed>;
  #told: { readonly events: number; readonly state: NaiveState } | undefined;

  constructor(contracts: readonly FuturesContract[], start: ReadonlyMap<string, Fixed>) {
    this.#contracts = contracts;
    this.#start = start;
  }

  /** Computed again after each new event. */
  state(): NaiveState {
    if (this.#told?.events === this.events.length) return this.#told.state;
    const accounts = new Map(
      [...this.#start].map(([asset, cash]) => [
        asset,
        { cash: dec(cash), frozen: ZERO, insurance: ZERO },
      ]),
    );
    const contracts = new Map(
      this.#contracts.map((terms) => [String(terms.instrument.id), freshContract(terms)]),
    );
    const state = { accounts, contracts };
    for (const event of this.events) tell(state, event);
    this.#told = { events: this.events.length, state };
    return state;
  }
}

function freshContract(terms: FuturesContract): NaiveContract {
  const { leverage, marginMode } = terms.instrument;
  return {
    terms,
    leverage: dec(leverage),
    mode: marginMode,
    mark: ZERO,
    long: freshPosition('long'),
    short: freshPosition('short'),
  };
}

function freshPosition(direction: Direction): NaivePosition {
  return {
    direction,
    quantity: ZERO,
    cost: ZERO,
    margin: ZERO,
    kept: ZERO,
    profit: ZERO,
    fees: ZERO,
    funding: ZERO,
    realized: ZERO,
    isLocked: false,
  };
}

function tell(state: NaiveState, event: NaiveEvent): void {
  if (event.kind === 'freeze') {
    const account = accountOf(state, event.asset);
    account.frozen = account.frozen.plus(dec(event.amount));
    return;
  }
  const contract = contractOf(state, event.id);
  switch (event.kind) {
    case 'mark':
      contract.mark = dec(event.mark);
      return;
    case 'leverage':
      contract.leverage = dec(event.leverage);
      return;
    case 'mode':
      contract.mode = event.mode;
      return;
    case 'freezeLock':
      contract[event.direction].isLocked = event.on;
      return;
    case 'open':
      tellOpen(state, contract, event);
      return;
    case 'close':
      tellClose(state, contract, trade(contract, event));
      return;
    case 'forced':
      tellForced(state, contract, [trade(contract, event)]);
      return;
    case 'net':
      tellForced(
        state,
        contract,
        (['long', 'short'] as const).map((direction) => ({
          position: contract[direction],
          contracts: dec(event.contracts),
          worth: worth(contract, dec(event.contracts), contract.mark),
          fee: ZERO,
        })),
      );
      return;
    case 'funding':
      for (const position of [contract.long, contract.short]) {
        const sent = rounded(
          exactWorth(contract, position.quantity, dec(event.mark)).times(dec(event.rate)),
        );
        const got = position.direction === 'long' ? sent.neg() : sent;
        position.funding = position.funding.plus(got);
        position.realized = position.realized.plus(got);
        if (contract.mode === 'isolated') position.kept = position.kept.plus(got);
        else earn(state, contract, got);
      }
  }
}

interface NaiveTrade {
  readonly position: NaivePosition;
  readonly contracts: Decimal;
  readonly worth: Decimal;
  readonly fee: Decimal;
}

function trade(
  contract: NaiveContract,
  event: Extract<NaiveEvent, { readonly kind: 'open' | 'close' | 'forced' }>,
): NaiveTrade {
  const [contracts, price] = [dec(event.contracts), dec(event.price)];
  return {
    position: contract[event.direction],
    contracts,
    worth: worth(contract, contracts, price),
    fee: rounded(exactWorth(contract, contracts, price).times(dec(event.feeRate))),
  };
}

function tellOpen(
  state: NaiveState,
  contract: NaiveContract,
  event: Extract<NaiveEvent, { readonly kind: 'open' | 'close' | 'forced' }>,
): void {
  const { position, contracts, worth: value, fee } = trade(contract, event);
  position.quantity = position.quantity.plus(contracts);
  position.cost = position.cost.plus(value);
  position.fees = position.fees.minus(fee);
  earn(state, contract, fee.neg());
  if (contract.mode === 'cross') return;
  const margin = rounded(value.div(contract.leverage));
  position.margin = position.margin.plus(margin);
  earn(state, contract, margin.neg());
}

/** Closes contracts. Returns the shortfall (≤ 0) of an isolated purse that was closed to the end with `forgives`; the account's cash does not pay it. */
function tellClose(
  state: NaiveState,
  contract: NaiveContract,
  { position, contracts, worth: value, fee }: NaiveTrade,
  forgives = false,
): Decimal {
  const isLast = contracts.eq(position.quantity);
  const shareOf = (amount: Decimal): Decimal =>
    isLast ? amount : rounded(amount.times(contracts).div(position.quantity));
  const cost = shareOf(position.cost);
  const result = gainsWithWorth(contract, position) ? value.minus(cost) : cost.minus(value);
  const net = result.minus(fee);
  const margin = shareOf(position.margin);
  position.quantity = position.quantity.minus(contracts);
  position.cost = position.cost.minus(cost);
  position.profit = position.profit.plus(result);
  position.fees = position.fees.minus(fee);
  position.margin = position.margin.minus(margin);
  position.realized = position.realized.plus(net);
  let shortfall = ZERO;
  if (contract.mode === 'cross') earn(state, contract, net);
  else if (isLast) {
    const purse = margin.plus(position.kept).plus(net);
    shortfall = forgives ? least(purse, ZERO) : ZERO;
    earn(state, contract, purse.minus(shortfall));
  } else if (net.isNegative()) {
    const paid = least(margin, net.neg());
    position.kept = position.kept.plus(net).plus(paid);
    earn(state, contract, margin.minus(paid));
  } else {
    position.kept = position.kept.plus(net);
    earn(state, contract, margin);
  }
  if (isLast) Object.assign(position, freshPosition(position.direction));
  return shortfall;
}

function tellForced(
  state: NaiveState,
  contract: NaiveContract,
  trades: readonly NaiveTrade[],
): void {
  const asset = contract.terms.instrument.marginAsset;
  const account = accountOf(state, asset);
  for (const one of trades)
    account.insurance = account.insurance.minus(tellClose(state, contract, one, true));
  const hasFlat = trades.some(({ position }) => position.quantity.isZero());
  const stands = positionsOf(state, asset).some(
    (held) => held.contract.mode === 'cross' && !held.position.quantity.isZero(),
  );
  if (contract.mode !== 'cross' || !hasFlat || stands || !account.cash.isNegative()) return;
  account.insurance = account.insurance.minus(account.cash);
  account.cash = ZERO;
}

function earn(state: NaiveState, { terms }: NaiveContract, amount: Decimal): void {
  const account = accountOf(state, terms.instrument.marginAsset);
  account.cash = account.cash.plus(amount);
}

export function exactWorth({ terms }: NaiveContract, contracts: Decimal, price: Decimal): Decimal {
  const size = contracts.times(dec(terms.instrument.multiplier));
  return terms.instrument.contract === 'linear' ? size.times(price) : size.div(price);
}

export function worth(contract: NaiveContract, contracts: Decimal, price: Decimal): Decimal {
  return rounded(exactWorth(contract, contracts, price));
}

/** Whether a profit comes from a rising value. The value of an inverse contract in coins falls as the price rises. */
export function gainsWithWorth({ terms }: NaiveContract, { direction }: NaivePosition): boolean {
  return terms.instrument.contract === 'linear' ? direction === 'long' : direction === 'short';
}

export interface NaiveHeld {
  readonly contract: NaiveContract;
  readonly position: NaivePosition;
}

/** Positions of an asset, held or not, in the order of the contracts, long before short. */
export function positionsOf(state: NaiveState, asset: string): readonly NaiveHeld[] {
  return [...state.contracts.values()]
    .filter(({ terms }) => terms.instrument.marginAsset === asset)
    .flatMap((contract) => [
      { contract, position: contract.long },
      { contract, position: contract.short },
    ]);
}

function contractOf(state: NaiveState, id: string): NaiveContract {
  const contract = state.contracts.get(id);
  if (contract === undefined) throw new Error(`no contract ${id}`);
  return contract;
}

export function accountOf(state: NaiveState, asset: string): NaiveAccount {
  const account = state.accounts.get(asset);
  if (account === undefined) throw new Error(`no account of ${asset}`);
  return account;
}
