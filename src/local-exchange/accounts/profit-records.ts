import type { EpochMs, InstrumentId } from '../../domain/index.js';
import type { EndedPositionView } from '../../simulator/index.js';
import type { ProfitRecord } from '../../venue/index.js';

const IDS_PER_ACCOUNT = 100_000_000n;

/** Results of the positions of one account that have ended, with ids and times. */
export class ProfitRecords {
  readonly #ordinal: number;
  readonly #contractIdOf: (instrumentId: InstrumentId) => string | undefined;
  readonly #rows = new Map<InstrumentId, ProfitRecord[]>();
  #noted = 0;

  constructor(ordinal: number, contractIdOf: (instrumentId: InstrumentId) => string | undefined) {
    this.#ordinal = ordinal;
    this.#contractIdOf = contractIdOf;
  }

  /** Takes over what the ledger has ended since the last time. */
  note(ended: readonly EndedPositionView[], time: EpochMs): void {
    for (; this.#noted < ended.length; this.#noted += 1) {
      const position = ended[this.#noted];
      if (position !== undefined) this.#add(position, time);
    }
  }

  #add(position: EndedPositionView, time: EpochMs): void {
    const { instrumentId, direction, ...result } = position;
    const id = BigInt(this.#ordinal) * IDS_PER_ACCOUNT + BigInt(this.#noted + 1);
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
      createdTime: time,
      updatedTime: time,
    });
  }

  /** In rising ids. */
  of(instrumentId: InstrumentId): readonly ProfitRecord[] {
    return this.#rows.get(instrumentId) ?? [];
  }
}
