import { describe, expect, it } from 'vitest';

import { parseFixed, WireFormatError } from '../../../../src/domain/index.js';
import {
  encodeRequest,
  ENDPOINTS,
  parseAnswer,
  parseJson,
  type AnyEndpoint,
  type AnswerOf,
} from '../../../../src/venue/wire/index.js';

const ID = '3221406049627539350';

describe('parseAnswer', () => {
  it.each([
    ['a number', ID],
    ['a text', `"${ID}"`],
    ['a list of one text', `["${ID}"]`],
    ['a list of one number', `[${ID}]`],
  ])('reads an order id that comes as %s', (_form, json) => {
    expect(read(ENDPOINTS['spot.order'], `{"orderId":${json}}`).orderId).toBe(ID);
  });

  it('reads long lists completely, and names the place of an invalid value', () => {
    const endpoint = ENDPOINTS['spot.klines'];
    const row = { idx: 1_760_000_000_000, open: 1, high: 2, low: 1, close: 2, vol: 3 };
    const rows = Array.from({ length: 2_500 }, (_, place) => ({ ...row, idx: row.idx + place }));

    expect(parseAnswer(endpoint, rows)).toEqual(rows);
    expect(() => parseAnswer(endpoint, rows.with(2_345, { ...row, close: 0 / 0 }))).toThrow(
      'spot.klines: [2345].close: expected ',
    );
  });

  it('refuses an id that has lost digits before', () => {
    expect(() => parseAnswer(ENDPOINTS['spot.order'], { orderId: Number(ID) })).toThrow(
      'spot.order: orderId: expected an id (whole number, text, or a list of one of them), received 3221406049627539500',
    );
  });

  it.each([
    ['bare', '[{"price":1,"time":1760000000000,"qty":2,"side":"BUY"}]'],
    ['in list', '{"list":[{"price":1,"time":1760000000000,"qty":2,"side":"BUY"}]}'],
    [
      'in an envelope',
      '{"code":"0","msg":"ok","data":[{"price":1,"time":1760000000000,"qty":2,"side":"BUY"}],"succ":true}',
    ],
    [
      'in list in an envelope with a number as code',
      '{"code":0,"data":{"list":[{"price":1,"time":1760000000000,"qty":2,"side":"BUY"}]}}',
    ],
    [
      'encoded twice',
      '"[{\\"price\\":1,\\"time\\":1760000000000,\\"qty\\":2,\\"side\\":\\"BUY\\"}]"',
    ],
  ])('reads a list that comes %s', (_form, json) => {
    expect(read(ENDPOINTS['spot.trades'], json)).toEqual([
      { price: parseFixed('1'), time: 1760000000000, qty: parseFixed('2'), side: 'buy' },
    ]);
  });

  it('reads an empty list from an envelope around null', () => {
    const json = '{"code":"0","msg":"success","data":null}';

    expect(read(ENDPOINTS['futures.openOrders'], json)).toEqual([]);
  });

  it('keeps the digits of ids inside an answer that was encoded twice', () => {
    const json = JSON.stringify(`{"orderId":${ID}}`);

    expect(read(ENDPOINTS['futures.order'], json)).toEqual({ orderId: ID });
  });

  it.each([
    ['an object', '{"account":{"marginCoin":"USDT","accountNormal":1,"accountLock":0}}'],
    ['a list', '{"account":[{"marginCoin":"USDT","accountNormal":1,"accountLock":0}]}'],
  ])('reads a futures account that is %s', (_form, json) => {
    const { account } = read(ENDPOINTS['futures.account'], json);

    expect([account].flat()).toMatchObject([
      { marginCoin: 'USDT', accountNormal: parseFixed('1') },
    ]);
  });

  it.each([
    ['0', 'open'],
    ['1', 'open'],
    ['2', 'filled'],
    ['3', 'partially-filled'],
    ['4', 'canceled'],
    ['5', 'canceling'],
    ['6', 'expired'],
    ['"NEW"', 'open'],
    ['"NEW_"', 'open'],
    ['"New Order"', 'open'],
    ['"INIT"', 'open'],
    ['"PARTIALLY_FILLED"', 'partially-filled'],
    ['"Partially Filled"', 'partially-filled'],
    ['"PART_FILLED"', 'partially-filled'],
    ['"FILLED"', 'filled'],
    ['"Filled"', 'filled'],
    ['"CANCELED"', 'canceled'],
    ['"CANCELLED"', 'canceled'],
    ['"Cancelled"', 'canceled'],
    ['"Partially Filled/Cancelled"', 'canceled'],
    ['"PENDING_CANCEL"', 'canceling'],
    ['"To be Cancelled"', 'canceling'],
    ['"REJECTED"', 'rejected'],
    ['"EXPIRED"', 'expired'],
  ])('reads the status %s as %s', (json, status) => {
    expect(read(ENDPOINTS['spot.order'], `{"orderId":1,"status":${json}}`).status).toBe(status);
  });

  it.each(['-2', '"-2"', '" -4"', '0.4', '"+5"'])('does not guess the status %s', (json) => {
    expect(() => read(ENDPOINTS['spot.order'], `{"orderId":1,"status":${json}}`)).toThrow(
      'spot.order: status: expected one of NEW, PARTIALLY_FILLED',
    );
  });

  it('reads the longest client order id that a request may carry', () => {
    const id = 'x'.repeat(255);
    const order = { symbol: 'BTCUSDT', volume: '1', side: 'SELL', type: 'MARKET' } as const;
    const { body } = encodeRequest(ENDPOINTS['spot.order'], { ...order, newClientOrderId: id });

    const answer = read(ENDPOINTS['spot.order'], `{"orderId":1,"clientOrderId":"${id}"}`);

    expect([body.includes(id), answer.clientOrderId]).toEqual([true, id]);
  });

  it.each([
    ['milliseconds', '1760000400000', 1760000400000],
    ['seconds', '1760000400', 1760000400000],
    ['text', '"1760000400000"', 1760000400000],
  ])('reads a time in %s', (_form, json, time) => {
    const kline = `[{"idx":${json},"open":1,"close":1,"high":1,"low":1,"vol":0}]`;

    expect(read(ENDPOINTS['spot.klines'], kline)[0]?.idx).toBe(time);
  });

  it('reads a null time as undefined, and keeps further columns of a book', () => {
    const json = '{"time":null,"bids":[["100.10","2",2,"x"]],"asks":[]}';

    expect(read(ENDPOINTS['futures.depth'], json)).toEqual({
      time: undefined,
      bids: [[parseFixed('100.1'), parseFixed('2'), 2, 'x']],
      asks: [],
    });
  });

  it('reads decimals exactly, as number or text, in any notation', () => {
    const json =
      '{"bids":[[0.1,1],["0.30000000000000000001",1],[123456789012345678.123456789,1],[1e-8,"1.5E3"]],"asks":[]}';
    const { bids } = read(ENDPOINTS['spot.depth'], json);

    expect(bids.map(([price]) => price)).toEqual([
      parseFixed('0.1'),
      // 20 decimals are rounded half to even to 18.
      parseFixed('0.3'),
      parseFixed('123456789012345678.123456789'),
      parseFixed('0.00000001'),
    ]);
    expect(bids[3]?.[1]).toBe(parseFixed('1500'));
  });

  it('reads the mark price in either spelling', () => {
    const json = '{"indexPrice":"10","tagPrice":"10.5","currentFundRate":-0.0001}';

    expect(read(ENDPOINTS['futures.index'], json)).toMatchObject({
      markPrice: parseFixed('10.5'),
      currentFundRate: parseFixed('-0.0001'),
    });
  });

  it.each<[string, AnyEndpoint, object]>([
    ['last', ENDPOINTS['spot.ticker'], { time: 1, high: 2, low: 1, last: 1, vol: 3 }],
    ['last', ENDPOINTS['futures.ticker'], { time: 1, high: 2, low: 1, last: 1, vol: 3 }],
    ['markPrice', ENDPOINTS['futures.index'], { indexPrice: 1, markPrice: 1 }],
  ])('takes a %s of 0 for no price', (name, endpoint, answer) => {
    expect(() => parseAnswer(endpoint, answer)).not.toThrow();
    for (const none of [0, '0', '0.00'])
      expect(() => parseAnswer(endpoint, { ...answer, [name]: none })).toThrow(
        `${endpoint.id}: ${name}: expected a price above 0, received `,
      );
  });

  it('takes a book with a level at 0 for no answer', () => {
    const book = (price: number): unknown => ({ bids: [[price, 1]], asks: [] });
    expect(() => parseAnswer(ENDPOINTS['spot.depth'], book(1))).not.toThrow();
    expect(() => parseAnswer(ENDPOINTS['spot.depth'], book(0))).toThrow('a price above 0');
  });

  it('takes a public trade at 0 for none', () => {
    const trades = (price: number): unknown[] => [{ price, time: 1, qty: 1, side: 'BUY' }];
    expect(() => parseAnswer(ENDPOINTS['spot.trades'], trades(1))).not.toThrow();
    expect(() => parseAnswer(ENDPOINTS['spot.trades'], trades(0))).toThrow('a price above 0');
  });

  it('takes a mark price of 0 for one that is missing', () => {
    const answer = { indexPrice: 1, markPrice: 0, tagPrice: 2 };
    expect(parseAnswer(ENDPOINTS['futures.index'], answer).markPrice).toBe(parseFixed('2'));
  });

  it('ignores unknown fields', () => {
    expect(read(ENDPOINTS['futures.order'], '{"orderId":"1","x":{"y":[1]}}')).toEqual({
      orderId: '1',
    });
  });

  it.each<[string, AnyEndpoint, string, string]>([
    [
      'a missing field',
      ENDPOINTS['spot.klines'],
      '[{"idx":1760000400000,"open":1,"close":1,"high":1,"low":1}]',
      'spot.klines: [0].vol: expected a decimal number >= 0, received nothing (E_WIRE_FORMAT)',
    ],
    [
      'a field of the wrong kind, where it is',
      ENDPOINTS['spot.myTrades'],
      '{"code":0,"data":{"list":[{"symbol":{}}]}}',
      'spot.myTrades: data.list[0].symbol: expected a symbol such as BTCUSDT or E-BTC-USDT, received an object with no keys',
    ],
    [
      'an execution, with its id',
      ENDPOINTS['spot.myTrades'],
      '[{"symbol":"BTCUSDT","id":6137967,"bidId":1,"askId":2,"price":"1","qty":"1","time":1760000000456,"isBuyer":true,"isMaker":false,"feeCoin":"BTC","fee":"?"}]',
      'spot.myTrades: [0].fee: expected a decimal number in the row with id 6137967, received "?" (E_WIRE_FORMAT)',
    ],
    [
      'an execution of a contract, with its id',
      ENDPOINTS['futures.myTrades'],
      '[{"tradeId":"12","bidId":1}]',
      ' in the row with tradeId "12", received nothing (E_WIRE_FORMAT)',
    ],
    [
      'an unknown status',
      ENDPOINTS['spot.order'],
      '{"orderId":1,"status":"HALF"}',
      'spot.order: status: expected one of NEW, PARTIALLY_FILLED, FILLED, CANCELED, REJECTED, received "HALF"',
    ],
    [
      'a nested field',
      ENDPOINTS['futures.account'],
      '{"account":[{"marginCoin":"USDT","accountNormal":1,"accountLock":"x"}]}',
      'futures.account: account[0].accountLock: expected a decimal number, received "x"',
    ],
    [
      'a list where an object belongs',
      ENDPOINTS['spot.time'],
      '[]',
      'spot.time: the answer: expected an object, received a list of 0',
    ],
    [
      'an object where a list belongs',
      ENDPOINTS['spot.trades'],
      '{"rows":[]}',
      'spot.trades: the answer: expected a list, received an object with rows',
    ],
    [
      'nothing',
      ENDPOINTS['spot.account'],
      'null',
      'spot.account: the answer: expected an object, received null',
    ],
    [
      'an error body',
      ENDPOINTS['spot.ping'],
      '{"code":-1003,"msg":"slow down"}',
      'spot.ping: the answer: expected an answer, received the error -1003 "slow down"',
    ],
    [
      'a condition without any id',
      ENDPOINTS['futures.conditionOrder'],
      '{"code":"0","data":{"triggerIds":[]}}',
      'futures.conditionOrder: data.triggerIds: expected an id',
    ],
    [
      'a long text, shortened',
      ENDPOINTS['futures.order'],
      `{"orderId":"${'!'.repeat(500)}"}`,
      `received "${'!'.repeat(40)}…"`,
    ],
    [
      'a negative price',
      ENDPOINTS['spot.depth'],
      '{"bids":[[-1,1]],"asks":[]}',
      'spot.depth: bids[0][0]: expected a price above 0, received -1',
    ],
    [
      'an amount beyond all sense',
      ENDPOINTS['spot.depth'],
      '{"bids":[[1,1e300]],"asks":[]}',
      'spot.depth: bids[0][1]: expected a decimal number >= 0, received "1e300"',
    ],
  ])('names endpoint, place, expected and received for %s', (_what, endpoint, json, message) => {
    expect(() => read(endpoint, json)).toThrow(WireFormatError);
    expect(() => read(endpoint, json)).toThrow(message);
  });
});

function read<E extends AnyEndpoint>(endpoint: E, json: string): AnswerOf<E> {
  return parseAnswer(endpoint, parseJson(json));
}
