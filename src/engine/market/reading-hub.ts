import { concatMap, filter, type Observable } from 'rxjs';
import {
  DomainError,
  splitInstrumentId,
  type DepthReading,
  type IndexReading,
  type InstrumentId,
  type MarketReading,
  type ReadingStream,
  type TickerReading,
  type TradePrint,
  type TradesReading,
} from '../../domain/index.js';
import { Channel } from './channel.js';

interface Listened {
  readonly stream: ReadingStream;
  readonly channel: Channel<MarketReading>;
}

/** Hands readings to their subscribers, and knows which streams have any. */
export class ReadingHub {
  readonly #isServed: boolean;
  readonly #listened = new Map<string, Listened>();
  readonly #fundingRates = new Map<InstrumentId, number>();

  /** `isServed`: whether requested streams are polled. */
  constructor(isServed: boolean) {
    this.#isServed = isServed;
  }

  ticker$(instrumentId: InstrumentId): Observable<TickerReading> {
    return this.#readings$('ticker', instrumentId).pipe(filter((each) => each.kind === 'ticker'));
  }

  depth$(instrumentId: InstrumentId): Observable<DepthReading> {
    return this.#readings$('depth', instrumentId).pipe(filter((each) => each.kind === 'depth'));
  }

  trades$(instrumentId: InstrumentId): Observable<TradePrint> {
    return this.#readings$('trades', instrumentId).pipe(
      filter((each): each is TradesReading => each.kind === 'trades'),
      concatMap(({ trades }) => trades),
    );
  }

  index$(instrumentId: InstrumentId): Observable<IndexReading> {
    return this.#readings$('index', instrumentId).pipe(filter((each) => each.kind === 'index'));
  }

  /** Streams that have subscribers now, in the order of their first request. */
  wanted(): readonly ReadingStream[] {
    return [...this.#listened.values()]
      .filter(({ channel }) => channel.isObserved)
      .map(({ stream }) => stream);
  }

  /** Funding rate of a contract, as it was read last. */
  fundingRate(instrumentId: InstrumentId): number | undefined {
    return this.#fundingRates.get(instrumentId);
  }

  deliver(reading: MarketReading): void {
    if (reading.kind === 'index' && reading.fundingRate !== undefined)
      this.#fundingRates.set(reading.instrumentId, reading.fundingRate);
    this.#listened.get(nameOf(reading))?.channel.push(reading);
  }

  /** Stops all deliveries. */
  silence(): void {
    for (const { channel } of this.#listened.values()) channel.silence();
    this.#listened.clear();
  }

  complete(): void {
    for (const { channel } of this.#listened.values()) channel.complete();
  }

  #readings$(kind: ReadingStream['kind'], instrumentId: InstrumentId): Observable<MarketReading> {
    this.#assertServed(kind, instrumentId);
    const stream: ReadingStream = { kind, instrumentId };
    const name = nameOf(stream);
    let listened = this.#listened.get(name);
    if (listened === undefined) {
      listened = { stream, channel: new Channel() };
      this.#listened.set(name, listened);
    }
    return listened.channel.values$;
  }

  #assertServed(kind: ReadingStream['kind'], instrumentId: InstrumentId): void {
    const isContract = splitInstrumentId(instrumentId).kind === 'futures';
    if (kind === 'trades' && isContract) {
      throw unavailable(kind, instrumentId, 'the venue shows no trades of contracts');
    }
    if (kind === 'index' && !isContract)
      throw unavailable(kind, instrumentId, 'pairs have neither index nor funding');
    if (!this.#isServed)
      throw unavailable(kind, instrumentId, 'a backtest has candles and marks only');
  }
}

function nameOf({ kind, instrumentId }: ReadingStream): string {
  return `${kind} ${instrumentId}`;
}

function unavailable(
  kind: ReadingStream['kind'],
  instrumentId: InstrumentId,
  why: string,
): DomainError {
  return new DomainError('E_STREAM_UNAVAILABLE', `no ${kind}$ of ${instrumentId}: ${why}`);
}
