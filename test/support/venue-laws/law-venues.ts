import fc from 'fast-check';

import {
  parseFixed,
  type FeeRates,
  type FillRecord,
  type Fixed,
  type Instrument,
  type OrderRequest,
  type PositionMode,
} from '../../../src/domain/index.js';
import {
  createFixedSlippage,
  createSquareRootSlippage,
  type ExtremeOrder,
  type SimulatedVenue,
} from '../../../src/simulator/index.js';
import type { AccountUpdate, VenueUpdate } from '../../../src/venue/index.js';
import { scriptOn, type VenueRequest } from '../arbitraries/venue-requests.js';
import { aContract, aFuturesVenue, aTier } from '../futures-venue.js';
import { aMarginPair, aMarginVenue } from '../margin-venue.js';
import {
  aVenue,
  BTC_USDT,
  feesOf,
  play,
  START,
  type ScriptStep,
  type VenueCandle,
  type VenueSetup,
} from '../spot-venue.js';

/** Products on which each law is tried. */
export const LAW_PRODUCTS = ['spot', 'margin', 'linear', 'inverse'] as const;
export type LawProduct = (typeof LAW_PRODUCTS)[number];

/** Terms of a venue and of an account on it. */
export interface LawTerms {
  readonly fees: FeeRates;
  readonly halfSpread: string;
  readonly slippage: VenueSetup['slippage'];
  readonly participation: string | undefined;
  readonly fillOnTouch: boolean;
  readonly order: VenueSetup['order'];
  /** Leverage of contracts and loans. */
  readonly leverage: string;
  readonly isCross: boolean;
  readonly positionMode: PositionMode;
  /** Distance of a contract's mark from last, in ticks; undefined: last is the mark. */
  readonly markShift: number | undefined;
  /** In quote, and for inverse contracts in coins. */
  readonly money: string;
}

const account = {
  leverage: fc.constantFrom('1', '3', '10', '100', '500'),
  isCross: fc.boolean(),
  positionMode: fc.constantFrom<PositionMode>('hedge', 'hedge', 'oneWay'),
  money: fc.constantFrom('20', '100', '1000', '10000'),
};

/** With spread, slippage and fees of every kind. */
export const anyTerms: fc.Arbitrary<LawTerms> = fc.record({
  ...account,
  fees: fc.constantFrom(
    feesOf('0', '0', 'quote'),
    feesOf('0.001', '0.002', 'received'),
    feesOf('0.003', '0.000777777777777777', 'quote'),
  ),
  halfSpread: fc.constantFrom('0', '0.0003'),
  slippage: fc.constantFrom(
    createFixedSlippage(0n),
    createFixedSlippage(parseFixed('0.001')),
    createSquareRootSlippage(parseFixed('0.05')),
  ),
  participation: fc.constantFrom(undefined, '0.1', '0.333333'),
  fillOnTouch: fc.boolean(),
  markShift: fc.constantFrom(undefined, -12, 3, 12),
  order: fc.constantFrom<ExtremeOrder | undefined>(undefined, 'high-first', 'low-first'),
});

/** Terms without costs, so that every trade is at the price of the path. */
export const freeTerms: fc.Arbitrary<LawTerms> = fc.record({
  ...account,
  fees: fc.constant(feesOf('0', '0', 'quote')),
  halfSpread: fc.constant('0'),
  slippage: fc.constant(createFixedSlippage(0n)),
  participation: fc.constant('0.333333'),
  fillOnTouch: fc.constant(false),
  markShift: fc.constant(undefined),
  order: fc.constant(undefined),
});

/** A venue after a script was played on it. */
export interface Played {
  readonly instrument: Instrument;
  readonly venue: SimulatedVenue;
  readonly candles: readonly VenueCandle[];
  readonly script: readonly ScriptStep[];
  readonly updates: readonly VenueUpdate[];
  /** Fills of our orders. */
  readonly fills: readonly FillRecord[];
  /** Forced fills by the venue. */
  readonly forced: readonly Extract<AccountUpdate, { kind: 'forced-fill' }>[];
}

