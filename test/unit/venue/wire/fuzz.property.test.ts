import fc from 'fast-check';
import { describe, expect, it } from 'vitest';

import { createInstrumentId, WireFormatError } from '../../../../src/domain/index.js';
import {
  decodeBatchCanceled,
  decodeBatchIds,
  decodeCanceledOrder,
  decodeCondition,
  decodeContracts,
  decodeCreatedOrder,
  decodeDepth,
  decodeFuturesAccount,
  decodeFuturesCreated,
  decodeFuturesOrder,
  decodeFuturesTicker,
  decodeFuturesTrade,
  decodeHistoryOrder,
  decodeIndex,
  decodeKlines,
  decodeProfit,
  decodeSpotAccount,
  decodeSpotOrder,
  decodeSpotTicker,
  decodeSpotTrade,
  decodeSymbols,
  decodeTrades,
  ENDPOINT_LIST,
  ENDPOINTS,
  parseAnswer,
  parseJson,
  parseRequest,
  readVenueError,
  type AnyEndpoint,
  type EndpointId,
} from '../../../../src/venue/wire/index.js';
import { propertyRuns } from '../../../support/runs.js';
import { mutated } from '../../../support/arbitraries/mutated.js';

const SPOT = createInstrumentId('spot', 'BTCUSDT');
const FUTURES = createInstrumentId('futures', 'E-BTC-USDT');
const HOURS = { interval: '1h', now: 1_760_000_000_123 } as const;
const E = ENDPOINTS;

/** The whole decoding of each endpoint, from JSON to the domain. */
const READERS: Readonly<Record<EndpointId, (json: unknown) => unknown>> = {
  'spot.ping': (json) => parseAnswer(E['spot.ping'], json),
  'spot.time': (json) => parseAnswer(E['spot.time'], json),
  'spot.symbols': (json) => decodeSymbols(parseAnswer(E['spot.symbols'], json)),
  'spot.depth': (json) => decodeDepth(parseAnswer(E['spot.depth'], json), SPOT),
  'spot.ticker': (json) => decodeSpotTicker(parseAnswer(E['spot.ticker'], json), SPOT),
  'spot.trades': (json) => decodeTrades(parseAnswer(E['spot.trades'], json), SPOT),
  'spot.klines': (json) =>
    decodeKlines(parseAnswer(E['spot.klines'], json), { instrumentId: SPOT, ...HOURS }),
  'spot.order': (json) => decodeCreatedOrder(parseAnswer(E['spot.order'], json)),
  'spot.orderTest': (json) => parseAnswer(E['spot.orderTest'], json),
  'spot.batchOrders': (json) => decodeBatchIds(parseAnswer(E['spot.batchOrders'], json)),
  'spot.queryOrder': (json) => decodeSpotOrder(parseAnswer(E['spot.queryOrder'], json), 'spot'),
  'spot.cancel': (json) => decodeCanceledOrder(parseAnswer(E['spot.cancel'], json)),
  'spot.batchCancel': (json) => decodeBatchCanceled(parseAnswer(E['spot.batchCancel'], json), []),
  'spot.openOrders': (json) =>
    parseAnswer(E['spot.openOrders'], json).map((order) => decodeSpotOrder(order, 'spot')),
  'spot.myTrades': (json) =>
    parseAnswer(E['spot.myTrades'], json).map((trade) => decodeSpotTrade(trade, 'spot')),
  'spot.account': (json) => decodeSpotAccount(parseAnswer(E['spot.account'], json)),
  'futures.ping': (json) => parseAnswer(E['futures.ping'], json),
  'futures.time': (json) => parseAnswer(E['futures.time'], json),
  'futures.contracts': (json) => decodeContracts(parseAnswer(E['futures.contracts'], json)),
  'futures.depth': (json) => decodeDepth(parseAnswer(E['futures.depth'], json), FUTURES),
  'futures.ticker': (json) => decodeFuturesTicker(parseAnswer(E['futures.ticker'], json), FUTURES),
  'futures.index': (json) => decodeIndex(parseAnswer(E['futures.index'], json), FUTURES),
  'futures.klines': (json) =>
    decodeKlines(parseAnswer(E['futures.klines'], json), { instrumentId: FUTURES, ...HOURS }),
  'futures.order': (json) => decodeFuturesCreated(parseAnswer(E['futures.order'], json)),
  'futures.conditionOrder': (json) =>
    decodeCondition(parseAnswer(E['futures.conditionOrder'], json)),
  'futures.cancel': (json) => decodeFuturesCreated(parseAnswer(E['futures.cancel'], json)),
  'futures.queryOrder': (json) => decodeFuturesOrder(parseAnswer(E['futures.queryOrder'], json)),
  'futures.openOrders': (json) =>
    parseAnswer(E['futures.openOrders'], json).map(decodeFuturesOrder),
  'futures.orderHistorical': (json) =>
    parseAnswer(E['futures.orderHistorical'], json).map(decodeHistoryOrder),
  'futures.profitHistorical': (json) =>
    parseAnswer(E['futures.profitHistorical'], json).map(decodeProfit),
  'futures.myTrades': (json) => parseAnswer(E['futures.myTrades'], json).map(decodeFuturesTrade),
  'futures.account': (json) => decodeFuturesAccount(parseAnswer(E['futures.account'], json)),
  'margin.order': (json) => decodeCreatedOrder(parseAnswer(E['margin.order'], json)),
  'margin.queryOrder': (json) =>
    decodeSpotOrder(parseAnswer(E['margin.queryOrder'], json), 'margin'),
  'margin.cancel': (json) => decodeCanceledOrder(parseAnswer(E['margin.cancel'], json)),
  'margin.openOrders': (json) =>
    parseAnswer(E['margin.openOrders'], json).map((order) => decodeSpotOrder(order, 'margin')),
  'margin.myTrades': (json) =>
    parseAnswer(E['margin.myTrades'], json).map((trade) => decodeSpotTrade(trade, 'margin')),
};

