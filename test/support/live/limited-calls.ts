import { createCallQueue, DEFAULT_PRINCIPAL, type CallQueue } from '../../../src/client/index.js';
import { priorityOf } from '../../../src/client/calls/call-priority.js';
import type { Timers } from '../../../src/client/ports.js';
import { splitInstrumentId, type Clock, type InstrumentId } from '../../../src/domain/index.js';
import type { CallOptions, CallPriority } from '../../../src/venue/index.js';
import { ENDPOINT_LIST, type AnyEndpoint } from '../../../src/venue/wire/index.js';

/** Endpoint of each method of a port, without its host. */
const ENDPOINT_OF: Readonly<Record<string, string>> = {
  serverTime: 'time',
  candles: 'klines',
  ticker: 'ticker',
  markPrice: 'index',
  account: 'account',
  order: 'queryOrder',
  openOrders: 'openOrders',
  trades: 'myTrades',
  orderHistory: 'orderHistorical',
  profits: 'profitHistorical',
  submit: 'order',
  cancel: 'cancel',
};

/** Methods whose answer is read page by page. Here the answer is one page. */
const LISTS: ReadonlySet<string> = new Set(['trades', 'orderHistory', 'profits']);

/** Lets calls without HTTP wait for the limits of the venue, as the client does. */
export class LimitedCalls {
  readonly #queue: CallQueue;

  constructor(time: Clock & Timers) {
    this.#queue = createCallQueue({ clock: time, timers: time });
  }

  /** Wraps a method of a port so that each call waits for its turn. A method without a limit is called at once. */
  limit(name: string, call: (...given: unknown[]) => unknown): (...given: unknown[]) => unknown {
    return (...given) => {
      const turn = this.#turnOf(name, given);
      if (turn === undefined) return call(...given);
      return LISTS.has(name)
        ? listed(turn, () => call(...given))
        : turn().then(() => call(...given));
    };
  }

  #turnOf(name: string, given: readonly unknown[]): (() => Promise<void>) | undefined {
    const endpoint = endpointOf(name, given[0]);
    if (endpoint === undefined) return undefined;
    const { signal, priority, onTurn } = (given.at(-1) ?? {}) as Partial<CallOptions>;
    const call = {
      ruleId: endpoint.rateLimit.bucket,
      principal: DEFAULT_PRINCIPAL,
      priority: priority ?? commandPriority(name, given[0]) ?? priorityOf(endpoint),
    };
    return async () => {
      const turn = this.#queue.enter(call, signal ?? new AbortController().signal);
      if (turn instanceof Promise) onTurn?.(true);
      this.#queue.settle(await turn);
      onTurn?.(false);
    };
  }
}

async function* listed(turn: () => Promise<void>, call: () => unknown): AsyncGenerator {
  await turn();
  yield* call() as AsyncIterable<unknown>;
}

function commandPriority(name: string, order: unknown): CallPriority | undefined {
  if (name === 'cancel') return 'exit';
  if (name !== 'submit') return undefined;
  return (order as { readonly action: string }).action === 'open' ? 'entry' : 'exit';
}

function endpointOf(name: string, first: unknown): AnyEndpoint | undefined {
  const endpoint = ENDPOINT_OF[name];
  if (endpoint === undefined) return undefined;
  const id =
    typeof first === 'string' ? first : (first as { instrumentId: InstrumentId }).instrumentId;
  const kind = id === 'futures' || splitInstrumentId(id as InstrumentId).kind === 'futures';
  const full = `${kind ? 'futures' : 'spot'}.${endpoint}`;
  return ENDPOINT_LIST.find((each) => each.id === full);
}
