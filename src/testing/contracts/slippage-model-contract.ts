import type { IdentifiedModel } from '../../config/index.js';
import { FIXED_ONE, formatFixed, type Fixed } from '../../domain/index.js';
import type { SlippageModel } from '../../simulator/index.js';
import {
  broken,
  idTest,
  requireFactory,
  requireSameAnswers,
  withFunctions,
  type ContractTest,
} from './contract-test.js';

/** Quantities and volumes of candles, from a thousandth to a million. */
const AMOUNTS: readonly Fixed[] = Array.from(
  { length: 10 },
  (_, power) => (FIXED_ONE / 1_000n) * 10n ** BigInt(power),
);

/**
 * The contract of a slippage model: its ratios make prices worse, never better, and depend only on the order and its candle.
 *
 * @param create - makes a model that has not been asked anything yet.
 * @throws {UsageError} `E_USAGE` for something else than a function.
 */
export function slippageModelContract(
  create: () => SlippageModel & IdentifiedModel,
): readonly ContractTest[] {
  requireFactory('slippageModelContract', create);
  return [
    {
      name: 'returns a ratio from 0 to below 1 as a bigint of 1e-18, also for a candle without volume',
      run: () => {
        const model = create();
        for (const volume of [0n, ...AMOUNTS])
          for (const quantity of AMOUNTS.filter((amount) => volume === 0n || amount <= volume))
            requireRatio({ quantity, volume }, ask(model, { quantity, volume }));
      },
    },
    {
      name: 'a larger order never has less slippage in the same candle',
      run: () => {
        const model = create();
        for (const volume of AMOUNTS)
          requireNoFall(AMOUNTS, (quantity) => ask(model, { quantity, volume }));
      },
    },
    {
      name: 'an order never has more slippage in a candle with more volume',
      run: () => {
        const model = create();
        for (const quantity of AMOUNTS)
          requireNoFall(AMOUNTS.toReversed(), (volume) => ask(model, { quantity, volume }));
      },
    },
    {
      name: 'returns the same ratio for the same order, in any order and number of calls',
      run: () => {
        const [one, other] = [create(), create()];
        requireSameAnswers({
          questions: AMOUNTS.flatMap((quantity) => AMOUNTS.map((volume) => ({ quantity, volume }))),
          inOrder: (question) => `${String(ask(one, question))}n`,
          shuffled: (question) => `${String(ask(other, question))}n`,
          describe: (ratio, question) => `${ratio} of ${nameOf(question)}`,
        });
      },
    },
    idTest(create),
  ];
}

/** An order's quantity, and the volume of its candle. */
interface Question {
  readonly quantity: Fixed;
  readonly volume: Fixed;
}

function ask(model: SlippageModel, { quantity, volume }: Question): Fixed {
  return withFunctions(model, 'ratio').ratio(quantity, { volume: () => volume });
}

function nameOf({ quantity, volume }: Question): string {
  return `${formatFixed(quantity)} in a candle of ${formatFixed(volume)}`;
}

/** A model may come from JavaScript, so the type of its ratio is not certain. */
function requireRatio(question: Question, ratio: unknown): void {
  if (typeof ratio !== 'bigint' || ratio < 0n || ratio >= FIXED_ONE)
    throw broken(`a ratio from 0 to below 1 of ${nameOf(question)}`, String(ratio));
}

/** Requires ratios that do not fall from one amount to the next. */
function requireNoFall(amounts: readonly Fixed[], ratioOf: (amount: Fixed) => Fixed): void {
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
