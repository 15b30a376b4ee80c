import type { ClientOrderId, EpochMs, InstrumentId, VenueInterval } from '../domain/index.js';
import type { EngineEvent } from '../engine/index.js';
import { FROZEN, type BotLife, type LifeReason } from './bot-life.js';

/** What the engine is told of its health. */
export type HealthNews = Omit<Extract<EngineEvent, { readonly kind: 'health' }>, 'kind' | 'time'>;

export const COMPARING = 'bot and venue are being compared';

/** A start: nothing is entered from here on until bot and venue have been compared. */
export function comparesFrom(time: EpochMs): EngineEvent {
  return { kind: 'health', time, isDegraded: true, text: COMPARING };
}

/** Conditions of one instrument, by their names: what the world ends, and what the operator has to have seen. */
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

/** Of candles that nobody has: what was made of the others of that instrument is not what a backtest would have made. */
export function holeCondition(instrumentId: InstrumentId, interval: VenueInterval): string {
  return `${HOLE}${instrumentId} ${interval}`;
}

/** Of an order of which nobody knows what became. */
export function unknownCondition(clientOrderId: ClientOrderId): string {
  return `unknown ${clientOrderId}`;
}

export function rulesCondition(instrumentId: InstrumentId): string {
  return `${RULES}${instrumentId}`;
}

/** What the engine is to be told when conditions have changed: it refuses entries, of all or of one instrument, while anything is stale or unknown. */
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

/** What the operator has to have seen counts before what may end by itself. */
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
