import { afterEach, describe, expect, it } from 'vitest';
import { RestAccount, RestExecution, Secret } from '../../../src/client/index.js';
import {
  floorToStep,
  MINUTE_MS,
  parseFixed,
  type ClientOrderId,
  type OrderRequest,
  type RiskApproved,
} from '../../../src/domain/index.js';
import type { AnswerProfile } from '../../../src/venue/wire/index.js';
import {
  serveTestExchange,
  type ServedTestExchange,
} from '../../support/local-exchange/served-exchange.js';
import {
  FUTURES_ID,
  MARKET_START,
  testAccount,
} from '../../support/local-exchange/test-exchange.js';
import { REAL_TIME } from '../../support/real-time.js';
import { aVenueClient, quickQueue } from '../../support/venue-client.js';

const OPTIONS = { signal: new AbortController().signal };
const TICK = parseFixed('0.01');

let served: ServedTestExchange | undefined;
const closing: (() => Promise<void>)[] = [];

afterEach(async () => {
  for (const close of closing.splice(0)) await close();
  await served?.close();
  served = undefined;
});

async function all<T>(rows: AsyncIterable<T>): Promise<readonly T[]> {
  const list: T[] = [];
  for await (const row of rows) list.push(row);
  return list;
}

async function connect(profile: AnswerProfile) {
  served = await serveTestExchange({ profile });
  const { exchange } = served;
  exchange.advanceTo(MARKET_START);
  const { marketTime, market } = exchange.parts;
  const { key, secret } = testAccount();
  const client = aVenueClient(served, {
    queue: quickQueue(),
    clock: { now: () => marketTime.now() },
    timers: REAL_TIME,
    credentials: { key: new Secret(key), secret: new Secret(secret) },
  });
  closing.push(() => client.close());
  const last = (): bigint => market.ticker(FUTURES_ID, marketTime.now())?.last ?? 0n;
  return {
    ...{ exchange, last },
    account: new RestAccount(client),
    execution: new RestExecution(client),
  };
}

function aContractOrder(action: 'open' | 'close', price?: bigint): RiskApproved<OrderRequest> {
  const common = {
    clientOrderId: `trigger-${action}` as ClientOrderId,
    intentId: 1,
    instrumentId: FUTURES_ID,
    side: action === 'open' ? 'buy' : 'sell',
    action,
    quantity: parseFixed('10'),
    unit: 'contracts',
    marginMode: 'isolated',
  } as const;
  const order: OrderRequest =
    price === undefined
      ? { ...common, type: 'market' }
      : { ...common, type: 'limit', limitPrice: price, timeInForce: 'IOC' };
  return order as RiskApproved<OrderRequest>;
}

describe('triggers over HTTP, profile family', () => {
  it('are listed with all their fields, and can be canceled', async () => {
    const { account, execution, last } = await connect('family');
    const triggerPrice = floorToStep((last() * 9n) / 10n, TICK);
    const order = aContractOrder('close');
    const sent = await execution.submitConditional(
      { order, trigger: 'stop-loss', triggerPrice },
      OPTIONS,
    );
    if (sent.kind !== 'accepted') throw new Error('expected acceptance');
    const { triggerId } = sent;

    expect(await account.triggers(FUTURES_ID, OPTIONS)).toEqual([
      {
        instrumentId: FUTURES_ID,
        triggerId,
        side: 'sell',
        action: 'close',
        trigger: 'stop-loss',
        triggerPrice,
        quantity: parseFixed('10'),
        createdTime: MARKET_START,
      },
    ]);

    const target = { instrumentId: FUTURES_ID, triggerId };
    expect(await execution.cancelConditional(target, OPTIONS)).toEqual({
      kind: 'requested',
      status: 'canceling',
    });
    expect(await account.triggers(FUTURES_ID, OPTIONS)).toEqual([]);
    // A canceled trigger leaves no order, and no entry in the history.
    expect(await account.openOrders(FUTURES_ID, OPTIONS)).toEqual([]);
    const history = account.orderHistory(FUTURES_ID, OPTIONS);
    expect(await all(history)).toEqual([]);
    expect(await execution.cancelConditional(target, OPTIONS)).toMatchObject({ kind: 'refused' });
  });

  it('are not listed after they fired, and cannot be canceled', async () => {
    const { account, execution, exchange, last } = await connect('family');
    await execution.submit(
      aContractOrder('open', floorToStep((last() * 11n) / 10n, TICK)),
      OPTIONS,
    );
    // One tick below last, so that a minute of the market soon reaches it.
    let fired = false;
    let triggerId = '';
    for (let minute = 1; minute < 60 && !fired; minute += 1) {
      const waiting = await account.triggers(FUTURES_ID, OPTIONS);
      if (minute === 1) {
        const sent = await execution.submitConditional(
          { order: aContractOrder('close'), trigger: 'stop-loss', triggerPrice: last() - TICK },
          OPTIONS,
        );
        if (sent.kind === 'accepted') triggerId = sent.triggerId;
      } else fired = waiting.length === 0;
      exchange.advanceTo(MARKET_START + minute * MINUTE_MS);
    }

    expect(fired).toBe(true);
    const target = { instrumentId: FUTURES_ID, triggerId };
    expect(await execution.cancelConditional(target, OPTIONS)).toMatchObject({
      kind: 'refused',
      reason: { code: '-2013' },
    });
    const [closed] = await all(account.orderHistory(FUTURES_ID, OPTIONS));
    expect(closed).toBeDefined();
  });
});

describe('triggers over HTTP, profile interface', () => {
  it('can be neither listed nor canceled', async () => {
    const { account, execution } = await connect('interface');

    await expect(account.triggers(FUTURES_ID, OPTIONS)).rejects.toThrow(/-1020/);
    const target = { instrumentId: FUTURES_ID, triggerId: '1' };
    expect(await execution.cancelConditional(target, OPTIONS)).toMatchObject({ kind: 'refused' });
  });
});
