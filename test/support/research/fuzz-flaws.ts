import type { Result } from '../../../src/report/index.js';

/** A strategy with a flaw that shows in some markets only. */
export interface Flaw {
  readonly plugin: string;
  /** The broken law, with its value in a backtest of the kept history; undefined if the strategy throws. */
  readonly law?: { readonly text: string; readonly valueOf: (result: Result) => number };
  /** Pattern of the description of the smallest market. */
  readonly needs: RegExp;
}

const strategy = (body: string): string =>
  `import { CandleStrategy, int, type Candle, type Order } from 'evenkeel';
export class Flawed extends CandleStrategy({ fast: int(2, 200, 10), slow: int(3, 400, 30) }) {
${body}
}
`;

/** Largest value of the held coins at a fill. Fees of buys are paid in the received coins. */
function boughtValue({ fills }: Result): number {
  let [held, largest] = [0, 0];
  for (const { side, quantity, fee, price } of fills) {
    held += side === 'buy' ? Number(quantity) - Number(fee) : -Number(quantity);
    largest = Math.max(largest, held * Number(price));
  }
  return largest;
}

/** Flaws, by description. */
export const FLAWS: Readonly<Record<string, Flaw>> = {
  'buys more and more while nothing moves': {
    plugin: strategy(`  override onCandle({ open, close }: Candle): void {
    if (close === open) this.enterLong({ equity: '0.02' }, { add: true });
  }`),
    law: { text: 'position value < 1500', valueOf: boughtValue },
    needs: /^\d+ candles flat$/,
  },
  'fails at a gap': {
    plugin: strategy(`  last = 0;
  override onCandle({ open, close }: Candle): void {
    if (this.last !== 0 && Math.abs(open / this.last - 1) > 0.1) throw new Error('what was that');
    this.last = close;
  }`),
    needs: /gap of [+-]1\d/,
  },
  'buys twice as much after a part was filled': {
    plugin: strategy(`  wasPart = false;
  override onCandle(): void {
    if (this.wasPart) this.enterLong({ equity: '0.4' }, { add: true });
    else if (this.position.quantity.isZero()) this.enterLong({ equity: '0.2' });
    else this.exit();
    this.wasPart = false;
  }
  override onOrder({ action, status, filledQuantity }: Order): void {
    if (action === 'open' && status === 'canceled' && !filledQuantity.isZero()) this.wasPart = true;
  }`),
    law: { text: 'position value < 3000', valueOf: boughtValue },
    needs: /with a volume of \d+ % of the account/,
  },
  'fails after a halt': {
    plugin: strategy(`  last = 0;
  override onCandle({ openTime }: Candle): void {
    if (this.last !== 0 && openTime - this.last > 3 * 3_600_000) throw new Error('where was I');
    this.last = openTime;
  }`),
    needs: /^1 candle flat, 3 candles missing, 1 candle flat$/,
  },
  'goes on asking after the rules have changed': {
    plugin: strategy(`  override onCandle(): void {
    this.enterLong({ equity: '0.01' });
  }`),
    law: {
      text: 'refused < 3',
      valueOf: ({ refusals }) => refusals.reduce((sum, { count }) => sum + count, 0),
    },
    needs: /rules: (?:larger minimum|closed)/,
  },
  'buys what a spike has left': {
    plugin: strategy(`  override onCandle({ high, close }: Candle): void {
    if (high > close * 1.2) this.enterLong({ equity: '0.9' });
  }`),
    law: { text: 'fills = 0', valueOf: ({ fills }) => fills.length },
    needs: /^spike of \+2\d/,
  },
};
