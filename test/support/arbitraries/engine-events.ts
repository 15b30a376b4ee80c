import fc from 'fast-check';

import {
  closeTimeOf,
  createInstrumentId,
  floorToInterval,
  HALT_ACTIONS,
  INTERVALS,
  type Candle,
  type ClientOrderId,
  type EpochMs,
  type FillRecord,
  type Fixed,
  type InstrumentId,
  type MarginReading,
  type MarketReading,
  type OrderReason,
  type OrderRequest,
} from '../../../src/domain/index.js';
import type { Command, EngineEvent, JournalEntry } from '../../../src/engine/index.js';
import type { AccountUpdate, OrderUpdate, VenueUpdate } from '../../../src/venue/index.js';
import { venueOrderIds } from './venue.js';

const INSTRUMENTS = [
  createInstrumentId('spot', 'BTCUSDT'),
  createInstrumentId('margin', 'ETHBTC'),
  createInstrumentId('futures', 'E-BTC-USDT'),
];

const times = (): fc.Arbitrary<EpochMs> => fc.integer({ min: 0, max: 4_102_444_800_000 });
const ids = (): fc.Arbitrary<InstrumentId> => fc.constantFrom(...INSTRUMENTS);
const assets = (): fc.Arbitrary<string> => fc.constantFrom('BTC', 'USDT', 'ETH');
/** Any exact amount, also far beyond the range that a float64 holds exactly. */
const amounts = (): fc.Arbitrary<Fixed> => fc.bigInt({ min: -(10n ** 40n), max: 10n ** 40n });
const clientIds = (): fc.Arbitrary<ClientOrderId> =>
  fc.stringMatching(/^[a-z0-9-]{1,31}$/) as fc.Arbitrary<ClientOrderId>;
const reasons = (): fc.Arbitrary<OrderReason> =>
  fc.record({ code: fc.string(), text: fc.string({ unit: 'grapheme' }) });
/** Prices and volumes as float64: 0 or more, any finite bit pattern. */
const floats = (): fc.Arbitrary<number> =>
  fc.double({ min: 0, noNaN: true, noDefaultInfinity: true });

function candles(): fc.Arbitrary<Candle> {
  return fc
    .record({
      instrumentId: ids(),
      interval: fc.constantFrom(...INTERVALS),
      time: times(),
      open: floats(),
      high: floats(),
      low: floats(),
      close: floats(),
      volume: floats(),
    })
    .map(({ time, ...candle }) => {
      const openTime = floorToInterval(time, candle.interval);
      return { ...candle, openTime, closeTime: closeTimeOf(openTime, candle.interval) };
    });
}

function fills(): fc.Arbitrary<FillRecord> {
  const required = {
    clientOrderId: clientIds(),
    instrumentId: ids(),
    side: fc.constantFrom('buy' as const, 'sell' as const),
    action: fc.constantFrom('open' as const, 'close' as const),
    price: amounts(),
    quantity: amounts(),
    fee: amounts(),
    feeAsset: assets(),
    liquidity: fc.constantFrom('maker' as const, 'taker' as const),
    eventTime: times(),
  };
  return fc.oneof(fc.record(required), fc.record({ ...required, venueTradeId: fc.string() }));
}

function orderUpdates(): fc.Arbitrary<OrderUpdate> {
  const common = { clientOrderId: clientIds(), eventTime: times() };
  return fc.oneof(
    fc.record({ kind: fc.constant('accepted' as const), venueOrderId: venueOrderIds(), ...common }),
    fc.record({
      kind: fc.constant('fill' as const),
      fill: fills(),
      isFilled: fc.boolean(),
      ...common,
    }),
    fc.record({
      kind: fc.constant('ended' as const),
      status: fc.constantFrom('canceled' as const, 'rejected' as const, 'expired' as const),
      reason: reasons(),
      ...common,
    }),
    fc.record({
      kind: fc.constantFrom('cancel-rejected' as const, 'outcome-unknown' as const),
      reason: reasons(),
      ...common,
    }),
  );
}

function accountUpdates(): fc.Arbitrary<AccountUpdate> {
  const eventTime = times();
  return fc.oneof(
    fc.record({
      kind: fc.constant('forced-fill' as const),
      cause: fc.constantFrom('liquidation' as const, 'netting' as const, 'margin-call' as const),
      fill: fills(),
      insurance: amounts(),
      eventTime,
    }),
    fc.record({
      kind: fc.constant('funding' as const),
      instrumentId: ids(),
      direction: fc.constantFrom('long' as const, 'short' as const),
      asset: assets(),
      amount: amounts(),
      rate: amounts(),
      markPrice: amounts(),
      eventTime,
    }),
    fc.record({
      kind: fc.constant('interest' as const),
      asset: assets(),
      amount: amounts(),
      eventTime,
      of: fc.constantFrom('loan' as const, 'hour' as const),
    }),
    fc.record({ kind: fc.constant('margin-warning' as const), level: amounts(), eventTime }),
  );
}

function operatorEvents(): fc.Arbitrary<EngineEvent> {
  const common = { kind: fc.constant('operator' as const), time: times() };
  return fc.oneof(
    fc.record({
      ...common,
      action: fc.constantFrom('flatten' as const, 'reduce-only' as const, 'resume' as const),
    }),
    fc.record({
      ...common,
      action: fc.constant('halt' as const),
      onHalt: fc.constantFrom(...HALT_ACTIONS),
      text: fc.string({ unit: 'grapheme' }),
    }),
  );
}

