/**
 * Lists the functions of `src` that run for one order, from its candle to its booked fill, by the call counts of the JavaScript engine:
 *
 *     node --import ./.ci/bench-loader.mjs test/perf/order-path.ts [spot|futures]
 *
 * The count begins when a run of the reference work is warm. So functions that run once per run are not in the list.
 */
import { replayBacktest } from '../../src/assembly/index.js';
import { exit, enterLong, Strategy, type Market } from '../../src/strategy/index.js';
import type { OrderIntent } from '../../src/domain/index.js';
import { map, type Observable } from 'rxjs';
import { CallCounter, type CountedFunction } from './call-counter.js';
import { createArchive, createHistory } from './history.js';
import { createContractConfig, createReferenceConfig } from './reference-work.js';

const CANDLES = 2_000;
const COUNTED = 1_500;

const counter = new CallCounter();
let counted: readonly CountedFunction[] = [];
let isCounting = false;

class Trades extends Strategy({}) {
  #candles = 0;

  override intents(market: Market): Observable<OrderIntent> {
    return market.candles$().pipe(
      map(() => {
        this.#candles += 1;
        if (this.#candles === COUNTED) {
          counter.take();
          isCounting = true;
        }
        const size = {
          quantity: this.instruments[0]?.instrumentId.startsWith('futures') === true ? '1000' : '1',
        };
        return this.#candles % 2 === 0 ? enterLong(size) : exit();
      }),
    );
  }

  override onFill(): void {
    if (!isCounting) return;
    isCounting = false;
    counted = counter.take();
  }
}

const isContract = process.argv[2] === 'futures';
const config = isContract ? createContractConfig() : createReferenceConfig();
const archive = createArchive(createHistory(CANDLES));
await replayBacktest({ config, archive, strategyClass: Trades, sourceHash: 'order-path' });
const named = counted.filter(({ name }) => name !== '');
const files = new Set(named.map(({ file }) => file));
for (const file of files) {
  const functions = named.filter((one) => one.file === file);
  console.log(
    `${file}: ${functions.map(({ name, calls }) => `${name} ${String(calls)}`).join(', ')}`,
  );
}
console.log(`${String(named.length)} functions in ${String(files.size)} files`);
