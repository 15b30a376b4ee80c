/**
 * Servers in their own process for the benchmark of the local exchange: the exchange, and a bare node:http server that answers with the
 * same bytes. Both read the whole request. The process sends their ports to its parent.
 */
import { createServer } from 'node:http';
import { fileURLToPath } from 'node:url';

import { openArchive } from '../../src/archive/index.js';
import { createInstrumentId, parseFixed, type EpochMs } from '../../src/domain/index.js';
import {
  buildExchange,
  completeAccount,
  serveExchange,
  shiftToNow,
  StoredMarket,
} from '../../src/local-exchange/index.js';
import { createFixedSlippage } from '../../src/simulator/index.js';

const timers = {
  after: (delayMs: number, action: () => void) => {
    const timer = setTimeout(action, delayMs);
    return () => {
      clearTimeout(timer);
    };
  },
};

const id = createInstrumentId('spot', 'BTCUSDT');
const archive = openArchive(fileURLToPath(new URL('../../backtest/data', import.meta.url)));
const market = await StoredMarket.load(archive, [
  {
    instrument: { kind: 'spot', id, symbol: 'BTCUSDT', base: 'BTC', quote: 'USDT' },
    rules: [{ from: 0, rules: { tradable: true, pricePrecision: 2, quantityPrecision: 5 } }],
    candlesOf: id,
  },
]);
const now: EpochMs = Date.now();
const account = completeAccount(
  {
    name: 'bench',
    key: 'bench-key',
    secret: 'bench-secret',
    balances: { spot: { USDT: '1000000000' } },
  },
  { randomText: () => 'unused', taken: [] },
);
const exchange = buildExchange({
  instruments: market.sources(shiftToNow(market.start, now)),
  terms: {
    slippage: createFixedSlippage(0n),
    halfSpread: 0n,
    participation: 'off',
    fillOnTouch: false,
    hourlyRate: parseFixed('0'),
    maxFeeRate: parseFixed('0'),
  },
  profile: 'interface',
  clock: { mode: 'realtime', start: now },
  accounts: [account],
  faults: { seed: 1, rules: [] },
  limits: undefined,
  transport: { now: () => Date.now() },
});
const served = await serveExchange(exchange, { port: 0, timers, control: undefined });

/** Answers of the exchange by path, sent by the parent. */
const answers = new Map<string, string>();
const bare = createServer((request, response) => {
  request.resume();
  request.on('end', () => {
    const [path] = (request.url ?? '').split('?');
    const answer = answers.get(path ?? '') ?? '{}';
    const length = String(Buffer.byteLength(answer));
    response.writeHead(200, { 'content-type': 'application/json', 'content-length': length });
    response.end(answer);
  });
});
bare.listen(0, '127.0.0.1', () => {
  const address = bare.address();
  const port = typeof address === 'object' ? address?.port : undefined;
  process.send?.({ exchange: served.port, bare: port });
});
process.on('message', (message) => {
  const { path, answer } = message as { readonly path: string; readonly answer: string };
  answers.set(path, answer);
});
process.on('disconnect', () => {
  process.exit();
});
