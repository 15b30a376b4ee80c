import type { BacktestConfig } from '../config/index.js';
import type { EpochMs } from '../domain/index.js';
import type { Result } from '../report/index.js';
import type { StrategyLog } from '../strategy/index.js';

type Plot = NonNullable<Result['plots']>[number];

/** Keeps what a strategy plots. */
export class PlotRecorder {
  readonly #instruments: readonly string[];
  readonly #lines = new Map<
    string,
    { name: string; instrument: string; points: [number, number][] }
  >();

  constructor({ instruments }: Pick<BacktestConfig, 'instruments'>) {
    this.#instruments = instruments.map(({ instrumentId }) => instrumentId);
  }

  /** A log that records plots, and says what another one says. */
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
    const id = this.#find(instrument);
    const key = `${id} ${name}`;
    const line = this.#lines.get(key) ?? { name, instrument: id, points: [] };
    this.#lines.set(key, line);
    const last = line.points.at(-1);
    // Of several in one instant the last one counts.
    if (last?.[0] === time) last[1] = value;
    else line.points.push([time, value]);
  }

  /** By its id or its bare symbol; what is unknown is drawn over the first, which has a picture. */
  #find(name: string | undefined): string {
    const [first = ''] = this.#instruments;
    if (name === undefined) return first;
    return this.#instruments.find((id) => id === name || id.endsWith(`:${name}`)) ?? first;
  }

  /** The lines since a run began; undefined where there is none. */
  since(from: EpochMs): readonly Plot[] | undefined {
    const lines = [...this.#lines.values()].flatMap((line) => {
      const points = line.points.filter(([time]) => time >= from);
      return points.length === 0 ? [] : [{ ...line, points }];
    });
    return lines.length === 0 ? undefined : lines;
  }
}
