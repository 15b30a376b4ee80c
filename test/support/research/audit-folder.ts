import { writeFile } from 'node:fs/promises';
import path from 'node:path';
import { openArchive } from '../../../src/archive/index.js';
import { createInstrumentId, type CandleColumns } from '../../../src/domain/index.js';
import { botFolder, januaryCandles } from '../cli/bot-folder.js';
import { BOT_YAML } from '../cli/bot-yaml.js';

/** A bot of two hourly instruments, and a file with the prices of the first. */
const YAML = BOT_YAML.replace(
  'intervals: [1h] }',
  'intervals: [1h] }\n  - { product: spot, symbol: ETHUSDT, intervals: [1h] }',
)
  .replace(
    '  rules:',
    '  rules:\n    ETHUSDT: { pricePrecision: 2, quantityPrecision: 5, minOrderMoney: "5" }',
  )
  .replace('from: 2025-01-01', 'from: 2025-01-04');

/** Makes the folder of a bot that trades hours of January with a plugin. */
export async function auditFolder(plugin: string): Promise<string> {
  const folder = await botFolder({ yaml: YAML, plugin });
  const { openTime, close, ...prices } = januaryCandles();
  const other: CandleColumns = { openTime, close, ...prices };
  // The second instrument has the prices of the first in reverse, so that the two do not move together.
  const columns = {
    openTime,
    open: other.open.toReversed().map(cents),
    high: other.high.toReversed().map(cents),
    low: other.low.toReversed().map(cents),
    close: other.close.toReversed().map(cents),
    volume: other.volume.toReversed(),
  };
  await openArchive(path.join(folder, 'data')).merge(
    { instrumentId: createInstrumentId('spot', 'ETHUSDT'), interval: '1h', columns },
    { source: 'test', volumeUnit: 'base' },
  );
  const table = [...openTime].map((time, row) => [time, close[row]]);
  await writeFile(path.join(folder, 'prices.json'), JSON.stringify(table));
  return folder;
}

function cents(price: number): number {
  return Math.round(price * 5) / 100;
}
