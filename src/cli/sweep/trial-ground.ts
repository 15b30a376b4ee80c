import { setImmediate as nextTurn } from 'node:timers/promises';
import {
  createSharedCandles,
  createSharedMemory,
  loadPlugin,
  prepareMarket,
  type LoadedPlugin,
} from '../../assembly/index.js';
import { DataError } from '../../domain/index.js';
import {
  configWithin,
  openSnapshot,
  redrawMarket,
  type Redraw,
  type TrialGround,
  type TrialJob,
  type TrialSpan,
} from '../../research/index.js';
import type { TrialSetup } from './trial-pool.js';

/** Parts of the range that a thread keeps open. Most combinations of one part run while another part begins or ends. */
const PARTS_KEPT = 2;

/** The inputs of the combinations of one thread: the plugin, loaded once, and the market of the whole range or of parts. */
export class TrialGrounds {
  readonly #setup: TrialSetup;
  readonly #plugin: Promise<LoadedPlugin>;
  readonly #shared = createSharedMemory();
  /** The most recently used part is the last. */
  readonly #kept = new Map<string, Promise<TrialGround>>();

  constructor(setup: TrialSetup) {
    this.#setup = setup;
    this.#plugin = loadSamePlugin(setup);
    // Each job awaits the plugin and receives its failure.
    this.#plugin.catch(() => undefined);
  }

  /**
   * Returns the ground of a job: a part of the range, the whole range, or another history of it, which is made each time.
   *
   * @throws {DataError} `E_SWEEP_SOURCE` when the plugin has changed since the sweep began; the errors of `loadPlugin` and
   * `prepareMarket`.
   */
  of({ span, redraw }: Pick<TrialJob, 'span' | 'redraw'> = {}): Promise<TrialGround> {
    return redraw === undefined ? this.#ofPart(span) : this.#redraw(redraw);
  }

  #ofPart(span: TrialSpan | undefined): Promise<TrialGround> {
    const key = span === undefined ? '' : `${String(span.from)} ${String(span.to)}`;
    const ground = this.#kept.get(key) ?? this.#create(span);
    this.#kept.delete(key);
    this.#kept.set(key, ground);
    const [oldest] = this.#kept.keys();
    if (this.#kept.size > PARTS_KEPT && oldest !== undefined) this.#kept.delete(oldest);
    return ground;
  }

  /** Makes the ground of a redrawn history. It shares only the memory of records, because all other shared data belong to one market. */
  async #redraw(redraw: Redraw): Promise<TrialGround> {
    const { config, snapshot, sourceHash } = this.#setup;
    const { strategyClass } = await this.#plugin;
    const market = await prepareMarket(config, openSnapshot(redrawMarket(snapshot, redraw)));
    const { recordMemory } = this.#shared;
    const breathe = (): Promise<void> => nextTurn();
    return { config, market, strategyClass, sourceHash, recordMemory, breathe };
  }

  async #create(span: TrialSpan | undefined): Promise<TrialGround> {
    const { snapshot, sourceHash } = this.#setup;
    const { strategyClass } = await this.#plugin;
    const whole = this.#setup.config;
    const config = span === undefined ? whole : configWithin(whole, span);
    return {
      config,
      market: await prepareMarket(config, openSnapshot(snapshot)),
      strategyClass,
      sourceHash,
      ...this.#shared,
      candles: createSharedCandles(span === undefined ? 1 : PARTS_KEPT),
      breathe: () => nextTurn(),
    };
  }
}

/** Loads the plugin. @throws {DataError} `E_SWEEP_SOURCE` when the plugin has changed since the threads began; the errors of `loadPlugin`. */
export async function loadSamePlugin(setup: Omit<TrialSetup, 'snapshot'>): Promise<LoadedPlugin> {
  const { config, sourceHash, cacheFolder } = setup;
  const plugin = await loadPlugin(config.strategy, {
    locate: (key) => ({ file: config.name, key: `strategy.${key}` }),
    cacheFolder,
  });
  if (plugin.sourceHash === sourceHash) return plugin;
  throw new DataError(
    'E_SWEEP_SOURCE',
    `${config.strategy.path}: the plugin changed during the start of the sweep; start the sweep again`,
  );
}
