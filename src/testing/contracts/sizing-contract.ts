import { A_FUNCTION, checkOptions } from '../../config/index.js';
import { CandleStrategy, type Sizing } from '../../strategy/index.js';
import { walk } from '../candle-shapes.js';
import { START_CHECKS, startStrategy, type StartOptions } from '../start-strategy.js';
import { broken, type ContractTest } from './contract-test.js';

/** Candles of each market. */
const CANDLES = 60;
/** Balances of the tests, in the equity currency: from hardly enough for an order to enough to move markets. */
const BALANCES = ['20', '1000', '10000', '2500000'];
/** Refusals of an amount that is too small for the venue. They do not break the contract. */
const TOO_SMALL: readonly string[] = ['min-order-quantity', 'min-order-money', 'zero-quantity'];

/**
 * The contract of a sizing rule: it gives one valid amount, gives it again for the same facts, and never more than the account can pay. A strategy that
 * enters and exits in turn tests it, at the venue of {@link startStrategy}, with little money and with much.
 *
 * @param options - other instruments, risk or terms; the contract sets `simulation.balances` itself.
 * @throws {UsageError} `E_USAGE` for something else than a function, or unknown options.
 */
export function sizingContract(
  sizing: Sizing,
  options: Omit<StartOptions, 'parameters'> = {},
): readonly ContractTest[] {
  checkOptions({ sizing }, { sizing: { ...A_FUNCTION, isRequired: true } }, 'sizingContract');
  checkOptions(options, START_CHECKS);
  return [
    {
      name: 'returns the same size for the same facts',
      run: async () => {
        await play(sizing, options, '10000', (first, again) => {
          if (first !== again) throw broken(`${first}, as in the previous call`, again);
        });
      },
    },
    ...BALANCES.map((balance) => ({
      name: `with ${balance} of equity: every entry has a valid and affordable size`,
      run: async () => {
        const { refusals } = await play(sizing, options, balance);
        const refused = refusals.find(
          ({ intent, check }) => intent.kind === 'enter' && !TOO_SMALL.includes(check),
        );
        if (refused !== undefined)
          throw broken('entries that pass', `a refusal by ${refused.check}: ${refused.text}`);
      },
    })),
    {
      name: 'enters at all',
      run: async () => {
        for (const balance of BALANCES) {
          const { orders } = await play(sizing, options, balance);
          if (orders.length > 0) return;
        }
        throw broken('an order with one of the balances', 'none');
      },
    },
  ];
}

/** Enters and exits in turn. `onSize` receives a size, and the size that the same facts give again. */
async function play(
  sizing: Sizing,
  options: StartOptions,
  balance: string,
  onSize: (first: string, again: string) => void = () => undefined,
): ReturnType<typeof startStrategy> {
  class Sized extends CandleStrategy({}) {
    override onCandle(): void {
      if (!this.position.quantity.isZero()) {
        this.exit();
        return;
      }
      const size = this.sizeBy(sizing);
      onSize(JSON.stringify(size), JSON.stringify(this.sizeBy(sizing)));
      this.enterLong(size, { protection: { stopLoss: { ratio: '0.05' } } });
    }
  }
  const { simulation } = options;
  const test = await startStrategy(Sized, {
    ...options,
    simulation: { ...simulation, balances: { USDT: balance } },
  });
  test.play(walk({ length: CANDLES }));
  return test;
}
