import type { TradingError } from '../../domain/index.js';
import type { StopWatch } from '../../engine/index.js';
import type { FuturesAccountSnapshot } from '../../venue/index.js';
import { StopSamples, type StopSamplesOptions } from '../stop-samples.js';
import type { ContractSampling, ContractSamples, SampledBot } from './contract-samples.js';

/** How a bot wants the stops of its contracts to be sampled. */
export type ContractTerms = Pick<SampledBot, 'band' | 'leastMs'>;

/** 1 % of the level, and as often as the limits allow. */
const DEFAULT_TERMS: ContractTerms = { band: 10n ** 16n, leastMs: 0 };

export interface SessionSamplesOptions extends Omit<StopSamplesOptions, 'onState' | 'watches'> {
  /** Stops that are watched now. */
  readonly watches: () => readonly StopWatch[];
  /** Samples contracts for all bots on the key. @defaultValue they are sampled on their grid, as pairs are */
  readonly contractSamples?: ContractSamples | undefined;
  readonly contractStops?: ContractTerms | undefined;
  readonly onAccount: (snapshot: FuturesAccountSnapshot) => void;
  /** A sample has failed, or all work again (undefined). `name` says which kind: each is over by itself. */
  readonly onState: (name: 'stops' | 'stops of contracts', error: TradingError | undefined) => void;
}

/** How one instrument with a stop is sampled now. */
export type StopSampling = ContractSampling;

/** Samples last for the stops of one bot: those of pairs each on its grid, those of contracts as the limits of the key allow. */
export class SessionSamples {
  readonly #options: SessionSamplesOptions;
  readonly #onGrids: StopSamples;
  readonly #bot: SampledBot;
  #leave: (() => void) | undefined;

  constructor(options: SessionSamplesOptions) {
    this.#options = options;
    const {
      contractSamples,
      contractStops = DEFAULT_TERMS,
      watches,
      onState,
      onLast,
      onAccount,
      onFailure,
    } = options;
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

  /** A second call changes nothing. */
  start(): void {
    this.#onGrids.start();
    this.#leave ??= this.#options.contractSamples?.join(this.#bot);
  }

  stop(): void {
    this.#onGrids.stop();
    this.#leave?.();
    this.#leave = undefined;
  }

  /** Of every instrument with a stop. */
  get sampling(): readonly StopSampling[] {
    const { contractSamples } = this.#options;
    return [...this.#onGrids.sampling, ...(contractSamples?.samplingOf(this.#bot) ?? [])];
  }
}
