import { synthesizeCandles } from '../../../src/archive/index.js';
import { createHmacSigner, Secret, type Signer } from '../../../src/client/index.js';
import {
  CandleRows,
  createInstrumentId,
  DAY_MS,
  parseFixed,
  type CandleColumns,
  type Clock,
  type EpochMs,
  type FuturesInstrument,
  type SpotInstrument,
} from '../../../src/domain/index.js';
import {
  buildExchange,
  completeAccount,
  createApp,
  shiftToNow,
  type AccountSettings,
  type ExchangeBuild,
  type ListedSource,
  type LocalExchange,
} from '../../../src/local-exchange/index.js';
import { createFixedSlippage } from '../../../src/simulator/index.js';
import {
  encodeRequest,
  ENDPOINTS,
  parseJson,
  type EndpointId,
  type RequestOf,
} from '../../../src/venue/wire/index.js';
import { REAL_TIME } from '../real-time.js';
import { VirtualTime } from '../virtual-time.js';

export const SPOT_ID = createInstrumentId('spot', 'BTCUSDT');
export const MARGIN_ID = createInstrumentId('margin', 'BTCUSDT');
export const FUTURES_ID = createInstrumentId('futures', 'E-BTC-USDT');
export const CONTROL_TOKEN = 'control-of-the-tests';

/** First candle of the test market; it lasts for {@link DAYS}. */
export const FIRST_CANDLE = Date.UTC(2025, 0, 6);
const DAYS = 16;
/** Market time at which test exchanges begin. Candles of every interval precede it. */
export const MARKET_START: EpochMs = FIRST_CANDLE + 10 * DAY_MS + 12 * 3_600_000;

const SPOT_INSTRUMENT: SpotInstrument = {
  kind: 'spot',
  id: SPOT_ID,
  symbol: 'BTCUSDT',
  base: 'BTC',
  quote: 'USDT',
};
const FUTURES_INSTRUMENT: FuturesInstrument = {
  kind: 'futures',
  id: FUTURES_ID,
  symbol: 'E-BTC-USDT',
  base: 'BTC',
  quote: 'USDT',
  contract: 'linear',
  multiplier: parseFixed('0.0001'),
  marginAsset: 'USDT',
  leverage: parseFixed('5'),
  marginMode: 'isolated',
};

let made: CandleColumns | undefined;

/** Minutes of a made-up market, the same in every test. */
export function testCandles(): CandleColumns {
  made ??= synthesizeCandles({
    seed: 7,
    interval: '1min',
    from: FIRST_CANDLE,
    to: FIRST_CANDLE + DAYS * DAY_MS,
    correlation: 0,
    instruments: [
      {
        instrumentId: SPOT_ID,
        startPrice: 60_000,
        volatility: 0.5,
        dailyVolume: 20_000,
        pricePrecision: 2,
        quantityPrecision: 5,
      },
    ],
  })[0]?.columns;
  if (made === undefined) throw new Error('expected candles');
  return made;
}

/** A spot pair and a contract over the same minutes. */
export function testInstruments(): readonly ListedSource[] {
  const columns = testCandles();
  const contracts = {
    ...columns,
    volume: columns.volume.map((volume) => Math.floor(volume * 10_000)),
  };
  return [
    {
      instrument: SPOT_INSTRUMENT,
      interval: '1min',
      rows: CandleRows.of(columns),
      volumeUnit: 'base',
      pricePrecision: 2,
      tiers: [],
      rules: [
        {
          from: 0,
          rules: {
            tradable: true,
            pricePrecision: 2,
            quantityPrecision: 5,
            minOrderMoney: parseFixed('5'),
          },
        },
      ],
    },
    {
      instrument: FUTURES_INSTRUMENT,
      interval: '1min',
      rows: CandleRows.of(contracts),
      volumeUnit: 'contracts',
      pricePrecision: 2,
      tiers: [],
      rules: [
        {
          from: 0,
          rules: {
            tradable: true,
            pricePrecision: 2,
            quantityPrecision: 0,
            minOrderQuantity: parseFixed('1'),
            maxLimitQuantity: parseFixed('1000000'),
            maxMarketMoney: parseFixed('10000000'),
            maxWorkingOrders: 200,
          },
        },
      ],
    },
  ];
}

export const OTHER_SPOT_ID = createInstrumentId('spot', 'ETHUSDT');

/** The pair and the contract, and a second pair over the same minutes. */
export function testInstrumentsOfPairs(): readonly ListedSource[] {
  const all = testInstruments();
  const [pair] = all;
  if (pair === undefined) throw new Error('expected a pair');
  const instrument = { ...SPOT_INSTRUMENT, id: OTHER_SPOT_ID, symbol: 'ETHUSDT', base: 'ETH' };
  return [...all, { ...pair, instrument }];
}

