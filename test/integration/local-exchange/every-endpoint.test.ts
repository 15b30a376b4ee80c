import { afterEach, beforeEach, describe, expect, it } from 'vitest';
import {
  ANSWER_PROFILES,
  ENDPOINT_LIST,
  ENDPOINTS,
  parseAnswer,
  parseJson,
  type AnyEndpoint,
  type EndpointId,
} from '../../../src/venue/wire/index.js';
import { runCommand } from '../../support/cli/command-runner.js';
import {
  serveTestExchange,
  type ServedTestExchange,
} from '../../support/local-exchange/served-exchange.js';
import { instrumentsAround, testAccount } from '../../support/local-exchange/test-exchange.js';
import { REAL_TIME } from '../../support/real-time.js';
import { temporaryFolder } from '../../support/temporary-folder.js';
import { answerSchemaOf } from '../../support/venue/answer-schema.js';

/** Parameters of a call, each `name=value`. */
type Words = readonly string[];

const ORDER: Words = ['symbol=BTCUSDT', 'volume=0.01', 'side=BUY', 'type=LIMIT', 'price=50000'];
const CONTRACT: Words = [
  'contractName=E-BTC-USDT',
  'volume=10',
  'type=LIMIT',
  'side=BUY',
  'price=50000',
  'open=OPEN',
  'positionType=2',
];

/** Keys of every object in a value, with their paths. Entries of a list share a path. */
function shapeOf(value: unknown, path = ''): readonly string[] {
  if (Array.isArray(value)) return value.flatMap((entry) => shapeOf(entry, `${path}[]`));
  if (typeof value !== 'object' || value === null) return [];
  return Object.entries(value).flatMap(([key, member]) => [
    `${path}.${key}`,
    ...shapeOf(member, `${path}.${key}`),
  ]);
}

describe.each(ANSWER_PROFILES)(
  'every endpoint, called with evenkeel call, profile %s',
  (profile) => {
    let served: ServedTestExchange;
    let folder: string;
    const placed = new Map<string, string>();

    beforeEach(async () => {
      served = await serveTestExchange({
        profile,
        clock: { mode: 'realtime', start: REAL_TIME.now() },
        instruments: instrumentsAround(REAL_TIME.now()),
      });
      folder = await temporaryFolder();
      placed.clear();
    });

    afterEach(async () => {
      await served.close();
    });

    async function call(id: EndpointId, words: Words): Promise<unknown> {
      const { key, secret } = testAccount();
      const env = {
        EVENKEEL_KEY: key,
        EVENKEEL_SECRET: secret,
        EVENKEEL_SPOT_URL: served.url,
        EVENKEEL_FUTURES_URL: served.url,
      };
      const isSigned = ENDPOINTS[id].access === 'signed' && !ENDPOINTS[id].idempotent;
      const args = ['call', id, ...words, '--raw', ...(isSigned ? ['--yes'] : [])];
      const run = await runCommand(folder, args, { env });
      if (run.exitCode !== 0) throw new Error(`${id}: ${run.stderr}`);
      return parseJson(run.stdout);
    }

    /** Places an order of an area once and returns its id. */
    async function orderOf(area: AnyEndpoint['area']): Promise<string> {
      const known = placed.get(area);
      if (known !== undefined) return known;
      const id = `${area}.order` as EndpointId;
      const answer = parseAnswer<AnyEndpoint>(
        ENDPOINTS[id],
        await call(id, area === 'futures' ? CONTRACT : ORDER),
      ) as { readonly orderId: string };
      placed.set(area, answer.orderId);
      return answer.orderId;
    }

    async function wordsOf({ id, area, examples, request }: AnyEndpoint): Promise<Words> {
      if (id.endsWith('.order')) return area === 'futures' ? CONTRACT : ORDER;
      if (id === 'spot.orderTest') return ORDER;
      if (id === 'spot.batchOrders') {
        return [
          'symbol=BTCUSDT',
          'orders=[{"price":50000,"volume":0.01,"side":"BUY","batchType":"LIMIT"}]',
        ];
      }
      if (id === 'spot.batchCancel')
        return ['symbol=BTCUSDT', `orderIds=[${await orderOf('spot')}]`];
      if (id === 'futures.conditionOrder') {
        return [
          ...CONTRACT.filter((word) => !/^(side|open)=/.test(word)),
          'side=SELL',
          'open=CLOSE',
          'triggerType=1',
          'triggerPrice=50000',
        ];
      }
      const words = Object.entries(examples.request).map(
        ([key, value]) => `${key}=${String(value)}`,
      );
      if (!Object.hasOwn(request.shape, 'orderId')) return words;
      const orderId = await orderOf(area);
      return words.map((word) => (word.startsWith('orderId=') ? `orderId=${orderId}` : word));
    }

    it.each(ENDPOINT_LIST.map((endpoint) => [endpoint.id as EndpointId, endpoint] as const))(
      '%s answers according to its schema',
      async (id, endpoint) => {
        // The list needs an entry: an order that fills, and one that rests.
        if (id.endsWith('openOrders')) await orderOf(endpoint.area);
        if (/Trades|Historical|account/.test(id) && endpoint.area === 'futures') {
          const filling = CONTRACT.map((word) => (word.startsWith('price') ? 'price=90000' : word));
          await call('futures.order', filling);
          const closing = ['side=SELL', 'open=CLOSE', 'type=MARKET', 'volume=5'];
          const kept = CONTRACT.filter((word) => !/^(side|open|type|volume|price)=/.test(word));
          if (!id.endsWith('account')) await call('futures.order', [...kept, ...closing]);
        } else if (/Trades|account/.test(id)) {
          const filling = ORDER.map((word) => (word.startsWith('price') ? 'price=90000' : word));
          await call(`${endpoint.area}.order` as EndpointId, filling);
        }

        const answer = await call(id, await wordsOf(endpoint));

        expect(answerSchemaOf(endpoint).safeParse(answer).error?.issues).toBeUndefined();
        const parsed: unknown = parseAnswer<AnyEndpoint>(endpoint, answer);
        if (Array.isArray(parsed) && id !== 'futures.profitHistorical') {
          expect(parsed.length).toBeGreaterThan(0);
        }
        if (profile === 'interface') {
          // Only fields that the interface has.
          const known = new Set(shapeOf(parseJson(endpoint.examples.answer)));
          expect(shapeOf(answer).filter((key) => !known.has(key))).toEqual([]);
        }
      },
    );
  },
);
