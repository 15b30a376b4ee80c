import { formatFixed } from '../../domain/index.js';
import type { Command, Engine, EngineEvent, Portfolio } from '../../engine/index.js';
import type { EpochMs, InstrumentId } from '../../domain/index.js';
import type { EngineSessionOptions } from '../session/engine-session.js';
import {
  closedCondition,
  goneCondition,
  rulesCondition,
  unknownCondition,
} from '../bot/health-news.js';
import { InstrumentWatch, type InstrumentWatchOptions } from './instrument-watch.js';
import type { SentOrders } from '../session/sent-orders.js';

interface WatchInstrumentsOptions
  extends
    Omit<
      InstrumentWatchOptions,
      'onRules' | 'onClosed' | 'onGone' | 'onBack' | 'onReturned' | 'closings'
    >,
    Pick<EngineSessionOptions, 'onCondition' | 'onNotice'> {
  readonly engine: Engine;
  readonly orders: Pick<SentOrders, 'list'>;
  /** Restarts reading the market for the instruments that are there now. */
  readonly followListings: () => void;
  /** Reads orders and executions of one instrument. */
  readonly read: (instrumentId: InstrumentId) => Promise<void>;
  /** Takes a command. */
  readonly give: (command: Command) => void;
  /** Takes an event for the engine. */
  readonly tell: (make: (time: EpochMs) => EngineEvent) => void;
}

/** Watches the venue's changes of a bot's instruments, and reports them to bot and engine. */
export function watchInstruments(options: WatchInstrumentsOptions): InstrumentWatch {
  const { engine, tell, onCondition, onNotice, ...watched } = options;
  const { gone, orders, followListings, read, give } = options;
  return new InstrumentWatch({
    ...watched,
    closings: engine.closings,
    onGone: (instrumentId) => {
      // The outcomes of its orders cannot be found out; the condition of the instrument covers them.
      for (const { request } of orders.list(instrumentId))
        onCondition(unknownCondition(request.clientOrderId), undefined);
      followListings();
    },
    onBack: async (instrumentId) => {
      await read(instrumentId);
      for (const command of cancelsOf(engine, instrumentId)) give(command);
    },
    onReturned: followListings,
    onRules: (instrumentId, rules, text) => {
      tell((time) => ({ kind: 'rules', time, instrumentId, rules }));
      onNotice(text);
      onCondition(rulesCondition(instrumentId), `${text}; entries wait until resumed`);
    },
    onClosed: (instrumentId, text) => {
      const isGone = gone.has(instrumentId);
      const held = describeHeld(engine.portfolio.instrument(instrumentId));
      const working = isGone ? describeOrders(engine, instrumentId) : '';
      const line = text && `${text}; held${isGone ? ' by the journal' : ''}: ${held}${working}`;
      onNotice(line ?? `${instrumentId} can be entered again`);
      const [stands, ends] = isGone
        ? [goneCondition, closedCondition]
        : [closedCondition, goneCondition];
      onCondition(stands(instrumentId), line);
      onCondition(ends(instrumentId), undefined);
    },
  });
}

/** Cancels for orders of an instrument whose cancel has no known outcome. */
function cancelsOf(
  { workingOrders }: Pick<Engine, 'workingOrders'>,
  instrumentId: InstrumentId,
): readonly Command[] {
  return workingOrders
    .filter((order) => order.request.instrumentId === instrumentId && order.status === 'canceling')
    .map(({ request: { clientOrderId } }) => ({ kind: 'cancel', clientOrderId, instrumentId }));
}

function describeHeld({ long, short }: ReturnType<Portfolio['instrument']>): string {
  const sides = Object.entries({ long, short }).flatMap(([direction, { holding }]) =>
    holding.quantity > 0n ? [`${direction} ${formatFixed(holding.quantity)}`] : [],
  );
  return sides.length === 0 ? 'nothing' : sides.join(', ');
}

/** The state of orders cannot be read while the instrument is gone. */
function describeOrders(
  { workingOrders }: Pick<Engine, 'workingOrders'>,
  id: InstrumentId,
): string {
  const { length } = workingOrders.filter(({ request }) => request.instrumentId === id);
  if (length === 0) return '';
  return `, and ${String(length)} ${length === 1 ? 'order that works or has' : 'orders that work or have'} ended`;
}
