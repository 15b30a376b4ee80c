import {
  CandleRows,
  createInstrumentId,
  formatFixed,
  HOUR_MS,
  MINUTE_MS,
  parseFixed,
  RuleBook,
  TierBook,
  type Asset,
  type ClientOrderId,
  type FeeRates,
  type FuturesInstrument,
  type InstrumentRules,
  type Interval,
  type LeverageTier,
  type LimitOrderRequest,
  type MarginMode,
  type MarketOrderRequest,
  type PositionAction,
  type PositionMode,
  type Side,
  type TimeInForce,
} from '../../src/domain/index.js';
import {
  SimulatedVenue,
  type ExtremeOrder,
  type ContractFunding,
  type SimulatedVenueOptions,
} from '../../src/simulator/index.js';
import { isOrderUpdate, type VenueUpdate } from '../../src/venue/index.js';
import {
  describeUpdate,
  play,
  START,
  termsOf,
  venueColumns,
  type ScriptStep,
  type VenueCandle,
} from './spot-venue.js';

/** Contracts of 0.01 BTC for USDT. */
export const BTC_PERPETUAL: FuturesInstrument = aContract('linear', { multiplier: '0.01' });
/** Contracts of 10 USD for BTC. */
export const BTC_INVERSE: FuturesInstrument = aContract('inverse', { multiplier: '10' });

export function aContract(
  contract: 'linear' | 'inverse',
  terms: {
    readonly multiplier: string;
    readonly base?: Asset;
    readonly leverage?: string;
    readonly marginMode?: MarginMode;
  },
): FuturesInstrument {
  const { multiplier, base = 'BTC', leverage = '10', marginMode = 'isolated' } = terms;
  const quote = contract === 'linear' ? 'USDT' : 'USD';
  const symbol = `E-${base}-${quote}`;
  return {
    kind: 'futures',
    id: createInstrumentId('futures', symbol),
    symbol,
    base,
    quote,
    contract,
    multiplier: parseFixed(multiplier),
    marginAsset: contract === 'linear' ? quote : base,
    leverage: parseFixed(leverage),
    marginMode,
  };
}

/** A tier from decimal texts. */
export function aTier(keepRate: string, maxLeverage: string, maxValue?: string): LeverageTier {
  return {
    keepRate: parseFixed(keepRate),
    maxLeverage: parseFixed(maxLeverage),
    maxValue: maxValue === undefined ? undefined : parseFixed(maxValue),
  };
}

/** One contract with its candles. */
export interface ContractSetup {
  readonly instrument: FuturesInstrument;
  readonly candles: readonly VenueCandle[];
  readonly mark?: { readonly candles: readonly VenueCandle[]; readonly interval?: Interval };
  readonly funding?: ContractFunding;
  readonly tiers?: readonly LeverageTier[];
}

/** Settings of a test venue. Everything else is free of costs and limits. */
export interface FuturesSetup {
  /** @defaultValue the perpetual of 0.01 BTC, at 100 for ever, 10x isolated */
  readonly contracts?: readonly ContractSetup[];
  /** @defaultValue 1,000 USDT and 10 BTC */
  readonly balances?: Readonly<Record<Asset, string>>;
  readonly rules?: Partial<InstrumentRules>;
  readonly fees?: FeeRates;
  /** @defaultValue 0 */
  readonly maxFeeRate?: string;
  readonly positionMode?: PositionMode;
  readonly halfSpread?: string;
  readonly slippage?: SimulatedVenueOptions['slippage'];
  readonly participation?: string;
  readonly fillOnTouch?: boolean;
  readonly order?: ExtremeOrder | SimulatedVenueOptions['chooseOrder'];
}

export interface ObservedFutures {
  readonly venue: SimulatedVenue;
  readonly updates: VenueUpdate[];
}

