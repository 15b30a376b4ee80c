/** A strategy that breaks the rules, and the finding of an audit about it. */
export interface Cheater {
  readonly plugin: string;
  /** Part of the audit that names it. */
  readonly part: 'lookAhead' | 'determinism' | 'warmUp' | 'order';
  /** Pattern of its finding. */
  readonly named: RegExp;
}

const strategy = (body: string, head = ''): string =>
  `import { CandleStrategy, int, sma, type Candle } from 'evenkeel';
${head}
export class Cheater extends CandleStrategy({ fast: int(2, 200, 10), slow: int(3, 400, 30) }) {
${body}
}
`;

const buy = "this.enterLong({ equity: '0.4' })";

/** Cheaters whose plugin is an ordinary file. The candles are in `prices.json` of its folder, as `[[close time, close], …]`. */
export const CHEATERS: Readonly<Record<string, Cheater>> = {
  'keeps candles in an array that its next run reads ahead in': {
    plugin: strategy(
      `  override onCandle({ openTime, close }: Candle): void {
    const place = SEEN.findIndex(([time]) => time === openTime);
    const next = place < 0 ? close : (SEEN[place + 1]?.[1] ?? close);
    if (place < 0) SEEN.push([openTime, close]);
    if (next > close) ${buy};
    else if (next < close) this.exit();
  }`,
      'const SEEN: [number, number][] = [];',
    ),
    part: 'determinism',
    named: /two runs on the same candles differ .*in the next in the same thread.*E_PLUGIN_DIFFERS/,
  },
  'reads the clock': {
    plugin: strategy(`  override onCandle(): void {
    if (Date.now() % 2 === 0) ${buy};
    else this.exit();
  }`),
    part: 'determinism',
    named: /sma\.strategy\.ts:5:9: reads the clock \(Date\.now\).*E_PLUGIN_CLOCK/,
  },
  'decides in a promise': {
    plugin: strategy(`  isUp = false;
  override onCandle({ open, close }: Candle): void {
    void Promise.resolve().then(() => {
      this.isUp = close > open;
    });
    if (this.isUp) ${buy};
    else this.exit();
  }`),
    part: 'determinism',
    named: /makes a promise.*E_PLUGIN_PROMISE/,
  },
  'counts in a global, out of sight': {
    plugin: strategy(`  override onCandle({ open, close }: Candle): void {
    const kept: { runs?: number } = ((x) => x)(globalThis);
    kept.runs = (kept.runs ?? 0) + 1;
    if (kept.runs % 11 < 5 && close > open) ${buy};
    else this.exit();
  }`),
    part: 'determinism',
    named: /two runs on the same candles differ .*E_PLUGIN_DIFFERS/,
  },
  'reads what comes from a file': {
    plugin: strategy(
      `  readonly #next = new Map<number, number>();
  #last = 0;
  override onCandle({ openTime, close }: Candle): void {
    if (this.#next.size === 0) {
      const text = readFileSync(new URL('prices.json', import.meta.url), 'utf8');
      for (const [time, price] of JSON.parse(text)) this.#next.set(time, price);
    }
    if ((this.#next.get(openTime + 3_600_000) ?? 0) > close) ${buy};
    else this.exit();
  }`,
      "import { readFileSync } from 'node:fs';",
    ),
    part: 'determinism',
    named: /reads or writes outside of its events.*E_PLUGIN_IO/,
  },
  'brings the prices along': {
    plugin: strategy(
      `  override onCandle({ openTime, close }: Candle): void {
    const next = prices.find(([time]) => time === openTime + 3_600_000)?.[1] ?? 0;
    if (next > close) ${buy};
    else this.exit();
  }`,
      "import prices from './prices.json' with { type: 'json' };",
    ),
    part: 'lookAhead',
    named: /^prices\.json holds \d{3} closes of spot:BTCUSDT 1h.*E_AUDIT_PRICES/,
  },
  'does not wait for its average': {
    plugin: `import { enterLong, exit, int, Strategy, type Market } from 'evenkeel';
import { map } from 'rxjs';
export class Cheater extends Strategy({ fast: int(2, 200, 10), slow: int(3, 400, 30) }) {
  average = 0;
  override intents(market: Market) {
    return market.candles$().pipe(
      map(({ close }) => {
        this.average += (close - this.average) / (this.average === 0 ? 1 : 60);
        return close > this.average ? enterLong({ equity: '0.4' }) : exit();
      }),
    );
  }
}
`,
    part: 'warmUp',
    named: /% of the decisions change .*needed longer by average \(E_AUDIT_WARM_UP\)/,
  },
  'works an average out by hand, and does not wait for it': {
    plugin: strategy(`  #average = 0;
  override onCandle({ instrumentId, close }: Candle): void {
    if (instrumentId !== 'spot:BTCUSDT') return;
    this.#average += (close - this.#average) / (this.#average === 0 ? 1 : 40);
    if (close > this.#average) ${buy};
    else this.exit();
  }`),
    part: 'warmUp',
    named:
      /% of the decisions change .*needed longer by what it keeps to itself \(E_AUDIT_WARM_UP\)/,
  },
  'takes one instrument for newer than the other': {
    plugin: strategy(`  readonly last = new Map<string, number>();
  override onCandle({ instrumentId, close, open }: Candle): void {
    this.last.set(instrumentId, close);
    if (instrumentId !== 'spot:BTCUSDT') return;
    if ((this.last.get('spot:ETHUSDT') ?? 0) * 20 > close) ${buy};
    else this.exit();
  }`),
    part: 'order',
    named: /in the order of the config, .* in the opposite one \(E_AUDIT_ORDER\)/,
  },
};
