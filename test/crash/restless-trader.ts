import { EMPTY, ignoreElements, interval, merge, mergeMap, of, type Observable } from 'rxjs';
import {
  bool,
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

/** Time between two intents. */
const TICK_MS = 5_000;
/** Number of intents of an instrument in a round. */
const ROUND = 26;
/** Distances from last: of an order that should not fill, and of one that should. */
const FAR = 0.03;
const NEAR = 0.0003;

/**
 * Always has orders at the venue. Every five seconds it raises one intent, on each instrument in turn: an order far from the price if it has
 * none. Otherwise it places or moves an order near the price, which soon fills. Once per round it enters at the market, and once it exits.
 *
 * Its intents depend on the time and on the working orders, not on the number of calls, so a bot that was away continues correctly. Its state counts
 * its fills.
 */
export class RestlessTrader extends Strategy(
  { listens: bool(false, { description: 'whether it has tickers polled' }) },
  { state: { fills: 0 } },
) {
  override onFill(): void {
    this.state.fills += 1;
  }

  override intents(): Observable<OrderIntent> {
    const listened = this.parameters.listens
      ? this.instruments.map(({ instrumentId }) => this.market.ticker$(instrumentId))
      : [];
    return merge(this.#intents(), merge(...listened).pipe(ignoreElements()));
  }

  #intents(): Observable<OrderIntent> {
    return interval(TICK_MS).pipe(
      mergeMap(() => {
        const tick = Math.floor(this.now / TICK_MS);
        const count = this.instruments.length;
        const instrument = this.instruments[tick % count]?.instrumentId;
        const last = instrument === undefined ? undefined : this.last(instrument);
        return instrument === undefined || last === undefined
          ? EMPTY
          : of(this.#intent({ instrument, last, step: Math.floor(tick / count) % ROUND }));
      }),
    );
  }

  #intent({ instrument, last, step }: Turn): OrderIntent {
    const isContract = instrument.startsWith('futures:');
    const direction = isContract && step % 2 === 1 ? 'short' : 'long';
    const size: Size = { quantity: isContract ? '20' : '0.002' };
    const place = (distance: number, label: string): OrderIntent =>
      enter(direction, size, {
        instrument,
        add: true,
        limitPrice: priceAt(last, direction, distance),
        label: `${instrument} ${direction} ${label}`,
      });
    const distances = this.#entries(instrument, direction).map((price) =>
      Math.abs(price / last - 1),
    );
    if (!distances.some((distance) => distance > FAR / 2)) return place(FAR, 'far');
    if (step >= ROUND - 2) return exit({ instrument, direction });
    if (step === ROUND / 2 || step === ROUND / 2 + 1)
      return enter(direction, size, { instrument, add: true });
    if (!distances.some((distance) => distance <= FAR / 2)) return place(NEAR, 'near');
    const target = { label: `${instrument} ${direction} near` };
    return replace(target, { limitPrice: priceAt(last, direction, NEAR) });
  }

  /** Limit prices of the working entries. */
  #entries(instrument: InstrumentId, direction: Direction): readonly number[] {
    const side = direction === 'long' ? 'buy' : 'sell';
    return this.workingOrders(instrument)
      .filter((order) => order.action === 'open' && order.side === side)
      .flatMap(({ limitPrice }) => (limitPrice === undefined ? [] : Number(limitPrice)));
  }
}

/** The instrument of a turn, its last price, and the step in the round. */
interface Turn {
  readonly instrument: InstrumentId;
  readonly last: number;
  readonly step: number;
}

function priceAt(last: number, direction: Direction, distance: number): string {
  return (last * (1 + (direction === 'long' ? -distance : distance))).toFixed(2);
}

function enter(direction: Direction, size: Size, terms: EntryTerms): OrderIntent {
  return direction === 'long' ? enterLong(size, terms) : enterShort(size, terms);
}
