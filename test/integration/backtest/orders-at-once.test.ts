import { describe, expect, it } from 'vitest';

import { setImmediate as nextTurn } from 'node:timers/promises';

import { replayBacktest, runParity } from '../../../src/assembly/index.js';
import { systemTime } from '../../../src/engine/system-time.js';
import type { Candle } from '../../../src/domain/index.js';
import type { Journal, JournalEntry } from '../../../src/engine/index.js';
import { CandleStrategy } from '../../../src/strategy/index.js';
import { aBacktestConfig } from '../../support/backtest-config.js';
import { columnsOf } from '../../support/candle-columns.js';
import { createMemoryArchive } from '../../support/memory-archive.js';
import { inputsOf, paperRigs } from '../../support/paper-run.js';
import { alteredAnswers } from '../../support/parity/altered-answers.js';
import { BTC } from '../../support/replay.js';

/** Bids twice far below the market, once. */
class TwoBids extends CandleStrategy({}) {
  #hasBid = false;

  override onCandle({ close }: Candle): void {
    if (this.#hasBid) return;
    this.#hasBid = true;
    for (const part of [0.8, 0.7])
      this.enterLong({ notional: '500' }, { add: true, limitPrice: (close * part).toFixed(2) });
  }
}

const START = Date.UTC(2025, 0, 1);
const CONFIG = aBacktestConfig({ instrumentId: BTC, interval: '1min' });
const SERIES = [
  {
    instrumentId: BTC,
    interval: '1min',
    columns: columnsOf(
      Array.from({ length: 20 }, (_, minute) => ({
        ...{ time: START + minute * 60_000, open: 100, high: 101, low: 99, close: 100, volume: 9 },
      })),
    ),
  },
] as const;

/** A journal that keeps its entries. */
function aJournal(): Journal & { readonly entries: readonly JournalEntry[] } {
  const entries: JournalEntry[] = [];
  return { entries, append: (event, commands) => entries.push({ event, commands: [...commands] }) };
}

/** The largest number of buys that rest at the venue at one instant, by the journal: accepted and not ended. */
function mostAtOnce(entries: readonly JournalEntry[]): number {
  const sent = new Set<string>();
  const resting = new Set<string>();
  let most = 0;
  for (const { event, commands } of entries) {
    if (event.kind === 'venue' && 'clientOrderId' in event.update) {
      const { clientOrderId: id, kind } = event.update;
      if (kind === 'accepted' && sent.has(id)) resting.add(id);
      if (kind === 'ended') resting.delete(id);
    }
    most = Math.max(most, resting.size);
    for (const command of commands)
      if (command.kind === 'submit' && command.order.side === 'buy')
        sent.add(command.order.clientOrderId);
  }
  return most;
}

describe('two orders on the same side of one instrument', () => {
  it('work at the venue at the same time, according to the journal', async () => {
    const kept = aJournal();
    await replayBacktest({
      config: CONFIG,
      archive: createMemoryArchive(SERIES),
      strategyClass: TwoBids,
      sourceHash: 'test',
      journal: kept,
    });

    expect(mostAtOnce(kept.entries)).toBe(2);
  });

  it('work at the venue at the same time on paper', async () => {
    const rig = (await paperRigs(CONFIG, TwoBids, inputsOf(SERIES)))().finish();

    expect(mostAtOnce(rig.entries)).toBe(2);
    const working = rig.engine.workingOrders.filter(({ venueOrderId }) => venueOrderId);
    expect(working.map(({ request, status }) => [request.side, status])).toEqual([
      ['buy', 'open'],
      ['buy', 'open'],
    ]);
  });

  it('are in one answer of the venue over HTTP', async () => {
    let most = 0;
    const kept = aJournal();
    const dispatcher = alteredAnswers((body, path) => {
      if (path.startsWith('/sapi/v1/openOrders'))
        most = Math.max(most, body.split('"BUY"').length - 1);
      return body;
    });
    const { report } = await runParity({
      config: CONFIG,
      archive: createMemoryArchive(SERIES, { volumeUnit: 'base' }),
      strategyClass: TwoBids,
      sourceHash: 'test',
      breathe: () => nextTurn(),
      timers: systemTime,
      journal: kept,
      dispatcher,
    });

    expect(report.difference).toBeUndefined();
    expect(most).toBe(2);
    expect(mostAtOnce(kept.entries)).toBe(2);
  });
});
