/** History for the runs of the benchmarks: the reference walk as candles of a pair and of a contract, with its marks and funding. */
import type { Archive } from '../../src/archive/index.js';
import type { CandleColumns, FundingColumns } from '../../src/domain/index.js';
import { createMemoryArchive } from '../support/memory-archive.js';
import {
  CONTRACT_ID,
  createReferenceCandles,
  createReferenceFunding,
  createReferenceMarks,
  REFERENCE_ID,
} from './reference-work.js';

export interface History {
  readonly columns: CandleColumns;
  readonly marks: CandleColumns;
  readonly funding: FundingColumns;
}

export function createHistory(rows: number, seed?: number): History {
  const columns = createReferenceCandles(rows, seed);
  return {
    columns,
    marks: createReferenceMarks(columns),
    funding: createReferenceFunding(columns),
  };
}

export function createArchive({ columns, marks, funding }: History): Archive {
  const interval = '1min';
  return createMemoryArchive(
    [REFERENCE_ID, CONTRACT_ID].map((instrumentId) => ({ instrumentId, interval, columns })),
    {
      marks: [{ instrumentId: CONTRACT_ID, interval, columns: marks }],
      funding: new Map([[CONTRACT_ID, funding]]),
    },
  );
}
