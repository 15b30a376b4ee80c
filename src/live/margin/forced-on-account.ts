import type { FillRecord, InstrumentId } from '../../domain/index.js';
import {
  ForcedTrades,
  type ForcedFillUpdate,
  type ForcedVerdict,
  type NotedFill,
} from './forced-trades.js';
import type { MarginCalls } from './margin-calls.js';
import type { SessionTerms } from '../session/session-terms.js';

type ForcedTerms = Pick<SessionTerms, 'engine' | 'venue' | 'time' | 'forcedTerms'>;

/** Judges closes without an order of the bot: of contracts by what the venue shows, of margin by the bot's own books. */
export class ForcedOnAccount implements Pick<
  ForcedTrades,
  'judge' | 'mayConcern' | 'wasForced' | 'noteTold' | 'settle' | 'withInsurance'
> {
  readonly #contracts: ForcedTrades | undefined;
  readonly #margin: MarginCalls | undefined;

  /** `margin`: undefined if no margin instrument is traded. */
  constructor(
    { engine, venue, time, forcedTerms }: ForcedTerms,
    signal: AbortSignal,
    margin: MarginCalls | undefined,
  ) {
    this.#margin = margin;
    this.#contracts =
      forcedTerms &&
      new ForcedTrades({
        source: venue.account,
        portfolio: engine.portfolio,
        termsAt: forcedTerms,
        now: () => time.now(),
        signal,
      });
  }

  noteTold(told: NotedFill): void {
    this.#contracts?.noteTold(told);
  }

  settle(instrumentId: InstrumentId): void {
    this.#contracts?.settle(instrumentId);
  }

  mayConcern(instrumentId: InstrumentId, pending: readonly FillRecord[]): boolean {
    return this.#of(instrumentId)?.mayConcern(instrumentId, pending) ?? false;
  }

  /** False on margin, where no triggers are. */
  wasForced(...given: Parameters<ForcedTrades['wasForced']>): boolean {
    return this.#contracts?.wasForced(...given) ?? false;
  }

  async judge(...given: Parameters<ForcedTrades['judge']>): Promise<ForcedVerdict> {
    return (await this.#of(given[0])?.judge(...given)) ?? { kind: 'external' };
  }

  withInsurance(forced: ForcedFillUpdate): ForcedFillUpdate {
    return this.#of(forced.fill.instrumentId)?.withInsurance(forced) ?? forced;
  }

  #of(instrumentId: InstrumentId): ForcedTrades | MarginCalls | undefined {
    return instrumentId.startsWith('margin:') ? this.#margin : this.#contracts;
  }
}
