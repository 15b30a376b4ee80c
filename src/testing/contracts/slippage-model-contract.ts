import { FIXED_ONE, formatFixed, type Fixed } from '../../domain/index.js';
import { createRandom } from '../../engine/index.js';
import type { SlippageModel } from '../../simulator/index.js';
import { broken, type ContractTest } from './contract-test.js';

/** Quantities and volumes of candles, from a thousandth to a million. */
const AMOUNTS: readonly Fixed[] = Array.from(
  { length: 10 },
  (_, power) => (FIXED_ONE / 1_000n) * 10n ** BigInt(power),
);

/**
 * The contract of a slippage model: its ratios make prices worse, never better, and depend only on the order and its candle.
 *
 * @param create - makes a model that has not been asked anything yet.
 */
export function slippageModelContract(create: () => SlippageModel): readonly ContractTest[] {
  const ask = (model: SlippageModel, quantity: Fixed, volume: Fixed): Fixed =>
    model.ratio(quantity, { volume: () => volume });
  const nameOf = (quantity: Fixed, volume: Fixed): string =>
    `${formatFixed(quantity)} in a candle of ${formatFixed(volume)}`;
  return [
    {
      name: 'returns a ratio from 0 to below 1 as a bigint of 1e-18, also for a candle without volume',
      run: () => {
        const model = create();
        for (const volume of [0n, ...AMOUNTS])
          for (const quantity of AMOUNTS.filter((amount) => volume === 0n || amount <= volume)) {
            const ratio: unknown = ask(model, quantity, volume);
            if (typeof ratio !== 'bigint' || ratio < 0n || ratio >= FIXED_ONE)
              throw broken(
                `a ratio from 0 to below 1 of ${nameOf(quantity, volume)}`,
                String(ratio),
              );
          }
      },
    },
    {
      name: 'a larger order never has less slippage in the same candle',
      run: () => {
        const model = create();
        for (const volume of AMOUNTS) inTurn(AMOUNTS, (quantity) => ask(model, quantity, volume));
      },
    },
    {
      name: 'an order never has more slippage in a candle with more volume',
      run: () => {
        const model = create();
        for (const quantity of AMOUNTS)
          inTurn(AMOUNTS.toReversed(), (volume) => ask(model, quantity, volume));
      },
    },
    {
      name: 'returns the same ratio for the same order, in any order and number of calls',
      run: () => {
        const [one, other] = [create(), create()];
        const questions = AMOUNTS.flatMap((quantity) =>
          AMOUNTS.map((volume) => ({ quantity, volume })),
        );
        const first = questions.map(({ quantity, volume }) => ask(one, quantity, volume));
        const random = createRandom(1);
        for (let asked = 0; asked < 2 * questions.length; asked += 1) {
          const place = Math.floor(random() * questions.length);
          const question = questions[place];
          if (question === undefined) return;
          const { quantity, volume } = question;
          const [before, again] = [first[place], ask(other, quantity, volume)];
          if (again !== before)
            throw broken(
              `${String(before)}n of ${nameOf(quantity, volume)}, as at first`,
              `${String(again)}n`,
            );
        }
      },
    },
  ];

  /** Requires ratios that do not fall from one amount to the next. */
  function inTurn(amounts: readonly Fixed[], ratioOf: (amount: Fixed) => Fixed): void {
    let [last, lastAmount] = [0n, amounts[0] ?? 0n];
    for (const amount of amounts) {
      const ratio = ratioOf(amount);
      if (ratio < last)
        throw broken(
          `a ratio at ${formatFixed(amount)} of at least the ${formatFixed(last)} at ${formatFixed(lastAmount)}`,
          formatFixed(ratio),
        );
      [last, lastAmount] = [ratio, amount];
    }
  }
}
