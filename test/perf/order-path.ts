/**
 * Lists the functions of `src` that run for one order, from its candle to its booked fill, by the call counts of the JavaScript engine:
 *
 *     node --import ./.ci/bench-loader.mjs test/perf/order-path.ts [spot|futures]
 *
 * The count begins when a run of the reference work is warm. So functions that run once per run are not in the list.
 */
import { Session, type Profiler } from 'node:inspector';

import { runBacktest } from '../../src/assembly/index.js';
import { exit, enterLong, Strategy, type Market } from '../../src/strategy/index.js';
import type { OrderIntent } from '../../src/domain/index.js';
import { map, type Observable } from 'rxjs';
import { createArchive, createHistory } from './history.js';
import { createContractConfig, createReferenceConfig } from './reference-work.js';

const CANDLES = 2_000;
const COUNTED = 1_500;

const session = new Session();
session.connect();
let functions: Profiler.FunctionCoverage[][] = [];
let files: string[] = [];
let isCounting = false;

function begin(): void {
  session.post('Profiler.takePreciseCoverage');
  isCounting = true;
}

function end(): void {
  isCounting = false;
  session.post('Profiler.takePreciseCoverage', (_error, { result }) => {
    const called = result
      .filter(({ url }) => url.includes('/dist-modules/'))
      .map(({ url, functions: all }) => ({
        url,
        called: all.filter(
          ({ functionName, ranges }) => functionName !== '' && (ranges[0]?.count ?? 0) > 0,
        ),
      }))
      .filter(({ called: some }) => some.length > 0);
    files = called.map(({ url }) =>
      url.slice(url.indexOf('/dist-modules/') + '/dist-modules/'.length),
    );
    functions = called.map(({ called: some }) => some);
  });
}

class Trades extends Strategy({}) {
  #candles = 0;

  override intents(market: Market): Observable<OrderIntent> {
    return market.candles$().pipe(
      map(() => {
        this.#candles += 1;
        if (this.#candles === COUNTED) begin();
        const size = {
          quantity: this.instruments[0]?.instrumentId.startsWith('futures') === true ? '1000' : '1',
        };
        return this.#candles % 2 === 0 ? enterLong(size) : exit();
      }),
    );
  }

  override onFill(): void {
    if (isCounting) end();
  }
}

const isContract = process.argv[2] === 'futures';
const config = isContract ? createContractConfig() : createReferenceConfig();
const archive = createArchive(createHistory(CANDLES));
session.post('Profiler.enable');
session.post('Profiler.startPreciseCoverage', { callCount: true, detailed: false });
await runBacktest({ config, archive, strategyClass: Trades, sourceHash: 'order-path' });
const count = functions.reduce((sum, some) => sum + some.length, 0);
for (const [index, file] of files.entries())
  console.log(
    `${file}: ${(functions[index] ?? []).map(({ functionName, ranges }) => `${functionName} ${String(ranges[0]?.count)}`).join(', ')}`,
  );
console.log(`${String(count)} functions in ${String(files.length)} files`);
