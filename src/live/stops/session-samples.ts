import { TradingError, type InstrumentId } from '../../domain/index.js';
import type { StopWatch } from '../../engine/index.js';
import type { FuturesAccountSnapshot } from '../../venue/index.js';
import { timeOfPhase } from '../session/session-time.js';
import { StopSamples, type StopSamplesOptions } from './stop-samples.js';
import {
  contractsOf,
  type ContractSampling,
  type ContractSamples,
  type SampledBot,
} from './contract-samples.js';
import { SampleTurn } from './unanswered.js';

/** Settings of a bot for the sampling of its contracts' stops. */
export type SamplingTerms = Pick<SampledBot, 'band' | 'leastMs'>;

/** 1 % of the level (18 decimals), and as often as the limits allow. */
const DEFAULT_TERMS: SamplingTerms = { band: 10n ** 16n, leastMs: 0 };

interface SessionSamplesOptions extends Omit<StopSamplesOptions, 'onState' | 'watches'> {
  /** Stops that are watched now. */
  readonly watches: () => readonly StopWatch[];
  /** Whether the bot's position is confirmed: its executions were read, or the account shows the same position. */
  readonly isCertain: (instrumentId: InstrumentId) => boolean;
  /** Samples contracts for all bots on the key. @defaultValue contracts are sampled on their grids, like pairs */
  readonly contractSamples?: ContractSamples | undefined;
  readonly contractStops?: SamplingTerms | undefined;
  readonly onAccount: (snapshot: FuturesAccountSnapshot) => void;
  /** Takes the error of a failed sample, or undefined when all of this kind work again. */
  readonly onState: (name: 'stops' | 'stops of contracts', error: TradingError | undefined) => void;
}

/** How one instrument with a stop is sampled now. */
export type StopSampling = ContractSampling;

/** Samples last for the stops of one bot: pairs on their grids, contracts as often as the limits of the key allow. */
export class SessionSamples {
  readonly #options: SessionSamplesOptions;
  readonly #onGrids: StopSamples;
  readonly #bot: SampledBot;
  #leave: (() => void) | undefined;
  #samplesAll = false;
  #isOver = false;

  constructor(options: SessionSamplesOptions) {
    this.#options = options;
    const {
      contractSamples,
      contractStops = DEFAULT_TERMS,
      isCertain,
      onState,
      onLast,
      onAccount,
      onFailure,
    } = options;
    const watches = (): readonly StopWatch[] => {
      const all = options.watches();
      return this.#samplesAll ? all : all.filter((each) => isCertain(each.instrumentId));
    };
    const isOnGrid = ({ instrumentId }: StopWatch): boolean =>
      contractSamples === undefined || !instrumentId.startsWith('futures:');
    this.#onGrids = new StopSamples({
      ...options,
      watches: () => watches().filter(isOnGrid),
      onState: (error) => {
        onState('stops', error);
      },
    });
    this.#bot = {
      ...contractStops,
      watches,
      onLast,
      onAccount,
      onFailure,
      onState: (error) => {
        onState('stops of contracts', error);
      },
    };
  }

  /** Samples all stops. A second call changes nothing. */
  start(): void {
    this.#samplesAll = true;
    this.#begin();
  }

  /**
   * Samples the stops of confirmed positions, and of more positions as they are confirmed. One reading of the account confirms all contracts, while
   * reading orders and executions of each contract takes long. Resolves when the account was read or the reading is late: other readings do not wait
   * longer for it.
   */
  async startCertain(): Promise<void> {
    const { contractSamples, time } = this.#options;
    // Pairs are confirmed by their own orders and executions. One that cannot be read keeps no other unguarded.
    if (!this.#isOver) this.#onGrids.start();
    if (contractSamples === undefined || contractsOf(this.#options.watches()).length === 0) return;
    const turn = new SampleTurn(timeOfPhase(time, 'samples'));
    await turn.lateness(this.#beginCertain(contractSamples, turn));
  }

  async #beginCertain(contractSamples: ContractSamples, { onTurn }: SampleTurn): Promise<void> {
    const { signal, onFailure } = this.#options;
    try {
      await contractSamples.look(this.#bot, { signal, onTurn });
      this.#begin();
    } catch (error: unknown) {
      // Without the account, contracts are confirmed one after the other.
      if (!signal.aborted && !(error instanceof TradingError)) onFailure(error);
    }
  }

  #begin(): void {
    if (this.#isOver) return;
    this.#onGrids.start();
    this.#leave ??= this.#options.contractSamples?.join(this.#bot);
  }

  stop(): void {
    this.#isOver = true;
    this.#onGrids.stop();
    this.#leave?.();
    this.#leave = undefined;
  }

  /** Sampling of every instrument with a stop. */
  get sampling(): readonly StopSampling[] {
    const { contractSamples } = this.#options;
    return [...this.#onGrids.sampling, ...(contractSamples?.samplingOf(this.#bot) ?? [])];
  }
}
