import {
  serveExchange,
  type LocalExchange,
  type ServedExchange,
} from '../../../src/local-exchange/index.js';
import { REAL_TIME } from '../real-time.js';
import { buildTestExchange, CONTROL_TOKEN, type TestExchangeOptions } from './test-exchange.js';

/** An exchange that listens on a free port of this machine. */
export interface ServedTestExchange extends ServedExchange {
  readonly exchange: LocalExchange;
  control(method: string, path: string, body?: unknown): Promise<unknown>;
}

export async function serveTestExchange(
  options: TestExchangeOptions = {},
): Promise<ServedTestExchange> {
  const exchange = buildTestExchange({ transport: REAL_TIME, ...options });
  const served = await serveExchange(exchange, {
    port: 0,
    timers: REAL_TIME,
    control: { token: CONTROL_TOKEN, randomText: () => 'r4nd0m' },
    patience: { headersMs: 1_000, requestMs: 1_500 },
  });
  return {
    ...served,
    exchange,
    control: async (method, path, body) => {
      const answer = await fetch(`${served.url}/control${path}`, {
        method,
        headers: { authorization: `Bearer ${CONTROL_TOKEN}` },
        ...(body === undefined ? {} : { body: JSON.stringify(body) }),
      });
      return answer.json();
    },
  };
}
