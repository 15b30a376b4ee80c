/** Bots of the reference work as files, for benchmarks that start the command line. */
import { mkdtempSync, writeFileSync } from 'node:fs';
import path from 'node:path';

/** Strategies of a stored bot. Their names are the class names in {@link SOURCE}. */
export type StoredStrategy =
  'LongWhileAbove' | 'LongWhileAboveStreamed' | 'FewFills' | 'ThousandTrades' | 'NeverTrades';

export interface StoredBot {
  readonly strategy: StoredStrategy;
  readonly archive: string;
  /** The venue's symbols, all of one product. */
  readonly symbols: readonly string[];
  /** @defaultValue 'spot' */
  readonly product?: 'spot' | 'futures';
}

const SOURCE = `import { CandleStrategy, enterLong, exit, int, sma, Strategy } from 'evenkeel';
import { distinctUntilChanged, map } from 'rxjs';

const DAY_MS = 86_400_000;
const quantity = int(1, 1_000_000, 1);

export class LongWhileAbove extends CandleStrategy({ quantity }) {
  readonly fast = this.indicator(sma(10));
  readonly slow = this.indicator(sma(30));
  readonly size = { quantity: String(this.parameters.quantity) };

  override onCandle(): void {
    if (this.fast.value > this.slow.value) this.enterLong(this.size);
    else this.exit();
  }
}

export class LongWhileAboveStreamed extends Strategy({ quantity }) {
  readonly fast = this.indicator(sma(10));
  readonly slow = this.indicator(sma(30));
  readonly size = { quantity: String(this.parameters.quantity) };

  override intents(market) {
    return market.candles$().pipe(
      map(() => this.fast.value > this.slow.value),
      distinctUntilChanged(),
      map((isAbove) => (isAbove ? enterLong(this.size) : exit())),
    );
  }
}

/** Buys a little of a symbol every other day, and sells it the day after. */
export class FewFills extends CandleStrategy({ quantity }) {
  override onCandle({ openTime, instrumentId }): void {
    if (openTime % DAY_MS !== 0) return;
    if ((openTime / DAY_MS) % 2 === 0)
      this.enterLong({ quantity: '0.01' }, { instrument: instrumentId });
    else this.exit({ instrument: instrumentId });
  }
}

/** A trade every thousand candles, whatever the prices do. */
export class ThousandTrades extends CandleStrategy({ quantity }) {
  #candles = 0;
  readonly size = { quantity: String(this.parameters.quantity) };

  override onCandle(): void {
    const place = this.#candles % 1_000;
    this.#candles += 1;
    if (place === 0) this.enterLong(this.size);
    else if (place === 500) this.exit();
  }
}

export class NeverTrades extends CandleStrategy({ quantity }) {
  override onCandle(): void {}
}
`;

/** Writes a bot's files into a folder of its own below the given one. Returns the path of its configuration. */
export function writeBot(folder: string, bot: StoredBot): string {
  const own = mkdtempSync(path.join(folder, 'bot-'));
  writeFileSync(path.join(own, 'reference.strategy.ts'), SOURCE);
  const config = path.join(own, 'bot.yaml');
  writeFileSync(config, configOf(bot));
  return config;
}

function configOf({ strategy, archive, symbols, product = 'spot' }: StoredBot): string {
  const isSpot = product === 'spot';
  const terms = isSpot
    ? ''
    : ', leverage: 5, marginMode: cross, contract: linear, multiplier: "0.001"';
  const lines = (line: (symbol: string) => string): string => symbols.map(line).join('\n');
  return `name: reference
strategy: { path: reference.strategy.ts, export: ${strategy}, parameters: { quantity: ${isSpot ? '1' : '1000'} } }
instruments:
${lines((symbol) => `  - { product: ${product}, symbol: ${symbol}, intervals: [1min]${terms} }`)}
simulation:
  archive: ${JSON.stringify(archive)}
  balances: { USDT: "10000000" }
  fees: { maker: "0.001", taker: "0.001", paidIn: quote }
  participation: off
  rules:
${lines((symbol) => `    ${symbol}: { pricePrecision: 2, quantityPrecision: ${isSpot ? '5' : '0'} }`)}
`;
}
