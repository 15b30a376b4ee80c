import type { BacktestConfig } from '../../../src/config/index.js';
import {
  directionOf,
  type ClientOrderId,
  type EpochMs,
  type FillRecord,
  type Fixed,
  type OrderRequest,
} from '../../../src/domain/index.js';
import type { Command, EngineEvent, Journal } from '../../../src/engine/index.js';

interface Followed {
  readonly request: OrderRequest;
  filled: Fixed;
  hasEnded: boolean;
}

/**
 * Laws on the events and commands of an engine, whatever happens to the venue's answers: no order is sent twice; none fills more than its quantity or
 * after its end; no exit sells more than is held. The bot may begin with coins of its pairs, and without positions.
 */
export class JournalLaws implements Journal {
  /** Number of answers with an unknown outcome. */
  lost = 0;
  fills = 0;
  readonly #orders = new Map<ClientOrderId, Followed>();
  readonly #held: Map<string, Fixed>;
  /** Orders with an unknown outcome and no update since, with the time of the unknown outcome. */
  readonly #sought = new Map<ClientOrderId, EpochMs>();

  constructor({ instruments, simulation }: Pick<BacktestConfig, 'instruments' | 'simulation'>) {
    const coins = simulation.balances.spot;
    this.#held = new Map(
      instruments.flatMap((each) =>
        each.kind === 'spot'
          ? [[`${each.instrumentId} long`, coins?.get(each.base) ?? 0n] as const]
          : [],
      ),
    );
  }

  append(event: EngineEvent, commands: readonly Command[]): void {
    if (event.kind === 'venue') this.#hear(event);
    for (const command of commands) {
      if (command.kind !== 'submit') continue;
      const { order: request } = command;
      if (this.#orders.has(request.clientOrderId)) fail(request, 'is sent again');
      this.#orders.set(request.clientOrderId, { request, filled: 0n, hasEnded: false });
    }
  }

  /** Orders whose outcome became unknown before `time`, without an update since. */
  soughtSince(time: EpochMs): readonly ClientOrderId[] {
    return [...this.#sought].filter(([, since]) => since < time).map(([id]) => id);
  }

  #hear({ time, update }: Extract<EngineEvent, { readonly kind: 'venue' }>): void {
    if ('clientOrderId' in update) this.#sought.delete(update.clientOrderId);
    if (update.kind === 'outcome-unknown') {
      this.lost += 1;
      this.#sought.set(update.clientOrderId, time);
    }
    if (update.kind === 'forced-fill') this.#hold(update.fill);
    if (update.kind !== 'fill' && update.kind !== 'ended') return;
    const order = this.#orders.get(update.clientOrderId);
    if (order === undefined) throw new Error(`nobody sent ${update.clientOrderId}`);
    if (order.hasEnded) fail(order.request, `hears of ${update.kind} after its end`);
    order.hasEnded = update.kind === 'ended' || update.isFilled;
    if (update.kind === 'fill') this.#fill(order, update.fill);
  }

  #fill(order: Followed, fill: FillRecord): void {
    const { request } = order;
    this.fills += 1;
    order.filled += fill.quantity;
    if (request.unit !== 'quote' && order.filled > request.quantity)
      fail(request, `fills ${String(order.filled)}`);
    this.#hold(fill);
  }

  #hold(fill: FillRecord): void {
    const { instrumentId, action, quantity, feeAsset, fee } = fill;
    const [kind, symbol = ''] = instrumentId.split(':');
    const key = `${instrumentId} ${directionOf(fill)}`;
    // A fee in base reduces the quantity that can be sold.
    const isPaidInBase = kind === 'spot' && action === 'open' && symbol.startsWith(feeAsset);
    const change = action === 'open' ? quantity - (isPaidInBase ? fee : 0n) : -quantity;
    const held = (this.#held.get(key) ?? 0n) + change;
    if (held < 0n) throw new Error(`${key}: ${String(-held)} more were sold than are held`);
    this.#held.set(key, held);
  }
}

function fail({ clientOrderId }: OrderRequest, what: string): never {
  throw new Error(`order ${clientOrderId} ${what}`);
}
