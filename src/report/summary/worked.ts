import {
  decimal,
  formatFixed,
  type Instrument,
  missing,
  nounOf,
  rangeOf,
  type RecordedWork,
  shortfallOf,
  type Work,
} from '../../domain/index.js';
import { countText, moneyText, ratioText } from './figure-text.js';
import type { Result, WorkedIntent } from '../result/result-schema.js';
import type { RunRecord } from '../run-record.js';

/**
 * Worked intents with their shortfall against the arrival prices.
 *
 * @throws {InvariantError} `E_MISSING` for an instrument that is not in the run.
 */
export function workedEntries({ worked = [], instruments }: RunRecord): readonly WorkedIntent[] {
  return worked.map((one) => {
    const instrument =
      instruments.find(({ id }) => id === one.instrumentId) ??
      missing(`instrument ${one.instrumentId}`);
    return workedEntry(one, instrument);
  });
}

/** One worked intent in the form of a result. */
export function workedEntry(work: RecordedWork, instrument: Instrument): WorkedIntent {
  const shortfall = shortfallOf(instrument, work);
  return {
    intent: work.intentId,
    instrument: work.instrumentId,
    side: work.side,
    action: work.action,
    label: work.label ?? null,
    work: plainWork(work.work),
    arrival: formatFixed(work.arrivalPrice),
    quantity: formatFixed(work.quantity),
    unit: work.unit,
    filled: formatFixed(work.filledQuantity),
    averagePrice: shortfall ? formatFixed(shortfall.averagePrice) : null,
    shortfall: shortfall ? formatFixed(shortfall.money) : null,
    shortfallBps: shortfall ? shortfall.basisPoints : null,
    currency: instrument.quote,
    from: work.from,
    to: work.to ?? null,
  };
}

/** Writes `maxBps` as text. */
function plainWork(work: Work): WorkedIntent['work'] {
  if (!('chase' in work)) return work;
  const { every, maxBps } = work.chase;
  return { chase: { every, maxBps: String(maxBps) } };
}

/** One line for each currency of the shortfalls. */
export function workedLines({ worked = [] }: Pick<Result, 'worked'>): readonly string[] {
  const currencies = [...new Set(worked.map(({ currency }) => currency))];
  return currencies.map((currency) => {
    const all = worked.filter((one) => one.currency === currency);
    const figures = all.flatMap(({ shortfallBps }) => shortfallBps ?? []);
    const count = `${countText(all.length)} ${nounOf(all.length, 'intent')}`;
    if (figures.length === 0) return `${count}, nothing filled`;
    const total = all.reduce((sum, { shortfall }) => sum.add(shortfall ?? '0'), decimal('0'));
    const [lowest, highest] = rangeOf(figures);
    const [low, high] = [ratioText(lowest), ratioText(highest)];
    const spread = low === high ? low : `${low} to ${high}`;
    return `${count}, shortfall ${moneyText(total.toFixed(), currency)} (${spread} bps), fees left out`;
  });
}