/** Plays requests on a venue for one product until `until` ms after the first minute; `watch` is called after each instant. */
export function playOn(
  product: LawProduct,
  terms: LawTerms,
  given: {
    readonly candles: readonly VenueCandle[];
    readonly intents: readonly VenueRequest[];
    readonly until: number;
    /** Sent after the other commands of its instant. */
    readonly cancel?: { readonly at: number; readonly cancel: string };
    readonly watch?: (venue: SimulatedVenue) => void;
  },
): Played {
  const { intents, until, cancel, watch } = given;
  const isContract = product === 'linear' || product === 'inverse';
  const candles = isContract ? inContracts(given.candles) : given.candles;
  const { instrument, venue, updates } = createVenue(product, terms, candles);
  const steps = scriptOn(instrument, intents);
  const script = cancel === undefined ? steps : [...steps, cancel].sort((a, b) => a.at - b.at);
  play({ venue }, script, until, () => watch?.(venue));
  const fills = updates.flatMap((update) => (update.kind === 'fill' ? [update.fill] : []));
  const forced = updates.filter((update) => update.kind === 'forced-fill');
  return { instrument, venue, candles, script, updates, fills, forced };
}

function createVenue(
  product: LawProduct,
  { participation, order, slippage, ...terms }: LawTerms,
  candles: readonly VenueCandle[],
): Pick<Played, 'instrument' | 'venue' | 'updates'> {
  const { leverage, money, isCross, positionMode, markShift, ...rest } = terms;
  const setup = {
    ...rest,
    ...(participation !== undefined && { participation }),
    ...(order !== undefined && { order }),
    ...(slippage !== undefined && { slippage }),
  };
  if (product === 'spot') {
    const balances = { USDT: money, BTC: String(Number(money) / 100) };
    return { instrument: BTC_USDT, ...aVenue({ ...setup, candles, balances }) };
  }
  if (product === 'margin')
    return {
      instrument: aMarginPair(leverage),
      ...aMarginVenue({
        ...setup,
        candles,
        leverage,
        balances: { USDT: money },
        hourlyRate: '0.0001',
      }),
    };
  const instrument = aContract(product, {
    multiplier: product === 'inverse' ? '100' : '0.01',
    leverage,
    marginMode: isCross ? 'cross' : 'isolated',
  });
  const tiers = [aTier('0.0004', '1000', '40'), aTier('0.005', '150', '150'), aTier('0.02', '35')];
  const mark = markShift === undefined ? {} : { mark: { candles: shifted(candles, markShift) } };
  const contracts = [{ instrument, candles, tiers, ...mark }];
  const balances = { [instrument.marginAsset]: money };
  return {
    instrument,
    ...aFuturesVenue({ ...setup, contracts, positionMode, balances, maxFeeRate: '0.003' }),
  };
}

/** Candles with volumes in contracts of 0.01 base, so that their pools hold whole contracts as often as they hold steps of a pair. */
function inContracts(candles: readonly VenueCandle[]): readonly VenueCandle[] {
  return candles.map(({ volume = 1_000, ...rest }) => ({ ...rest, volume: volume * 100 }));
}

function shifted(candles: readonly VenueCandle[], ticks: number): readonly VenueCandle[] {
  return candles.map(({ path: [open, high, low, close], ...rest }) => {
    const by = (price: number): number => Math.round(price * 100 + ticks) / 100;
    return { ...rest, path: [by(open), by(high), by(low), by(close)] };
  });
}

/** When a candle opens, in ms after the first minute. */
export const openMs = ({ minute = 0 }: VenueCandle): number => minute * 60_000;

/** Candles whose path includes an instant. It may be the end of one candle and the open of the next. */
export function candlesAt({ candles }: Played, time: number): readonly VenueCandle[] {
  const ms = time - START;
  return candles.filter((candle) => openMs(candle) <= ms && ms <= openMs(candle) + 60_000);
}

/** The request with an id, sent directly or by a trigger, and the arrival time of its command. */
export function sentAs(
  { script }: Played,
  id: string,
): { readonly request: OrderRequest; readonly at: number; readonly trigger: Fixed | undefined } {
  for (const step of script) {
    if ('submit' in step && step.submit.clientOrderId === id)
      return { request: step.submit, at: step.at, trigger: undefined };
    if ('condition' in step && step.condition.order.clientOrderId === id)
      return {
        request: step.condition.order,
        at: step.at,
        trigger: step.condition.triggerPrice,
      };
  }
  throw new Error(`expected ${id} in the script`);
}
