import { expect, it } from 'vitest';

import { MINUTE_MS, parseFixed, type Candle } from '../../../../src/domain/index.js';
import { TriggerBook } from '../../../../src/engine/orders/venue-stops/trigger-book.js';
import { aCandle } from '../../../support/candles.js';
import { aContractMarket, BTC_PERPETUAL } from '../../../support/futures-venue.js';

/** The book of one stop of a long position at 57,000, which waits at the venue since 100 ms after 00:01. */
function aBook(): TriggerBook {
  const book = new TriggerBook({ now: 0 } as never);
  const request = aContractMarket({
    ...{ id: 'a', instrument: BTC_PERPETUAL, side: 'sell', action: 'close', quantity: '10' },
  });
  const level = parseFixed('57000');
  book.add(request as never, {
    direction: 'long',
    ...{ trigger: 'stop-loss', level, label: 'stop-loss' },
  });
  for (const stop of book.list) book.moveTo(stop, 'waiting', MINUTE_MS + 100);
  return book;
}

const candleAt = (minute: number, low: number): Candle =>
  aCandle({ instrumentId: BTC_PERPETUAL.id, openTime: minute * MINUTE_MS, high: 60_000, low });

it.each([
  { what: 'opened before the trigger stood', candle: candleAt(1, 56_000), fired: 0 },
  { what: 'stays above the level', candle: candleAt(2, 57_000.1), fired: 0 },
  { what: 'touches the level', candle: candleAt(2, 57_000), fired: 1 },
])('a candle that $what: $fired fired', ({ candle, fired }) => {
  expect(aBook().firedIn(candle)).toHaveLength(fired);
});
