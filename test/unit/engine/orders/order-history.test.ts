import { describe, expect, it } from 'vitest';

import {
  createInstrumentId,
  formatFixed,
  HOUR_MS,
  parseFixed,
  type ClientOrderId,
} from '../../../../src/domain/index.js';
import {
  foldOrderHistory,
  type ClaimedSide,
  type OrderHistory,
} from '../../../../src/engine/index.js';
import type { VenueUpdate } from '../../../../src/venue/index.js';

const CONTRACT = createInstrumentId('futures', 'E-BTC-USDT');
const NOON = Date.UTC(2025, 0, 1, 12);

const clientOrderId = 'test-1-0-0' as ClientOrderId;

function fill(action: 'open' | 'close', quantity: string, eventTime: number): VenueUpdate {
  const side = action === 'open' ? 'buy' : 'sell';
  const common = { clientOrderId, instrumentId: CONTRACT, side, action, eventTime } as const;
  return {
    ...{ kind: 'fill', clientOrderId, isFilled: true, eventTime },
    fill: {
      ...common,
      ...{ price: parseFixed('100'), quantity: parseFixed(quantity), fee: 0n },
      ...{ feeAsset: 'USDT', liquidity: 'taker' },
    },
  };
}

function funding(amount: string, eventTime: number): VenueUpdate {
  const zero = { markPrice: 0n, rate: 0n };
  const common = { instrumentId: CONTRACT, direction: 'long', asset: 'USDT', ...zero } as const;
  return { kind: 'funding', ...common, amount: parseFixed(amount), eventTime };
}

function claimed(quantity: string, before?: string): ClaimedSide {
  return {
    ...{ kind: 'claimed', instrumentId: CONTRACT, direction: 'long' },
    quantity: parseFixed(quantity),
    ...(before !== undefined && { funding: parseFixed(before) }),
  };
}

const ofLong = ({ funding: known }: OrderHistory): string | undefined => {
  const amount = known.get(`${CONTRACT} long`);
  return amount === undefined ? undefined : formatFixed(amount);
};

describe('the funding of claimed contracts in the history of a bot', () => {
  it('counts from the claim, also after a part was sold', () => {
    const history = foldOrderHistory(
      [],
      [
        claimed('100', '-5'),
        funding('-1', NOON),
        fill('close', '40', NOON + 1),
        funding('-0.6', NOON + HOUR_MS),
      ],
    );

    expect(ofLong(history)).toBe('-6.6');
    expect(history.ended).toEqual([]);
  });

  it('ends with the last claimed contract', () => {
    const parts = [claimed('100', '-5'), funding('-1', NOON), fill('close', '100', NOON + 1)];
    const history = foldOrderHistory([], parts);

    expect(ofLong(history)).toBeUndefined();
    expect(history.ended.map((each) => formatFixed(each.funding))).toEqual(['-6']);
  });

  it.each([
    ['closed all', [claimed('0')]],
    ['closed a part, and the bot the rest', [claimed('30'), fill('close', '30', NOON + 2)]],
  ])('is not that of the next position, if others %s', (_, between) => {
    const history = foldOrderHistory(
      [],
      [
        ...[fill('open', '100', NOON - 1), funding('-2', NOON), ...between],
        ...[fill('open', '10', NOON + 3), funding('-0.5', NOON + HOUR_MS)],
      ],
    );

    expect(ofLong(history)).toBe('-0.5');
  });
});