const readers = Object.entries(E).map(([id, endpoint]) => [id, endpoint] as const);

describe('every parser returns a value or throws a WireFormatError', () => {
  it.each(readers)('%s, for any JSON', (id, endpoint) => {
    fc.assert(
      fc.property(fc.jsonValue(), (json) => {
        tryReading(id, endpoint, json);
      }),
    );
  });

  it.each(readers)('%s, for damaged valid answers', (id, endpoint) => {
    const { answer, familyAnswer = answer } = endpoint.examples;
    const valid = fc.constantFrom(parseJson(answer), parseJson(familyAnswer));
    const verdicts = new Set<string>();

    fc.assert(
      fc.property(valid.chain(mutated), (json) => {
        verdicts.add(tryReading(id, endpoint, json));
      }),
      { numRuns: 3 * propertyRuns() },
    );

    // Damage is sometimes harmless. An answer without required fields is always readable.
    expect(verdicts).toContain('value');
    if (!isAnythingGoes(id)) expect(verdicts).toContain('error');
  });

  it('parseJson, for texts that are not JSON', () => {
    fc.assert(
      fc.property(
        fc.oneof(
          fc.string(),
          fc.json().map((text) => text.slice(1)),
        ),
        (text) => {
          try {
            parseJson(text);
          } catch (error: unknown) {
            expect(error).toBeInstanceOf(WireFormatError);
          }
        },
      ),
    );
  });
});

describe('requests and errors', () => {
  it.each(ENDPOINT_LIST.map((endpoint) => [endpoint.id, endpoint] as const))(
    'requests to %s are checked without throwing',
    (_id, endpoint) => {
      const request = parseJson(JSON.stringify(endpoint.examples.request));
      fc.assert(
        fc.property(fc.oneof(fc.jsonValue(), mutated(request)), (sent) => {
          expect(['valid', 'invalid']).toContain(parseRequest(endpoint, sent).kind);
        }),
      );
    },
  );

  it('errors are read from any JSON without throwing', () => {
    const body = fc.record({ code: fc.jsonValue(), msg: fc.jsonValue() });
    fc.assert(
      fc.property(fc.oneof(fc.jsonValue(), body), (json) => {
        expect(() => readVenueError(json)).not.toThrow();
      }),
    );
  });
});

function tryReading(id: string, endpoint: AnyEndpoint, json: unknown): 'value' | 'error' {
  try {
    READERS[id as EndpointId](json);
    return 'value';
  } catch (error: unknown) {
    if (!(error instanceof WireFormatError)) throw error;
    expect(error.message.startsWith(`${endpoint.id}: `)).toBe(true);
    expect(error.message.length).toBeLessThan(1_000);
    return 'error';
  } finally {
    expect(Object.hasOwn(Object.prototype, 'polluted')).toBe(false);
  }
}

/** Whether any answer of a call is valid if it is no error. */
function isAnythingGoes(id: string): boolean {
  return id.endsWith('.ping') || id === 'spot.orderTest';
}
