import type { ClientOrderId, EpochMs, InstrumentId, VenueInterval } from '../../domain/index.js';
import type { EngineEvent } from '../../engine/index.js';
import { FROZEN, type BotLife, type LifeReason } from './bot-life.js';

/** News of the bot's health for the engine. */
export type HealthNews = Omit<Extract<EngineEvent, { readonly kind: 'health' }>, 'kind' | 'time'>;

export const COMPARING = 'bot and venue are being compared';

/** The event at a start: no entries until bot and venue have been compared. */
export function comparesFrom(time: EpochMs): EngineEvent {
  return { kind: 'health', time, isDegraded: true, text: COMPARING };
}

/** Prefixes of conditions of one instrument. Some end by themselves; others need the operator. */
const CLOSED = 'closed ';
const GONE = 'gone ';
const HOLE = 'hole ';
const RULES = 'rules ';

export function closedCondition(instrumentId: InstrumentId): string {
  return `${CLOSED}${instrumentId}`;
}

export function goneCondition(instrumentId: InstrumentId): string {
  return `${GONE}${instrumentId}`;
}

export function frozenCondition(instrumentId: InstrumentId): string {
  return `${FROZEN}${instrumentId}`;
}

/** Condition of a hole in the candles. Results of the strategy for this instrument then differ from a backtest's. */
export function holeCondition(instrumentId: InstrumentId, interval: VenueInterval): string {
  return `${HOLE}${instrumentId} ${interval}`;
}

/** Condition of an order whose outcome is unknown. */
export function unknownCondition(clientOrderId: ClientOrderId): string {
  return `unknown ${clientOrderId}`;
}

export function rulesCondition(instrumentId: InstrumentId): string {
  return `${RULES}${instrumentId}`;
}

/**
 * News for the engine when conditions change. While anything is stale or unknown, the engine refuses entries: all of them, or those of one
 * instrument.
 */
export function healthNews(before: BotLife, after: BotLife): readonly HealthNews[] {
  const news: HealthNews[] = [];
  const general = generalOf(after);
  if (general.length > 0 !== generalOf(before).length > 0) {
    const text = general[0]?.text ?? 'everything is known again';
    news.push({ isDegraded: general.length > 0, text });
  }
  const [old, now] = [byInstrument(before), byInstrument(after)];
  for (const instrumentId of new Set([...old.keys(), ...now.keys()])) {
    const found = now.get(instrumentId);
    const text = found?.text ?? `${instrumentId} can be entered again`;
    if (found?.text === old.get(instrumentId)?.text) continue;
    const untilResumed = found?.name.startsWith(RULES) === true;
    const isDegraded = found !== undefined;
    news.push({ isDegraded, text, instrumentId, ...(untilResumed && { untilResumed }) });
  }
  return news;
}

function isGeneral({ name }: LifeReason): boolean {
  return OF_INSTRUMENTS.every((prefix) => !name.startsWith(prefix));
}

function generalOf({ conditions }: BotLife): readonly LifeReason[] {
  return conditions.filter(isGeneral);
}

const OF_INSTRUMENTS = [CLOSED, GONE, FROZEN, HOLE, RULES] as const;

/** The condition of each instrument. A condition that needs the operator wins over one that may end by itself. */
function byInstrument({ conditions }: BotLife): ReadonlyMap<InstrumentId, LifeReason> {
  const found = new Map<InstrumentId, LifeReason>();
  for (const prefix of OF_INSTRUMENTS)
    for (const condition of conditions)
      if (condition.name.startsWith(prefix)) {
        const [instrumentId] = condition.name.slice(prefix.length).split(' ');
        found.set(instrumentId as InstrumentId, condition);
      }
  return found;
}
