import fc from 'fast-check';
import type {
  BotConfig,
  FeeChange,
  InstrumentConfig,
  SimulationConfig,
} from '../../../src/assembly/index.js';
import {
  createInstrumentId,
  FIXED_ONE,
  FUNDING_RATES_KNOWN,
  HOUR_MS,
  HALT_ACTIONS,
  INTERVALS,
  type AccountBalances,
  type Fixed,
  type InstrumentRules,
} from '../../../src/domain/index.js';
import {
  DUST_POLICIES,
  TOO_LARGE_POLICIES,
  type ProtectionConfig,
} from '../../../src/risk/index.js';

const DAY_MS = 86_400_000;

/** Any amount from 0 to below `below` with at most 18 decimals. */
const amount = (below: bigint): fc.Arbitrary<Fixed> =>
  fc.bigInt({ min: 0n, max: below * FIXED_ONE - 1n });
const positive = (below: bigint): fc.Arbitrary<Fixed> =>
  fc.bigInt({ min: 1n, max: below * FIXED_ONE - 1n });

const asset = fc.constantFrom('BTC', 'ETH', 'SOL', 'XY1');

const spotInstrument: fc.Arbitrary<InstrumentConfig> = fc
  .record({
    kind: fc.constant('spot' as const),
    base: asset,
    quote: fc.constant('USDT'),
    intervals: fc.uniqueArray(fc.constantFrom(...INTERVALS), { minLength: 1, maxLength: 4 }),
  })
  .map((instrument) => {
    const symbol = `${instrument.base}${instrument.quote}`;
    return { ...instrument, symbol, instrumentId: createInstrumentId('spot', symbol) };
  });

const rules: fc.Arbitrary<InstrumentRules> = fc.record(
  {
    tradable: fc.boolean(),
    // The two precisions together are at most 18.
    pricePrecision: fc.nat(9),
    quantityPrecision: fc.nat(9),
    minOrderMoney: amount(100n),
    maxMarketQuantity: positive(1_000_000n),
    maxWorkingOrders: fc.integer({ min: 1, max: 1_000 }),
  },
  { requiredKeys: ['tradable', 'pricePrecision', 'quantityPrecision'] },
);

const feeChange = (instruments: readonly InstrumentConfig[]): fc.Arbitrary<FeeChange> =>
  fc.record({
    from: fc.nat(10_000).map((day) => day * DAY_MS),
    instrumentId: fc.constantFrom(undefined, ...instruments.map((each) => each.instrumentId)),
    maker: amount(1n),
    taker: amount(1n),
  });

const latencyRange = fc
  .tuple(fc.nat(DAY_MS), fc.nat(DAY_MS))
  .map(([one, other]) => ({ min: Math.min(one, other), max: Math.max(one, other) }));

const spotBalances: fc.Arbitrary<AccountBalances> = fc
  .uniqueArray(fc.tuple(fc.constantFrom('USDT', 'BTC', '1INCH'), positive(10n ** 12n)), {
    selector: ([name]) => name,
    minLength: 1,
  })
  .map((entries) => ({ spot: new Map(entries) }));

const live: fc.Arbitrary<BotConfig['live']> = fc.record({
  journal: fc.constant('/journals/a.journal'),
  onStop: fc.constantFrom('keep', 'cancel', 'flatten'),
  externalOrders: fc.constantFrom('refuse', 'ignore', 'claim'),
  unverified: fc.constantFrom('refuse', 'accept'),
  venueStops: fc.constantFrom('off', 'family', 'disaster'),
  disasterDistance: fc.bigInt({ min: 1n, max: 10n ** 18n - 1n }),
  orphans: fc.constantFrom('refuse', 'accept'),
  stopBand: fc.bigInt({ min: 1n, max: 10n ** 18n - 1n }),
  guard: fc.constantFrom('on', 'off'),
  blindMargin: fc.boolean(),
  alignMs: fc.nat(60_000),
  allocation: spotBalances,
  staleAfterMs: fc.integer({ min: 1_000, max: DAY_MS }),
  maxClockOffsetMs: fc.integer({ min: 1, max: DAY_MS }),
  loopStallMs: fc.integer({ min: 100, max: DAY_MS }),
});

const simulation = (instruments: readonly InstrumentConfig[]): fc.Arbitrary<SimulationConfig> =>
  fc.record({
    archive: fc.constant('/archive of candles'),
    from: fc.option(
      fc.nat(10_000).map((day) => day * DAY_MS),
      { nil: undefined },
    ),
    to: fc.option(
      fc.integer({ min: 10_001, max: 20_000 }).map((day) => day * DAY_MS),
      {
        nil: undefined,
      },
    ),
    balances: spotBalances,
    fees: fc.record({
      maker: amount(1n),
      taker: amount(1n),
      paidIn: fc.constantFrom('received', 'quote'),
    }),
    feeChanges: fc.array(feeChange(instruments), { maxLength: 2 }),
    spreadBps: amount(10_000n),
    slippage: fc.oneof(
      fc.record({ model: fc.constant('fixed' as const), bps: amount(10_000n) }),
      fc.record({ model: fc.constant('squareRoot' as const), coefficient: amount(100n) }),
    ),
    participation: fc.oneof(fc.constant('off' as const), positive(1n)),
    fillOnTouch: fc.boolean(),
    remainder: fc.constantFrom('cancel', 'resend'),
    latency: fc.record({ submit: latencyRange, cancel: latencyRange }),
    dataDelayMs: fc.nat(DAY_MS),
    updatePollMs: fc.integer({ min: 1, max: 3_600_000 }),
    stopPollMs: fc.oneof(fc.constant('auto' as const), fc.integer({ min: 1, max: 3_600_000 })),
    path: fc.constantFrom('nearest', 'high-first', 'low-first', 'finer'),
    maxGapMs: fc.option(fc.nat(10 * DAY_MS), { nil: undefined }),
    closeAtEnd: fc.boolean(),
    seed: fc.maxSafeNat(),
    rules: fc
      .array(rules, { minLength: instruments.length, maxLength: instruments.length })
      .map((records) => {
        const pairs = instruments.map(
          ({ instrumentId }, index) => [instrumentId, records[index]] as const,
        );
        return new Map(
          pairs.flatMap(([id, record]) => (record === undefined ? [] : [[id, record] as const])),
        );
      }),
    futures: fc.record({
      positionMode: fc.constantFrom('hedge', 'oneWay'),
      fundingRate: fc.bigInt({ min: 1n - FIXED_ONE, max: FIXED_ONE - 1n }),
      fundingIntervalMs: fc.constantFrom(1, 4, 8, 24).map((hours) => hours * HOUR_MS),
      fundingRateKnown: fc.constantFrom(...FUNDING_RATES_KNOWN),
      maxFeeRate: amount(1n),
      tiers: fc.constant(new Map()),
    }),
    margin: fc.record({ hourlyRate: amount(1n) }),
  });

