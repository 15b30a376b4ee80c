import { EMPTY, from, interval, mergeMap, type Observable } from 'rxjs';
import {
  enterLong,
  enterShort,
  exit,
  replace,
  Strategy,
  type Direction,
  type EntryTerms,
  type InstrumentId,
  type OrderIntent,
  type Size,
} from '../../src/index.js';

/** From one wish to the next. */
const TICK_MS = 10_000;
/** Wishes of an instrument until they begin again. */
const ROUND = 12;
/** How far from the last price an order rests that is not to fill, and one that is. */
const FAR = 0.03;
const NEAR = 0.0003;

/**
 * Always has orders at the venue: every ten seconds it places or moves one, in turns on each instrument, far from the price and near it, so
 * that some fill by themselves. Once in a round it buys at the market, and once it leaves everything there.
 *
 * What it does follows from the time and from what works, not from how often it was called: a bot that was away goes on where it is.
 */
export class RestlessTrader extends Strategy({}) {
  override intents(): Observable<OrderIntent> {
    return interval(TICK_MS).pipe(
      mergeMap(() => {
        const tick = Math.floor(this.now / TICK_MS);
        const instrument = this.instruments[tick % this.instruments.length]?.instrumentId;
        const last = instrument === undefined ? undefined : this.last(instrument);
        if (instrument === undefined || last === undefined) return EMPTY;
        return from(
          this.#wish(instrument, last, Math.floor(tick / this.instruments.length) % ROUND),
        );
      }),
    );
  }

  #wish(instrument: InstrumentId, last: number, step: number): readonly OrderIntent[] {
    if (step === ROUND - 1) return [exit({ instrument })];
    const isContract = instrument.startsWith('futures:');
    const direction = isContract && step % 4 > 1 ? 'short' : 'long';
    const size: Size = { quantity: isContract ? '20' : '0.002' };
    if (step === ROUND / 2) return [enter(direction, size, { instrument, add: true })];
    const isFar = step % 2 === 0;
    const distance = (isFar ? FAR : NEAR) * (direction === 'long' ? -1 : 1);
    const limitPrice = (last * (1 + distance)).toFixed(2);
    const label = `${instrument} ${direction} ${isFar ? 'far' : 'near'}`;
    const side = direction === 'long' ? 'buy' : 'sell';
    const works = this.workingOrders(instrument).some(
      (order) =>
        order.side === side &&
        order.action === 'open' &&
        isFar === Math.abs(Number(order.limitPrice ?? last) / last - 1) > FAR / 2,
    );
    return works
      ? [replace({ label }, { limitPrice })]
      : [enter(direction, size, { instrument, add: true, limitPrice, label })];
  }
}

function enter(direction: Direction, size: Size, terms: EntryTerms): OrderIntent {
  return direction === 'long' ? enterLong(size, terms) : enterShort(size, terms);
}
