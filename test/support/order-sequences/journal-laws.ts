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
 * What holds of what an engine is told and does, whatever becomes of its venue's answers: no order is sent twice, none fills more than it asked for or after its
 * end, and no exit sells more than is held. Of a bot that began with money alone.
 */
export class JournalLaws implements Journal {
  /** Answers of which nobody knew what became. */
  lost = 0;
  fills = 0;
  readonly #orders = new Map<ClientOrderId, Followed>();
  readonly #held = new Map<string, Fixed>();
  /** Orders of which nobody knew what became, and nothing was heard since, with when that was. */
  readonly #sought = new Map<ClientOrderId, EpochMs>();

  append(event: EngineEvent, commands: readonly Command[]): void {
    if (event.kind === 'venue') this.#hear(event);
    for (const command of commands) {
      if (command.kind !== 'submit') continue;
      const { order: request } = command;
      if (this.#orders.has(request.clientOrderId)) fail(request, 'is sent again');
      this.#orders.set(request.clientOrderId, { request, filled: 0n, hasEnded: false });
    }
  }

  /** Orders whose answers were lost before then, and of which nothing was heard since. */
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
    // What a fee has taken of what was bought is not there to be sold.
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
