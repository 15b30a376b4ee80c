import {
  fixedFromNumber,
  type Candle,
  type ClientOrderId,
  type OrderRequest,
  type RiskApproved,
} from '../../../domain/index.js';
import type { Command } from '../../events.js';
import type { AccountView } from '../account-view.js';
import {
  firesBelow,
  isReached,
  onTick,
  type StopPlace,
  type VenueStop,
  type VenueStopKind,
} from './venue-stop.js';

/** A bot's triggers that may fire, as far as the engine knows. They are kept over restarts and epochs, until they have fired, ended, or been cleared. */
export class TriggerBook {
  readonly #account: AccountView;
  #stops: readonly VenueStop[] = [];

  constructor(account: AccountView) {
    this.#account = account;
  }

  /** Oldest first. */
  get list(): readonly VenueStop[] {
    return this.#stops;
  }

  find(clientOrderId: ClientOrderId): VenueStop | undefined {
    return this.#stops.find(({ request }) => request.clientOrderId === clientOrderId);
  }

  of({ instrumentId, direction }: StopPlace): readonly VenueStop[] {
    return this.#stops.filter(
      (stop) => stop.direction === direction && stop.request.instrumentId === instrumentId,
    );
  }

  /** Waiting triggers that have fired in a candle: it has touched their level, and they stood from its open on. */
  firedIn({ instrumentId, openTime, high, low }: Candle): readonly VenueStop[] {
    return this.#stops.filter((stop) => {
      if (stop.state !== 'waiting' || stop.request.instrumentId !== instrumentId) return false;
      if (openTime < stop.since) return false;
      return isReached(stop, fixedFromNumber(firesBelow(stop) ? low : high));
    });
  }

  add(
    request: RiskApproved<OrderRequest>,
    by: Pick<VenueStop, 'direction' | 'trigger' | 'level' | 'label'>,
  ): void {
    const { now } = this.#account;
    const fresh = { state: 'submitting', isOrphan: false, isAwaited: false } as const;
    const stop = { request, ...by, ...fresh, triggerId: undefined, placedTime: now, since: now };
    this.#stops = [...this.#stops, stop];
  }

  moveTo(stop: VenueStop, state: VenueStop['state'], since = this.#account.now): void {
    stop.state = state;
    stop.since = since;
  }

  remove(stop: VenueStop): void {
    this.#stops = this.#stops.filter((one) => one !== stop);
  }

  /** Whether the answer to a command is still open. A trigger in state `unknown` does not count here: it counts as standing. */
  get isUncertain(): boolean {
    return this.#stops.some(({ state }) => state === 'submitting' || state === 'canceling');
  }

  /** Drops triggers that the owner has removed by hand: those with these ids, ours or the venue's; without ids, all whose position is closed. */
  clear(ids: readonly string[]): void {
    const isMeant = ({ triggerId, request, isOrphan }: VenueStop): boolean =>
      ids.length === 0
        ? isOrphan
        : ids.includes(request.clientOrderId) ||
          (triggerId !== undefined && ids.includes(triggerId));
    this.#stops = this.#stops.filter((stop) => !isMeant(stop));
  }

  /** Applies a command of a journal. Returns whether it was of a trigger. */
  force(command: Command): boolean {
    if (command.kind === 'cancel') {
      const stop = this.find(command.clientOrderId);
      if (stop !== undefined) this.moveTo(stop, 'canceling');
      return command.isCondition === true;
    }
    const { order, condition } = command;
    if (condition === undefined) return false;
    const direction = order.side === 'sell' ? 'long' : 'short';
    const level = condition.triggerPrice;
    const trigger: VenueStopKind =
      condition.trigger === 'take-profit' ? 'take-profit' : 'stop-loss';
    const side = this.#account.positionSide(order.instrumentId, direction);
    const rules = this.#account.rules(side);
    const fixed = side.guard?.stop;
    const isTrailing =
      rules !== undefined &&
      fixed !== undefined &&
      onTick(fixed, direction === 'long', rules) !== level;
    const label = trigger === 'take-profit' || !isTrailing ? trigger : 'trailing-stop';
    this.add(order, { direction, trigger, level, label });
    return true;
  }

  checkpoint(): readonly VenueStop[] {
    return this.#stops.map((stop) => ({ ...stop }));
  }

  restore(stops: readonly VenueStop[]): void {
    this.#stops = stops.map((stop) => ({ ...stop }));
  }
}
