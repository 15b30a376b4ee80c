import type { BacktestConfig } from '../config/index.js';
import type { EpochMs } from '../domain/index.js';
import type { Result } from '../report/index.js';
import type { StrategyLog } from '../strategy/index.js';

type Plot = NonNullable<Result['plots']>[number];

/** Records the plots of a strategy. */
export class PlotRecorder {
  readonly #first: string;
  readonly #lines = new Map<
    string,
    { name: string; instrument: string; points: [number, number][] }
  >();

  constructor({ instruments: [first] }: Pick<BacktestConfig, 'instruments'>) {
    this.#first = first?.instrumentId ?? '';
  }

  /** Wraps a log: plots are recorded, all other lines go to `log`. */
  over(log: StrategyLog, now: () => EpochMs): StrategyLog {
    return {
      debug: (message, fields) => {
        log.debug(message, fields);
      },
      info: (message, fields) => {
        log.info(message, fields);
      },
      warn: (message, fields) => {
        log.warn(message, fields);
      },
      plot: (name, value, instrument) => {
        this.#add(now(), { name, value, instrument });
      },
    };
  }

  #add(
    time: EpochMs,
    {
      name,
      value,
      instrument,
    }: { readonly name: string; readonly value: number; readonly instrument: string | undefined },
  ): void {
    const id = instrument ?? this.#first;
    const key = `${id} ${name}`;
    const line = this.#lines.get(key) ?? { name, instrument: id, points: [] };
    this.#lines.set(key, line);
    const last = line.points.at(-1);
    // Of several values in one instant the last one counts.
    if (last?.[0] === time) last[1] = value;
    else line.points.push([time, value]);
  }

  /** The plotted lines from `from` on; undefined if there are none. */
  since(from: EpochMs): readonly Plot[] | undefined {
    const lines = [...this.#lines.values()].flatMap((line) => {
      const points = line.points.filter(([time]) => time >= from);
      return points.length === 0 ? [] : [{ ...line, points }];
    });
    return lines.length === 0 ? undefined : lines;
  }
}
