import { afterEach, beforeEach, describe, expect, it } from 'vitest';

import { RestExecution, type VenueClient } from '../../../src/client/index.js';
import {
  createInstrumentId,
  parseFixed,
  parseVenueOrderId,
  type OrderRequest,
  type RiskApproved,
} from '../../../src/domain/index.js';
import { byPath, FaultServer, json, type Reply } from '../../support/fault-server.js';
import { aVenueClient } from '../../support/venue-client.js';

const OPTIONS = { signal: new AbortController().signal };
const SPOT = createInstrumentId('spot', 'BTCUSDT');
const IDS = ['3221406049627539351', '3221406049627539352'].map(parseVenueOrderId);

let server: FaultServer;
let client: VenueClient;
let execution: RestExecution;

beforeEach(async () => {
  server = await FaultServer.start(json('{}'));
  client = aVenueClient(server);
  execution = new RestExecution(client);
});

afterEach(async () => {
  await server.stop();
  await client.close();
});

function answer(path: string, body: string): void {
  const time: Reply = (exchange) => {
    json(`{"serverTime":${String(Date.now())}}`)(exchange);
  };
  server.answerWith(byPath({ '/sapi/v1/time': time, '/fapi/v1/time': time, [path]: json(body) }));
}

function anOrder(overrides: Partial<OrderRequest> = {}): RiskApproved<OrderRequest> {
  const order = {
    type: 'limit',
    clientOrderId: 'ek-1',
    intentId: 1,
    instrumentId: SPOT,
    side: 'buy',
    action: 'open',
    quantity: parseFixed('0.01'),
    unit: 'base',
    limitPrice: parseFixed('65000.10'),
    timeInForce: 'GTC',
    ...overrides,
  };
  return order as RiskApproved<OrderRequest>;
}

describe('RestExecution', () => {
  it('writes the digits of an order unchanged, in the field order of the interface', async () => {
    answer('/sapi/v1/order', '{"orderId":3221406049627539350}');

    const outcome = await execution.submit(anOrder(), OPTIONS);

    expect(outcome).toMatchObject({ kind: 'accepted', venueOrderId: '3221406049627539350' });
    expect(server.seen.at(-1)?.body).toBe(
      '{"symbol":"BTCUSDT","volume":0.01,"side":"BUY","type":"LIMIT","price":65000.1,"newClientOrderId":"ek-1"}',
    );
  });

  it.each([SPOT, createInstrumentId('margin', 'BTCUSDT')])(
    'does not know the outcome of an order of %s if the answer is that to another one',
    async (instrumentId) => {
      const path = instrumentId === SPOT ? '/sapi/v1/order' : '/sapi/v1/margin/order';
      const submit = (clientOrderId: string) => {
        answer(path, JSON.stringify({ orderId: 7, clientOrderId }));
        return execution.submit(anOrder({ instrumentId }), OPTIONS);
      };

      await expect(submit('ek-2')).rejects.toMatchObject({ code: 'E_OUTCOME_UNKNOWN' });
      expect(await submit('ek-1')).toMatchObject({ kind: 'accepted' });
      expect(await submit('')).toMatchObject({ kind: 'accepted' });
    },
  );

  it('turns REJECTED in the answer into a rejection', async () => {
    answer('/sapi/v1/order', '{"orderId":1,"status":"REJECTED"}');

    expect(await execution.submit(anOrder(), OPTIONS)).toMatchObject({
      kind: 'rejected',
      reason: { code: 'REJECTED' },
    });
  });

  it.each([
    ['fewer ids than orders', '{"ids":[1]}'],
    ['more ids than orders', '{"ids":[1,2,3]}'],
    ['one id twice', '{"ids":[1,1]}'],
    ['no ids', '{"ids":[]}'],
    ['something else', '{"ok":true}'],
  ])('leaves every outcome of a batch unknown when the answer holds %s', async (_name, body) => {
    answer('/sapi/v1/batchOrders', body);

    await expect(execution.submitBatch([anOrder(), anOrder()], OPTIONS)).rejects.toMatchObject({
      name: 'OutcomeUnknownError',
    });
    expect(server.count('/sapi/v1/batchOrders')).toBe(1);
  });

  it('rejects every order of a batch that the venue refuses', async () => {
    answer('/sapi/v1/batchOrders', '{"code":-2017,"msg":"no money"}');

    const outcomes = await execution.submitBatch([anOrder(), anOrder()], OPTIONS);

    expect(outcomes).toMatchObject([
      { kind: 'rejected', reason: { code: '-2017' } },
      { kind: 'rejected', reason: { code: '-2017' } },
    ]);
  });

  it('writes the ids of a batch cancel as numbers with all their digits', async () => {
    answer('/sapi/v1/batchCancel', `{"success":[${IDS.join(',')}],"failed":[]}`);

    const outcomes = await execution.cancelBatch(SPOT, IDS, OPTIONS);

    expect(outcomes.map((outcome) => outcome?.kind)).toEqual(['requested', 'requested']);
    expect(server.seen.at(-1)?.body).toBe(
      '{"symbol":"BTCUSDT","orderIds":[3221406049627539351,3221406049627539352]}',
    );
  });

  it.each([
    ['one of both ids', `{"success":[${String(IDS[0])}],"failed":[]}`, ['requested', undefined]],
    [
      'both, one failed',
      `{"success":[${String(IDS[0])}],"failed":[${String(IDS[1])}]}`,
      ['requested', 'refused'],
    ],
    ['nothing', '{}', [undefined, undefined]],
    ['a refusal of the whole call', '{"code":-1102,"msg":"orderIds"}', [undefined, undefined]],
  ])(
    'returns the outcome of a batch cancel by id for an answer with %s',
    async (_name, body, kinds) => {
      answer('/sapi/v1/batchCancel', body);

      const outcomes = await execution.cancelBatch(SPOT, IDS, OPTIONS);

      expect(outcomes.map((outcome) => outcome?.kind)).toEqual(kinds);
    },
  );
});
