import {
  formatFixed,
  formatUtc,
  PRODUCT_KINDS,
  type AccountBalances,
  type Candle,
  type ClientOrderId,
  type EpochMs,
} from '../../domain/index.js';
import { isOrderUpdate } from '../../venue/index.js';
import type { ParityTrace, TraceEntry } from '../../report/index.js';
import {
  END_OF_RUN,
  type Command,
  type Engine,
  type EngineEvent,
  type Journal,
} from '../../engine/index.js';

/** A journal that records the entries that parity compares. */
export class TraceRecorder implements Journal {
  readonly #candles: TraceEntry[] = [];
  readonly #orders: { readonly entry: TraceEntry; readonly id: ClientOrderId }[] = [];
  readonly #cancels: TraceEntry[] = [];
  readonly #fills: TraceEntry[] = [];
  readonly #arrivals = new Map<ClientOrderId, EpochMs>();

  append(event: EngineEvent, commands: readonly Command[]): void {
    if (event.kind === 'candles') for (const candle of event.candles) this.#see(candle, event.time);
    if (event.kind === 'venue') this.#learn(event);
    for (const command of commands) this.#command(command, event.time);
  }

  #see(candle: Candle, time: EpochMs): void {
    const { instrumentId, interval, openTime, open, high, low, close, volume } = candle;
    this.#candles.push({
      time,
      fields: {
        instrument: instrumentId,
        interval,
        opened: formatUtc(openTime),
        open: String(open),
        high: String(high),
        low: String(low),
        close: String(close),
        volume: String(volume),
        learned: formatUtc(time),
      },
    });
  }

  #learn({ update }: Extract<EngineEvent, { kind: 'venue' }>): void {
    // The first update of an order is its answer.
    if (isOrderUpdate(update) && !this.#arrivals.has(update.clientOrderId))
      this.#arrivals.set(update.clientOrderId, update.eventTime);
    if (update.kind !== 'fill' && update.kind !== 'forced-fill') return;
    const { fill } = update;
    const { eventTime } = fill;
    this.#fills.push({
      time: eventTime,
      fields: {
        order: update.kind === 'fill' ? fill.clientOrderId : update.cause,
        instrument: fill.instrumentId,
        side: fill.side,
        action: fill.action,
        price: formatFixed(fill.price),
        quantity: formatFixed(fill.quantity),
        fee: formatFixed(fill.fee),
        feeAsset: fill.feeAsset,
        liquidity: fill.liquidity,
        time: formatUtc(eventTime),
      },
    });
  }

  #command(command: Command, time: EpochMs): void {
    if (command.kind === 'cancel') {
      const { clientOrderId, instrumentId } = command;
      this.#cancels.push({
        time,
        fields: { order: clientOrderId, instrument: instrumentId, time: formatUtc(time) },
      });
      return;
    }
    const { order, condition } = command;
    this.#orders.push({
      id: order.clientOrderId,
      entry: {
        time,
        fields: {
          intent: String(order.intentId),
          id: order.clientOrderId,
          instrument: order.instrumentId,
          side: order.side,
          action: order.action,
          type: order.type,
          price: order.type === 'limit' ? formatFixed(order.limitPrice) : '',
          timeInForce: order.type === 'limit' ? order.timeInForce : '',
          quantity: formatFixed(order.quantity),
          unit: order.unit,
          ...(condition && {
            trigger: `${condition.trigger} at ${formatFixed(condition.triggerPrice)}`,
          }),
          decision: formatUtc(time),
        },
      },
    });
  }

  /** The recorded entries, with final values of the engine. */
  trace(end: {
    readonly refusals: Engine['refusals'];
    readonly worked: Engine['worked'];
    readonly balances: AccountBalances;
  }): ParityTrace {
    const { refusals, worked, balances } = end;
    return {
      candles: this.#candles,
      orders: this.#orders.map(({ entry, id }) => ({
        time: entry.time,
        fields: { ...entry.fields, arrival: this.#arrivalOf(id) },
      })),
      cancels: this.#cancels,
      fills: this.#fills.toSorted((a, b) => a.time - b.time),
      // Intents that wait at the end of a backtest are refused. On the live side they still wait.
      refusals: refusals
        .filter(isOfRun)
        .map(({ time, lastTime, count, instrumentId, refusal }) => ({
          time,
          fields: {
            instrument: instrumentId,
            check: refusal.check,
            limit: refusal.limit,
            actual: refusal.actual,
            time: formatUtc(time),
            last: formatUtc(lastTime),
            count: String(count),
          },
        })),
      worked: worked.map(traceWork),
      balances: PRODUCT_KINDS.flatMap((account) =>
        [...(balances[account] ?? [])].map(([asset, total]) => ({
          time: Number.POSITIVE_INFINITY,
          fields: { account, asset, total: formatFixed(total) },
        })),
      ),
    };
  }

  #arrivalOf(id: ClientOrderId): string {
    const arrival = this.#arrivals.get(id);
    return arrival === undefined ? 'none' : formatUtc(arrival);
  }
}

/** Leaves out the end time: work that waits at the end of a backtest is withdrawn, but the live side continues. */
function traceWork(work: Engine['worked'][number]): TraceEntry {
  return {
    time: Number.POSITIVE_INFINITY,
    fields: {
      intent: String(work.intentId),
      instrument: work.instrumentId,
      side: work.side,
      arrival: formatFixed(work.arrivalPrice),
      quantity: formatFixed(work.quantity),
      filled: formatFixed(work.filledQuantity),
      worth: formatFixed(work.worth),
    },
  };
}

function isOfRun({ refusal }: Engine['refusals'][number]): boolean {
  return refusal.check !== END_OF_RUN.code;
}