export function aFuturesVenue(setup: FuturesSetup = {}): ObservedFutures {
  const updates: VenueUpdate[] = [];
  const rules = new RuleBook();
  const tiers = new TierBook();
  const record = { tradable: true, pricePrecision: 2, quantityPrecision: 0, ...setup.rules };
  const contracts = setup.contracts ?? [
    { instrument: BTC_PERPETUAL, candles: [{ path: [100, 100, 100, 100] }] },
  ];
  for (const contract of contracts) {
    rules.set(contract.instrument.id, [{ from: 0, rules: record }]);
    if (contract.tiers !== undefined)
      tiers.set(contract.instrument.id, [{ from: 0, tiers: contract.tiers }]);
  }
  const venue = new SimulatedVenue({
    markets: contracts.map(({ instrument, candles, mark, funding }: ContractSetup) => ({
      instrument,
      interval: '1min',
      rows: CandleRows.of(venueColumns(candles)),
      volumeUnit: 'contracts',
      pricePrecision: record.pricePrecision,
      mark: mark && {
        interval: mark.interval ?? '1min',
        rows: CandleRows.of(venueColumns(mark.candles)),
      },
      funding,
    })),
    rules,
    balances: {
      futures: new Map(
        Object.entries(setup.balances ?? { USDT: '1000', BTC: '10' }).map(([asset, amount]) => [
          asset,
          parseFixed(amount),
        ]),
      ),
    },
    futures: {
      tiers,
      maxFeeRate: parseFixed(setup.maxFeeRate ?? '0'),
      positionMode: setup.positionMode ?? 'hedge',
    },
    ...termsOf(setup),
    onUpdate: (update) => updates.push(update),
  });
  return { venue, updates };
}

/** Funding at a constant rate every so many hours. */
export function fundedAt(rate: string, hours = 8): ContractFunding {
  return { constant: { rate: parseFixed(rate), intervalMs: hours * HOUR_MS } };
}

/** An update in one line, including updates of the account. */
export function describeAny(update: VenueUpdate): string {
  if (isOrderUpdate(update)) {
    const line = describeUpdate(update);
    return update.kind === 'fill' ? `${line} [${update.fill.action}]` : line;
  }
  const head = `+${String(update.eventTime - START)} ${update.kind}`;
  switch (update.kind) {
    case 'forced-fill': {
      const { side, price, quantity, fee } = update.fill;
      const insured = update.insurance === 0n ? '' : ` insured ${formatFixed(update.insurance)}`;
      return `${head} ${update.cause} ${side} ${formatFixed(quantity)} @ ${formatFixed(price)} fee ${formatFixed(fee)}${insured}`;
    }
    case 'funding':
      return `${head} ${update.direction} ${formatFixed(update.amount)} ${update.asset} at ${formatFixed(update.markPrice)}`;
    case 'interest':
      return `${head} ${formatFixed(update.amount)} ${update.asset}`;
    case 'margin-warning':
      return `${head} ${formatFixed(update.level)}`;
  }
}

/** Plays a script and returns the reported updates of the venue. */
export function reportFutures(
  setup: FuturesSetup,
  script: readonly ScriptStep[],
  until = 10 * MINUTE_MS,
): readonly string[] {
  const observed = aFuturesVenue(setup);
  play(observed, script, until);
  return observed.updates.map(describeAny);
}

interface RequestOverrides {
  readonly id?: string;
  readonly instrument?: FuturesInstrument;
  readonly side?: Side;
  readonly action?: PositionAction;
  /** In contracts; in quote for a MARKET order that opens. */
  readonly quantity?: string;
}

function common({
  id = 'order-1',
  instrument = BTC_PERPETUAL,
  side = 'buy',
  action = 'open',
  quantity = '10',
}: RequestOverrides): Pick<
  LimitOrderRequest,
  'clientOrderId' | 'intentId' | 'instrumentId' | 'side' | 'action' | 'quantity'
> {
  return {
    clientOrderId: id as ClientOrderId,
    intentId: 1,
    instrumentId: instrument.id,
    side,
    action,
    quantity: parseFixed(quantity),
  };
}

/** A LIMIT order for 10 contracts at 100 that opens a long. `overrides` replaces fields. */
export function aContractLimit(
  overrides: RequestOverrides & {
    readonly limitPrice?: string;
    readonly timeInForce?: TimeInForce;
  } = {},
): LimitOrderRequest {
  return {
    type: 'limit',
    ...common(overrides),
    unit: 'contracts',
    limitPrice: parseFixed(overrides.limitPrice ?? '100'),
    timeInForce: overrides.timeInForce ?? 'GTC',
  };
}

/** A MARKET order that opens a long for 10 quote. `overrides` replaces fields. An order that closes is counted in contracts. */
export function aContractMarket(overrides: RequestOverrides = {}): MarketOrderRequest {
  return {
    type: 'market',
    ...common(overrides),
    unit: overrides.action === 'close' ? 'contracts' : 'quote',
  };
}
