import { CandleStrategy, decimalFromNumber, type Candle, type Decimal, type Fill } from 'evenkeel';
import type { BotRunDescription } from 'evenkeel/run';

/** Maximum distance of orders from the price, as a ratio. */
const FARTHEST = 0.015;

/** Bids three levels below the price, offers each filled bid one level higher, then bids again. If all orders are far from the price, it starts again. */
export class Grid extends CandleStrategy({}) {
  override onCandle({ close }: Candle): void {
    const orders = this.workingOrders();
    const isFar = orders.every(
      ({ limitPrice }) => Math.abs(Number(limitPrice) / close - 1) > FARTHEST,
    );
    if (isFar) for (const label of ['bid', 'offer']) this.cancel({ label });
    if (orders.length > 0) return;
    const { quantity } = this.position;
    if (quantity.gt('0.001')) this.offer(quantity, decimalFromNumber(close));
    else for (const level of [1, 2, 3]) this.bid(close * (1 - level * 0.003));
  }

  override onFill({ action, price, quantity }: Fill): void {
    if (action === 'close') this.bid(price.toNumber() / 1.003);
    else this.offer(quantity, price);
  }

  offer(quantity: Decimal, price: Decimal): void {
    this.exit({ size: { quantity }, limitPrice: price.times('1.003'), label: 'offer' });
  }

  bid(price: number): void {
    const limitPrice = decimalFromNumber(price);
    this.enterLong({ quantity: '0.01' }, { add: true, limitPrice, label: 'bid' });
  }
}

/** A bot on the pair of the second venue. */
export const GRID: BotRunDescription = {
  name: 'grid',
  instruments: [
    { product: 'spot', symbol: 'BTCUSD', base: 'BTC', quote: 'USD', intervals: ['1min'] },
  ],
  simulation: {
    archive: '.',
    balances: { USD: '10000' },
    fees: { maker: '0.001', taker: '0.001' },
    rules: { BTCUSD: { pricePrecision: 2, quantityPrecision: 5 } },
  },
  live: { guard: 'off', staleAfterMs: 600_000, loopStallMs: 600_000 },
};
