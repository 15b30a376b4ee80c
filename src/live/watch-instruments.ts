import { formatFixed } from '../domain/index.js';
import type { Engine, EngineEvent, Portfolio } from '../engine/index.js';
import type { EpochMs } from '../domain/index.js';
import type { EngineSessionOptions } from './engine-session.js';
import { closedCondition, rulesCondition } from './health-news.js';
import { InstrumentWatch, type InstrumentWatchOptions } from './instrument-watch.js';

export interface WatchInstrumentsOptions
  extends
    Omit<InstrumentWatchOptions, 'onRules' | 'onClosed' | 'closings'>,
    Pick<EngineSessionOptions, 'onCondition' | 'onNotice'> {
  readonly engine: Engine;
  /** Takes an event for the engine. */
  readonly tell: (make: (time: EpochMs) => EngineEvent) => void;
}

/** Watches what the venue changes of a bot's instruments, and tells bot and engine. */
export function watchInstruments(options: WatchInstrumentsOptions): InstrumentWatch {
  const { engine, tell, onCondition, onNotice, ...watched } = options;
  return new InstrumentWatch({
    ...watched,
    closings: engine.closings,
    onRules: (instrumentId, rules, text) => {
      tell((time) => ({ kind: 'rules', time, instrumentId, rules }));
      onNotice(text);
      onCondition(rulesCondition(instrumentId), `${text}; entries wait until resumed`);
    },
    onClosed: (instrumentId, text) => {
      const held = describeHeld(engine.portfolio.instrument(instrumentId));
      const line = text && `${text}; held: ${held}`;
      onNotice(line ?? `${instrumentId} can be entered again`);
      onCondition(closedCondition(instrumentId), line);
    },
  });
}

function describeHeld({ long, short }: ReturnType<Portfolio['instrument']>): string {
  const sides = Object.entries({ long, short }).flatMap(([direction, { holding }]) =>
    holding.quantity > 0n ? [`${direction} ${formatFixed(holding.quantity)}`] : [],
  );
  return sides.length === 0 ? 'nothing' : sides.join(', ');
}
