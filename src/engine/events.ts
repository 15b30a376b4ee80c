import {
  formatUtc,
  type Candle,
  type ClientOrderId,
  type EpochMs,
  type Fixed,
  type HaltAction,
  type InstrumentId,
  type InstrumentRules,
  type MarginReading,
  type MarketReading,
  type OrderRequest,
  type RiskApproved,
} from '../domain/index.js';
import type { HealthEvent } from '../risk/index.js';
import { isOrderUpdate, type TriggerKind, type VenueUpdate } from '../venue/index.js';
import type { StrategyFailure } from './strategy/strategy-failure.js';

/** A price as float64, quote per base, as candles hold theirs. */
export interface PriceSample {
  readonly instrumentId: InstrumentId;
  readonly price: number;
}

/** Everything that enters an engine. `time` is when the engine learns of it and never decreases. */
export type EngineEvent =
  /** All candles closed at one instant: longest interval first, then the order of the config. */
  | { readonly kind: 'candles'; readonly time: EpochMs; readonly candles: readonly Candle[] }
  /** A polled last price. */
  | {
      readonly kind: 'ticker';
      readonly time: EpochMs;
      readonly instrumentId: InstrumentId;
      readonly last: Fixed;
    }
  /** Mark prices, in the order of the config; before the candles of their instant. Futures only. */
  | { readonly kind: 'marks'; readonly time: EpochMs; readonly marks: readonly PriceSample[] }
  /** Polled market data that the strategy is subscribed to, if it differs from the reading before. */
  | { readonly kind: 'reading'; readonly time: EpochMs; readonly reading: MarketReading }
  /** The venue's margins of all positions in the bot's contracts; a position that is missing has ended. */
  | {
      readonly kind: 'margins';
      readonly time: EpochMs;
      readonly readings: readonly MarginReading[];
    }
  /**
   * The initial holdings are valued at last prices; `prices` has last prices for instruments that have none yet. Comes once, before anything
   * can be traded.
   */
  | { readonly kind: 'opening'; readonly time: EpochMs; readonly prices: readonly PriceSample[] }
  /** An update of the venue about one of our orders, or about our account. */
  | { readonly kind: 'venue'; readonly time: EpochMs; readonly update: VenueUpdate }
  /**
   * A command of the operator. `withdraw`: withdraw every order. `flatten`: also leave every position. `reduce-only`: no entries until resumed.
   * `resume`: end that and every halt, and count losses anew. `restart-strategy`: a failed strategy starts again with the next engine.
   */
  | {
      readonly kind: 'operator';
      readonly time: EpochMs;
      readonly action: 'flatten' | 'withdraw' | 'reduce-only' | 'resume' | 'restart-strategy';
    }
  /** The operator has removed triggers at the venue by hand: those with these ids, ours or the venue's; without ids, all whose position is closed. */
  | {
      readonly kind: 'operator';
      readonly time: EpochMs;
      readonly action: 'clear-triggers';
      readonly ids: readonly string[];
    }
  /** The operator's kill switch: no entries until resumed, and the action `onHalt`. */
  | {
      readonly kind: 'operator';
      readonly time: EpochMs;
      readonly action: 'halt';
      readonly onHalt: HaltAction;
      readonly text: string;
    }
  | HealthEvent
  /** The venue has other rules for an instrument from now on: all orders follow them. */
  | {
      readonly kind: 'rules';
      readonly time: EpochMs;
      readonly instrumentId: InstrumentId;
      readonly rules: InstrumentRules;
    }
  /** What failed of an instrument is tried again before its next candle: stops that closed nothing, rejected take-profits and exits, cancels. */
  | { readonly kind: 'stops'; readonly time: EpochMs; readonly instrumentId: InstrumentId }
  /** The strategy has failed, in the event before or outside of events. The engine goes on without it, and entries are withdrawn. */
  | { readonly kind: 'strategy-failed'; readonly time: EpochMs; readonly failure: StrategyFailure }
  /** The run is over: orders that have not reached the venue expire, and intents count no more. Commands of the operator still do. */
  | { readonly kind: 'end'; readonly time: EpochMs }
  /** Time passed; timers due by then fire. */
  | { readonly kind: 'timer'; readonly time: EpochMs };

/** An action that an engine requests. Adapters carry commands out in order. */
export type Command =
  | {
      readonly kind: 'submit';
      readonly order: RiskApproved<OrderRequest>;
      /** Condition on which the venue sends the order by itself; it holds the order back until then. @defaultValue it is sent now */
      readonly condition?: OrderCondition | undefined;
    }
  | {
      readonly kind: 'cancel';
      readonly clientOrderId: ClientOrderId;
      readonly instrumentId: InstrumentId;
      /** Whether it cancels an order that the venue holds back. @defaultValue false */
      readonly isCondition?: boolean | undefined;
    };

/** The condition of a conditional order: a touch of the trigger price by last (DESIGN R10). */
export interface OrderCondition {
  readonly trigger: TriggerKind;
  /** Quote per base. */
  readonly triggerPrice: Fixed;
}

/** Names an event in one line, for errors and logs. */
export function describeEvent(event: EngineEvent): string {
  const time = formatUtc(event.time);
  switch (event.kind) {
    case 'candles':
      return `candles ${event.candles.map((candle) => `${candle.instrumentId} ${candle.interval}`).join(', ')} at ${time}`;
    case 'ticker':
      return `ticker ${event.instrumentId} at ${time}`;
    case 'venue':
      return isOrderUpdate(event.update)
        ? `${event.update.kind} of order ${event.update.clientOrderId} at ${time}`
        : `${event.update.kind} at ${time}`;
    case 'marks':
      return `mark prices of ${event.marks.map(({ instrumentId }) => instrumentId).join(', ')} at ${time}`;
    case 'reading':
      return `${event.reading.kind} of ${event.reading.instrumentId} at ${time}`;
    case 'margins':
      return `margins of ${event.readings.map(({ instrumentId, direction }) => `${instrumentId} ${direction}`).join(', ') || 'nothing'} at ${time}`;
    case 'opening':
      return `opening of the account at ${time}`;
    case 'end':
      return `end of the run at ${time}`;
    case 'operator':
      return `operator's ${event.action} at ${time}`;
    case 'health':
      return `${event.isDegraded ? 'degraded' : 'no longer degraded'} (${event.text}) at ${time}`;
    case 'rules':
      return `other rules of ${event.instrumentId} at ${time}`;
    case 'stops':
      return `another try of what failed of ${event.instrumentId} (stops, take-profits, cancels) at ${time}`;
    case 'strategy-failed':
      return `failure of the strategy at ${time}`;
    case 'timer':
      return `timer at ${time}`;
  }
}
