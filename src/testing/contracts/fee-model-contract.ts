import {
  A_LIST,
  checkOptions,
  type IdentifiedModel,
  type OptionChecks,
} from '../../config/index.js';
import {
  DAY_MS,
  FIXED_ONE,
  formatUtc,
  parseInstrumentId,
  type EpochMs,
  type FeeRates,
  type InstrumentId,
} from '../../domain/index.js';
import type { FeeModel } from '../../simulator/index.js';
import {
  broken,
  idTest,
  requireFactory,
  requireSameAnswers,
  withFunctions,
  type ContractTest,
} from './contract-test.js';

export interface FeeModelQuestions {
  /** Product and symbol, such as `spot:BTCUSDT`. @defaultValue a pair and a contract */
  readonly instruments?: readonly string[];
  /** UTC milliseconds. @defaultValue every seventh day of 2024 and 2025 */
  readonly times?: readonly EpochMs[];
}

const QUESTIONS: OptionChecks<FeeModelQuestions> = { instruments: A_LIST, times: A_LIST };

const START = Date.parse('2024-01-01T00:00:00Z');

/**
 * The contract of a fee model: rates are ratios and depend only on instrument and time. A run asks for the rates of a fill when it happens, and for the
 * rates of an order earlier, when risk judges it. A search over candle paths goes back in time.
 *
 * @param create - makes a model that has not been asked anything yet.
 * @throws {UsageError} `E_USAGE` for something else than a function, or unknown questions; {DomainError} for a text that names no instrument.
 */
export function feeModelContract(
  create: () => FeeModel & IdentifiedModel,
  asked: FeeModelQuestions = {},
): readonly ContractTest[] {
  requireFactory('feeModelContract', create);
  checkOptions(asked, QUESTIONS, 'questions');
  const {
    instruments = ['spot:BTCUSDT', 'futures:BTCUSDT'],
    times = Array.from({ length: 104 }, (_, week) => START + week * 7 * DAY_MS),
  } = asked;
  const questions = instruments.flatMap((instrument) =>
    times.map((time) => ({ instrument: parseInstrumentId(instrument), time })),
  );
  return [
    {
      name: 'returns ratios below 1 as bigints of 1e-18, and the asset of fees',
      run: () => {
        const model = create();
        for (const question of questions) requireRates(question, ask(model, question));
      },
    },
    {
      name: 'a taker never earns by trading: takers pay at least as much as makers receive',
      run: () => {
        const model = create();
        for (const question of questions) {
          const { maker, taker } = ask(model, question);
          if (maker + taker < 0n)
            throw broken(
              `maker and taker together not below 0 at ${nameOf(question)}`,
              `${String(maker)}n and ${String(taker)}n`,
            );
        }
      },
    },
    {
      name: 'returns the same rates for the same question, in any order and number of calls',
      run: () => {
        const [one, other] = [create(), create()];
        requireSameAnswers({
          questions,
          inOrder: (question) => textOf(ask(one, question)),
          shuffled: (question) => textOf(ask(other, question)),
          describe: (rates, question) => `${rates} at ${nameOf(question)}`,
        });
      },
    },
    idTest(create),
  ];
}

interface Question {
  readonly instrument: InstrumentId;
  readonly time: EpochMs;
}

/** A model may come from JavaScript, so neither its method nor its answer is certain. */
function ask(model: FeeModel, question: Question): FeeRates {
  const { instrument, time } = question;
  const rates: unknown = withFunctions(model, 'ratesAt').ratesAt(instrument, time);
  if (typeof rates === 'object' && rates !== null) return rates as FeeRates;
  throw broken(`an object as the rates of ${nameOf(question)}`, String(rates));
}

function nameOf({ instrument, time }: Question): string {
  return `${instrument}, ${formatUtc(time)}`;
}

/** A model may come from JavaScript, so the types of its rates are not certain. */
function requireRates(question: Question, rates: Readonly<Record<keyof FeeRates, unknown>>): void {
  const { maker, taker, paidIn } = rates;
  for (const [key, rate] of Object.entries({ maker, taker }))
    if (typeof rate !== 'bigint' || rate >= FIXED_ONE || rate <= -FIXED_ONE)
      throw broken(`a ratio below 1 as ${key} of ${nameOf(question)}`, String(rate));
  if (paidIn !== 'received' && paidIn !== 'quote')
    throw broken(`"received" or "quote" as paidIn of ${nameOf(question)}`, String(paidIn));
}

function textOf({ maker, taker, paidIn }: FeeRates): string {
  return `maker ${String(maker)}n, taker ${String(taker)}n, paid in ${paidIn}`;
}