/** The same instruments, moved by whole days so that `now` falls on the day of {@link MARKET_START}. */
export function instrumentsAround(now: EpochMs): readonly ListedSource[] {
  const shiftMs = shiftToNow(MARKET_START, now);
  return testInstruments().map((source) => {
    const columns = source.rows.whole();
    const openTime = columns.openTime.map((time) => time + shiftMs);
    return { ...source, rows: CandleRows.of({ ...columns, openTime }) };
  });
}

/** An account with large balances of all assets. */
export function testAccount(name = 'tester', userId = '10001'): AccountSettings {
  return completeAccount(
    {
      name,
      userId,
      key: `key-of-${name}`,
      secret: `secret-of-${name}`,
      balances: {
        spot: { USDT: '1000000', BTC: '10' },
        margin: { USDT: '100000' },
        futures: { USDT: '1000000' },
      },
    },
    { randomText: () => 'unused', taken: [] },
  );
}

/** Differences from the default test exchange: lockstep, profile `interface`, no limits, one account. */
export type TestExchangeOptions = Partial<ExchangeBuild>;

/** A received answer. */
export interface TestAnswer {
  readonly status: number;
  readonly text: string;
  readonly json: unknown;
  readonly headers: Headers;
}

/** An exchange within the process, with functions that sign calls to it. */
export interface TestExchange {
  readonly exchange: LocalExchange;
  readonly transport: Clock;
  request(path: string, init?: RequestInit): Promise<TestAnswer>;
  /** Calls an endpoint of the table, signed by an account if needed. */
  call<Id extends EndpointId>(
    id: Id,
    request: RequestOf<(typeof ENDPOINTS)[Id]>,
    account?: AccountSettings,
  ): Promise<TestAnswer>;
  control(method: string, path: string, body?: unknown): Promise<TestAnswer>;
}

export function signerOf({ key, secret }: AccountSettings): Signer {
  return createHmacSigner({ key: new Secret(key), secret: new Secret(secret) });
}

/** Terms under which orders trade at the price of the path, without a limit by volume. */
export const TEST_TERMS: ExchangeBuild['terms'] = {
  slippage: createFixedSlippage(0n),
  halfSpread: 0n,
  participation: 'off',
  fillOnTouch: false,
  hourlyRate: parseFixed('0.00001'),
  maxFeeRate: parseFixed('0.0006'),
};

export function buildTestExchange(options: TestExchangeOptions = {}): LocalExchange {
  return buildExchange({
    instruments: testInstruments(),
    terms: TEST_TERMS,
    profile: 'interface',
    clock: { mode: 'lockstep', start: MARKET_START },
    accounts: [testAccount()],
    faults: { seed: 1, rules: [] },
    limits: undefined,
    transport: new VirtualTime(MARKET_START),
    ...options,
  });
}

export function startTestExchange(options: TestExchangeOptions = {}): TestExchange {
  return withinProcess(buildTestExchange(options));
}

/** Calls an exchange through its HTTP surface, without a connection. */
export function withinProcess(exchange: LocalExchange): TestExchange {
  const { transport } = exchange.parts;
  const app = createApp(exchange, {
    timers: transport instanceof VirtualTime ? transport : REAL_TIME,
    control: { token: CONTROL_TOKEN, randomText: () => 'r4nd0m' },
    onFailure: (error) => {
      throw error;
    },
  });
  const request = async (path: string, init: RequestInit = {}): Promise<TestAnswer> => {
    const answer = await app.request(path, init, {});
    const text = await answer.text();
    const isJson = answer.headers.get('content-type')?.startsWith('application/json') === true;
    let json: unknown;
    try {
      json = isJson ? parseJson(text) : undefined;
    } catch {
      json = undefined;
    }
    return { status: answer.status, text, json, headers: answer.headers };
  };
  return {
    exchange,
    transport,
    request,
    call: (id, fields, account = testAccount()) => {
      const encoded = encodeRequest(ENDPOINTS[id], fields);
      const { method, path, query, body } = encoded;
      const target = query === '' ? path : `${path}?${query}`;
      const isSigned = ENDPOINTS[id].access === 'signed';
      const timestamp = transport.now();
      return request(target, {
        method,
        headers: {
          'content-type': 'application/json',
          ...(isSigned ? signerOf(account).sign({ timestamp, method, path: target, body }) : {}),
        },
        ...(method === 'POST' ? { body } : {}),
      });
    },
    control: (method, path, body) =>
      request(`/control${path}`, {
        method,
        headers: { authorization: `Bearer ${CONTROL_TOKEN}`, 'content-type': 'application/json' },
        ...(body === undefined ? {} : { body: JSON.stringify(body) }),
      }),
  };
}
