import type { InstrumentId } from '../../domain/index.js';
import type { EndedPositionView } from '../../simulator/index.js';
import type { ProfitRecord } from '../../venue/index.js';
import type { PositionDates } from './position-times.js';

const IDS_PER_ACCOUNT = 100_000_000n;

/** Results of the ended positions of one account, with ids and times. */
export class ProfitRecords {
  readonly #ordinal: number;
  readonly #contractIdOf: (instrumentId: InstrumentId) => string | undefined;
  readonly #rows = new Map<InstrumentId, ProfitRecord[]>();
  #count = 0;

  constructor(ordinal: number, contractIdOf: (instrumentId: InstrumentId) => string | undefined) {
    this.#ordinal = ordinal;
    this.#contractIdOf = contractIdOf;
  }

  /** Adds the result of a position that has just ended. */
  add(position: EndedPositionView, { createdTime, updatedTime }: PositionDates): void {
    this.#count += 1;
    const { instrumentId, direction, ...result } = position;
    const id = BigInt(this.#ordinal) * IDS_PER_ACCOUNT + BigInt(this.#count);
    const rows = this.#rows.get(instrumentId) ?? [];
    this.#rows.set(instrumentId, rows);
    rows.push({
      id: String(id),
      contractId: this.#contractIdOf(instrumentId),
      side: direction === 'long' ? 'buy' : 'sell',
      marginMode: result.marginMode,
      quantity: result.quantity,
      leverage: result.leverage,
      openPrice: result.openPrice,
      closePrice: result.closePrice,
      closeProfit: result.closeProfit,
      tradeFee: result.tradeFee,
      fundingFee: result.fundingFee,
      totalProfit: result.totalProfit,
      createdTime,
      updatedTime,
    });
  }

  /** In rising ids. */
  of(instrumentId: InstrumentId): readonly ProfitRecord[] {
    return this.#rows.get(instrumentId) ?? [];
  }
}
