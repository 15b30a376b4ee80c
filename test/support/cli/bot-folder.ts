import { mkdir, writeFile } from 'node:fs/promises';
import path from 'node:path';
import { openArchive, sliceColumns, synthesizeCandles } from '../../../src/archive/index.js';
import {
  createInstrumentId,
  parseUtc,
  present,
  type CandleColumns,
  type Interval,
} from '../../../src/domain/index.js';
import { temporaryFolder } from '../temporary-folder.js';
import { BOT_YAML } from './bot-yaml.js';

/** The plugin of {@link BOT_YAML}. */
export const SMA_SOURCE = `import { CandleStrategy, crossedAbove, crossedBelow, int, sma } from 'evenkeel';
export class Sma extends CandleStrategy({ fast: int(2, 200, 10), slow: int(3, 400, 30) }) {
  readonly fast = this.indicator(sma(this.parameters.fast));
  readonly slow = this.indicator(sma(this.parameters.slow));
  override onCandle(): void {
    if (crossedAbove(this.fast, this.slow)) this.enterLong({ equity: '0.95' });
    else if (crossedBelow(this.fast, this.slow)) this.exit();
  }
}
`;

/** Candles of January 2025, the same in every test. */
export function januaryCandles(interval: Interval = '1h'): CandleColumns {
  const [series] = synthesizeCandles({
    seed: 3,
    interval,
    from: parseUtc('2025-01-01'),
    to: parseUtc('2025-02-01'),
    correlation: 0,
    instruments: [
      {
        instrumentId: createInstrumentId('spot', 'BTCUSDT'),
        startPrice: 60_000,
        volatility: 0.6,
        dailyVolume: 20_000,
        pricePrecision: 2,
        quantityPrecision: 5,
      },
    ],
  });
  return present(series, 'series').columns;
}

/** Columns without the rows from `from` to `to`, `to` excluded. */
export function withoutRows(columns: CandleColumns, from: number, to: number): CandleColumns {
  const [head, tail] = [
    sliceColumns(columns, 0, from),
    sliceColumns(columns, to, columns.open.length),
  ];
  const join = (name: keyof CandleColumns): Float64Array =>
    Float64Array.from([...head[name], ...tail[name]]);
  return {
    openTime: join('openTime'),
    open: join('open'),
    high: join('high'),
    low: join('low'),
    close: join('close'),
    volume: join('volume'),
  };
}

export interface BotFolderOptions {
  readonly yaml?: string;
  readonly plugin?: string | undefined;
  /** 'none': the folder of the archive is made and stays empty. */
  readonly candles?: CandleColumns | 'none';
  /** Interval of the candles. @defaultValue '1h' */
  readonly interval?: Interval;
}

/** Makes a folder with `bot.yaml`, its plugin and its candles. It is removed when the test ends. */
export async function botFolder(options: BotFolderOptions = {}): Promise<string> {
  const folder = await temporaryFolder();
  await writeFile(path.join(folder, 'bot.yaml'), options.yaml ?? BOT_YAML);
  const plugin = 'plugin' in options ? options.plugin : SMA_SOURCE;
  if (plugin !== undefined) await writeFile(path.join(folder, 'sma.strategy.ts'), plugin);
  const data = path.join(folder, 'data');
  await mkdir(data);
  if (options.candles !== 'none') {
    const { interval = '1h' } = options;
    const columns = options.candles ?? januaryCandles(interval);
    await openArchive(data).merge(
      { instrumentId: createInstrumentId('spot', 'BTCUSDT'), interval, columns },
      { source: 'test', volumeUnit: 'base' },
    );
  }
  return folder;
}
