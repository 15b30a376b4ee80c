/**
 * Source of a plugin that holds a position with a stop whenever it may, and counts the prices it has received. `stopBps`: distance of the stop,
 * in hundredths of a percent; `trails`: whether the stop follows the price; `moves`: interval in ms at which a bid far below the market is
 * canceled or sent again, 0: no bid. It fails when it is halted with the text `fail`.
 */
export const HOLDER_SOURCE = `import { bool, cancel, enterLong, int, Strategy } from 'evenkeel';
import { filter, interval, map, merge, mergeMap, of, timer, withLatestFrom } from 'rxjs';
export class Holder extends Strategy(
  { stopBps: int(1, 9000, 2000), trails: bool(false), moves: int(0, 60000, 0) },
  { state: { seen: 0 } },
) {
  warmup = 1;
  intents(market) {
    const { stopBps, trails, moves } = this.parameters;
    const ratio = String(stopBps / 10000);
    const protection = trails ? { trailingStop: { ratio } } : { stopLoss: { ratio } };
    const ticker$ = market.ticker$();
    const held$ = ticker$.pipe(map(() => {
      this.state.seen += 1;
      return enterLong({ notional: '1000' }, { protection, label: 'held' });
    }));
    if (moves === 0) return held$;
    const bid$ = interval(moves).pipe(
      withLatestFrom(ticker$),
      filter(([count]) => count >= 0),
      mergeMap(([count, { last }]) => count % 2 === 1
        ? of(cancel({ label: 'bid' }))
        : of(enterLong({ notional: '100' }, { add: true, limitPrice: (0.5 * last).toFixed(2), label: 'bid' }))),
    );
    return merge(held$, bid$);
  }
  onHalt({ text }) {
    if (text === 'fail') throw new Error('told to fail');
  }
}
`;