const most = (): fc.Arbitrary<number> => fc.integer({ min: 1, max: 1_000_000 });
const pauseMs = (): fc.Arbitrary<number> => fc.integer({ min: 1, max: 10 * DAY_MS });
const limit = (): fc.Arbitrary<Fixed> => positive(10n ** 9n);
const ratio = (): fc.Arbitrary<Fixed> => fc.bigInt({ min: 1n, max: FIXED_ONE });

/** Any protections, each on or off. */
const protections = (instruments: readonly InstrumentConfig[]): fc.Arbitrary<ProtectionConfig> =>
  fc.record(
    {
      maxPositionQuantity: fc
        .subarray(instruments.map(({ instrumentId }) => instrumentId))
        .chain((ids) => limit().map((amount) => new Map(ids.map((id) => [id, amount])))),
      maxAssetExposure: fc
        .subarray([...new Set(instruments.map(({ base }) => base))])
        .chain((bases) => limit().map((amount) => new Map(bases.map((base) => [base, amount])))),
      maxPositionNotional: limit(),
      maxOrderNotional: limit(),
      maxTotalNotional: limit(),
      maxNetExposure: limit(),
      maxLeverage: limit(),
      maxMarginUse: ratio(),
      maxOpenPositions: most(),
      maxOpenOrders: most(),
      maxTotalOpenOrders: most(),
      priceBand: fc.record({ last: ratio(), mark: ratio() }, { requiredKeys: [] }),
      maxPriceAgeMs: pauseMs(),
      maxOrdersPerMinute: most(),
      maxOrdersPerDay: most(),
      minEntryIntervalMs: pauseMs(),
      cooldownAfterStopMs: pauseMs(),
      tradingHours: fc.array(
        fc.record({
          days: fc.subarray([0, 1, 2, 3, 4, 5, 6], { minLength: 1 }),
          from: fc.nat(1_439),
          to: fc.integer({ min: 1, max: 1_440 }),
        }),
        { minLength: 1, maxLength: 3 },
      ),
      fundingBlock: fc.record({ beforeMs: fc.nat(DAY_MS), afterMs: fc.nat(DAY_MS) }),
      maxDailyLoss: limit(),
      maxDailyLossRatio: ratio(),
      maxDrawdown: limit(),
      maxDrawdownRatio: ratio(),
      drawdownWindowMs: pauseMs(),
      maxConsecutiveLosses: most(),
      haltMs: pauseMs(),
      resetHour: fc.nat(23),
      onHalt: fc.constantFrom(...HALT_ACTIONS),
    },
    { requiredKeys: [] },
  );

/** Any spot bot that a YAML file can describe. */
export const botConfig: fc.Arbitrary<BotConfig> = fc
  .uniqueArray(spotInstrument, {
    selector: ({ instrumentId }) => instrumentId,
    minLength: 1,
    maxLength: 3,
  })
  .chain((instruments) =>
    fc.record({
      version: fc.constant(1 as const),
      name: fc.stringMatching(/^[A-Za-z0-9][A-Za-z0-9._-]{0,20}$/),
      strategy: fc.record({
        path: fc.constant('/plugins/a.strategy.ts'),
        export: fc.option(fc.constantFrom('Sma', '$x'), { nil: undefined }),
        parameters: fc.dictionary(
          fc.string({ minLength: 1 }).filter((key) => key !== '__proto__'),
          fc.oneof(
            fc.boolean(),
            fc.string(),
            fc.double({ noNaN: true, noDefaultInfinity: true }).map((x) => x + 0),
            fc.maxSafeInteger(),
          ),
          { noNullPrototype: true, maxKeys: 4 },
        ),
      }),
      instruments: fc.constant(instruments),
      equityCurrency: fc.constant('USDT'),
      risk: fc.record({
        marketBand: positive(1n),
        tooLarge: fc.record({
          entries: fc.constantFrom(...TOO_LARGE_POLICIES),
          exits: fc.constantFrom(...TOO_LARGE_POLICIES),
        }),
        dust: fc.constantFrom(...DUST_POLICIES),
        liquidationWarning: positive(1n),
        protections: protections(instruments),
      }),
      warmUp: fc.record({
        length: fc.constantFrom('lookback' as const, 'converged' as const),
        incomplete: fc.constantFrom('wait' as const, 'begin' as const),
      }),
      simulation: fc.option(simulation(instruments), { nil: undefined }),
      venue: fc.constant(undefined),
      live,
    }),
  );
