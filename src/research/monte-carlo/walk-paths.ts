/** Figures of one path, as shares of its start or of its highest value. */
export interface PathFigures {
  /** 0.01 for 1 %. */
  readonly totalReturn: number;
  /** Largest fall from the highest value so far, 0.2 for 20 %. */
  readonly maxDrawdown: number;
  /** Most steps in a row whose value is below the highest value so far. */
  readonly longestFall: number;
  /** Lowest value; the path starts at 1. */
  readonly lowest: number;
}

/** Walks a path that starts at 1, and calls `onValue` with the value after each step. A value of 0 stays 0. */
export function walkPath(
  changes: Float64Array,
  order: ArrayLike<number>,
  onValue: (step: number, value: number) => void = () => undefined,
): PathFigures {
  let [value, top, topStep] = [1, 1, 0];
  let [maxDrawdown, longestFall, lowest] = [0, 0, 1];
  for (let step = 1; step <= order.length; step += 1) {
    value = Math.max(0, value * (1 + (changes[order[step - 1] ?? 0] ?? 0)));
    if (value >= top) {
      top = value;
      topStep = step;
    }
    maxDrawdown = Math.max(maxDrawdown, 1 - value / top);
    longestFall = Math.max(longestFall, step - topStep);
    lowest = Math.min(lowest, value);
    onValue(step, value);
  }
  return { totalReturn: value - 1, maxDrawdown, longestFall, lowest };
}

/** Figures of many paths, one number per path. */
export interface ManyPaths {
  readonly totalReturn: Float64Array;
  readonly maxDrawdown: Float64Array;
  readonly longestFall: Float64Array;
  /** Paths that end below their start. */
  readonly losing: number;
  /** Paths that were ruined at some step. */
  readonly ruined: number;
  /** For each marked step, the values of all paths. */
  readonly marks: readonly Float64Array[];
}

interface PathTallyOptions {
  /** Most paths. */
  readonly paths: number;
  /** Share of the initial equity whose loss is ruin. */
  readonly ruin: number;
  /** Steps after which values are kept, from 1 on, rising. @defaultValue none */
  readonly marked?: readonly number[] | undefined;
}

/** Walks paths one after the other and keeps their figures. Memory: 8 bytes per path for each figure and each marked step. */
export class PathTally {
  readonly #marked: readonly number[];
  readonly #ruin: number;
  readonly #figures: Readonly<Record<'totalReturn' | 'maxDrawdown' | 'longestFall', Float64Array>>;
  readonly #marks: readonly Float64Array[];
  #count = 0;
  #losing = 0;
  #ruined = 0;

  constructor({ paths, ruin, marked = [] }: PathTallyOptions) {
    const column = (): Float64Array => new Float64Array(paths);
    this.#marked = marked;
    this.#ruin = ruin;
    this.#figures = { totalReturn: column(), maxDrawdown: column(), longestFall: column() };
    this.#marks = marked.map(column);
  }

  /** Paths so far. */
  get count(): number {
    return this.#count;
  }

  add(changes: Float64Array, order: ArrayLike<number>): void {
    const path = this.#count;
    let next = 0;
    const figures = walkPath(changes, order, (step, value) => {
      if (step !== this.#marked[next]) return;
      (this.#marks[next] as Float64Array)[path] = value;
      next += 1;
    });
    this.#figures.totalReturn[path] = figures.totalReturn;
    this.#figures.maxDrawdown[path] = figures.maxDrawdown;
    this.#figures.longestFall[path] = figures.longestFall;
    if (figures.totalReturn < 0) this.#losing += 1;
    if (figures.lowest <= 1 - this.#ruin) this.#ruined += 1;
    this.#count += 1;
  }

  /** Figures of all paths so far, as views of the tally's own memory. */
  get paths(): ManyPaths {
    const { totalReturn, maxDrawdown, longestFall } = this.#figures;
    const added = (column: Float64Array): Float64Array => column.subarray(0, this.#count);
    return {
      totalReturn: added(totalReturn),
      maxDrawdown: added(maxDrawdown),
      longestFall: added(longestFall),
      losing: this.#losing,
      ruined: this.#ruined,
      marks: this.#marks.map(added),
    };
  }
}

interface WalkPathsOptions extends PathTallyOptions {
  /** Changes to recombine; 0.01 for 1 %. */
  readonly changes: Float64Array;
  /** Draws one path: the indexes of its changes in order. */
  readonly draw: () => ArrayLike<number>;
  /** Called between some hundred paths. It may throw, which ends the walk. @defaultValue nothing */
  readonly breathe?: (() => Promise<void>) | undefined;
}

const PATHS_PER_BREATH = 256;

/** Walks many paths, each drawn after the one before. */
export async function walkPaths(options: WalkPathsOptions): Promise<ManyPaths> {
  const { changes, paths, draw, breathe } = options;
  const tally = new PathTally(options);
  while (tally.count < paths) {
    if (tally.count % PATHS_PER_BREATH === 0) await breathe?.();
    tally.add(changes, draw());
  }
  return tally.paths;
}