function readings(): fc.Arbitrary<MarketReading> {
  const common = { instrumentId: ids(), time: times() };
  const level = fc.record({ price: floats(), quantity: floats() });
  const levels = fc.array(level, { maxLength: 3 });
  const print = fc.record({
    ...common,
    price: floats(),
    quantity: floats(),
    takerSide: fc.constantFrom('buy' as const, 'sell' as const),
  });
  return fc.oneof(
    fc.record(
      {
        ...common,
        kind: fc.constant('ticker' as const),
        last: floats(),
        high: floats(),
        low: floats(),
        volume: floats(),
        open: floats(),
        bestBid: floats(),
        bestAsk: floats(),
      },
      { requiredKeys: ['kind', 'instrumentId', 'time', 'last', 'high', 'low', 'volume'] },
    ),
    fc.record({ ...common, kind: fc.constant('depth' as const), bids: levels, asks: levels }),
    fc.record({
      ...common,
      kind: fc.constant('trades' as const),
      trades: fc.array(print, { minLength: 1, maxLength: 3 }),
    }),
    fc.record(
      {
        ...common,
        kind: fc.constant('index' as const),
        markPrice: floats(),
        indexPrice: floats(),
        fundingRate: floats(),
        nextFundingRate: floats(),
      },
      { requiredKeys: ['kind', 'instrumentId', 'time', 'markPrice', 'indexPrice'] },
    ),
  );
}

function margins(): fc.Arbitrary<MarginReading> {
  return fc.record(
    {
      instrumentId: ids(),
      direction: fc.constantFrom('long' as const, 'short' as const),
      markPrice: amounts(),
      liquidationPrice: amounts(),
      marginRate: amounts(),
      maintenanceRate: amounts(),
      pendingClose: amounts(),
      frozen: fc.constantFrom('no' as const, 'liquidation' as const, 'delivery' as const),
    },
    { requiredKeys: ['instrumentId', 'direction', 'frozen'] },
  ) as fc.Arbitrary<MarginReading>;
}

/** Any event: every kind, and every update within it. */
export function engineEvents(): fc.Arbitrary<EngineEvent> {
  const time = times();
  const prices = fc.array(fc.record({ instrumentId: ids(), price: floats() }), { maxLength: 3 });
  const updates: fc.Arbitrary<VenueUpdate> = fc.oneof(orderUpdates(), accountUpdates());
  return fc.oneof(
    fc.record({
      kind: fc.constant('candles' as const),
      time,
      candles: fc.array(candles(), { maxLength: 4 }),
    }),
    fc.record({ kind: fc.constant('ticker' as const), time, instrumentId: ids(), last: amounts() }),
    fc.record({ kind: fc.constant('marks' as const), time, marks: prices }),
    fc.record({ kind: fc.constant('opening' as const), time, prices }),
    fc.record({ kind: fc.constant('reading' as const), time, reading: readings() }),
    fc.record({
      kind: fc.constant('margins' as const),
      time,
      readings: fc.array(margins(), { maxLength: 3 }),
    }),
    fc.record({ kind: fc.constant('venue' as const), time, update: updates }),
    operatorEvents(),
    fc.record({
      kind: fc.constant('health' as const),
      time,
      isDegraded: fc.boolean(),
      text: fc.string({ unit: 'grapheme' }),
    }),
    fc.record({ kind: fc.constantFrom('timer' as const, 'end' as const), time }),
  );
}

function orders(): fc.Arbitrary<OrderRequest> {
  const common = {
    clientOrderId: clientIds(),
    intentId: fc.nat(),
    instrumentId: ids(),
    side: fc.constantFrom('buy' as const, 'sell' as const),
    action: fc.constantFrom('open' as const, 'close' as const),
    quantity: amounts(),
    unit: fc.constantFrom('base' as const, 'quote' as const, 'contracts' as const),
  };
  return fc.oneof(
    fc.record({ ...common, type: fc.constant('market' as const) }),
    fc.record({
      ...common,
      type: fc.constant('limit' as const),
      limitPrice: amounts(),
      timeInForce: fc.constantFrom('GTC' as const, 'IOC' as const, 'FOK' as const),
      marginMode: fc.constantFrom('cross' as const, 'isolated' as const),
    }),
  );
}

export function engineCommands(): fc.Arbitrary<Command> {
  return fc.oneof(
    orders().map((order) => ({ kind: 'submit', order }) as unknown as Command),
    fc
      .record({ clientOrderId: clientIds(), instrumentId: ids() })
      .map((target): Command => ({ kind: 'cancel', ...target })),
  );
}

/** Entries of a journal in order of time, some of them with commands. */
export function journalEntries(maxLength = 20): fc.Arbitrary<readonly JournalEntry[]> {
  const entry = fc.record({
    event: engineEvents(),
    commands: fc.oneof(
      { weight: 3, arbitrary: fc.constant([]) },
      { weight: 1, arbitrary: fc.array(engineCommands(), { maxLength: 3 }) },
    ),
  });
  return fc
    .array(entry, { maxLength, size: 'max' })
    .map((entries) => entries.toSorted((a, b) => a.event.time - b.event.time));
}
