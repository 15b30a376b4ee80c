import { FIXED_ONE, formatUtc, isObject, UsageError } from '../domain/index.js';
import { A_MODEL_ID, isModelId } from '../config/index.js';
import type { FeeModel, SlippageModel, VenueModels } from '../assembly/backtest/index.js';

/**
 * Takes the models that a program gives. Each answer of a model is checked, because an invalid ratio would give wrong amounts of money.
 *
 * @throws {UsageError} `E_MODEL` for an invalid model. The returned models throw it for an answer that cannot be used.
 */
export function takeModels(models: VenueModels): VenueModels {
  const given: unknown = models;
  if (!isObject(given)) throw refused('models', 'an object with fees or slippage', models);
  const { fees, slippage, ...rest } = models;
  const [unknown] = Object.keys(rest);
  if (unknown !== undefined) throw refused('models', 'the keys fees and slippage', unknown);
  // A null would stand for no fees at all.
  for (const [key, model] of Object.entries({ fees, slippage }))
    if (model !== undefined && !isObject(model))
      throw refused(`models.${key}`, 'a model or undefined', model);
  return {
    fees: fees && { id: idOf('models.fees', fees), ...guardFees(fees) },
    slippage: slippage && { id: idOf('models.slippage', slippage), ...guardSlippage(slippage) },
  };
}

/** @throws {UsageError} `E_MODEL` with the error of the model as its cause, so that the error names the model and not the strategy. */
function ask<T>(call: string, model: () => T): T {
  try {
    return model();
  } catch (error: unknown) {
    const text = error instanceof Error ? error.message : String(error);
    throw new UsageError('E_MODEL', `${call} failed: ${text}`, { cause: error });
  }
}

function idOf(key: string, { id }: { readonly id: unknown }): string {
  if (isModelId(id)) return id;
  throw refused(`${key}.id`, A_MODEL_ID, id);
}

function guardFees(fees: FeeModel): FeeModel {
  requireMethod('models.fees', fees, 'ratesAt');
  return {
    ratesAt: (instrumentId, time) => {
      const call = `models.fees.ratesAt(${instrumentId}, ${formatUtc(time)})`;
      const rates: unknown = ask(call, () => fees.ratesAt(instrumentId, time));
      if (!isObject(rates)) throw refused(call, 'rates { maker, taker, paidIn }', rates);
      const { maker, taker, paidIn } = rates;
      if (paidIn !== 'received' && paidIn !== 'quote')
        throw refused(`${call}.paidIn`, '"received" or "quote"', paidIn);
      return {
        maker: rateOf(`${call}.maker`, maker),
        taker: rateOf(`${call}.taker`, taker),
        paidIn,
      };
    },
  };
}

function guardSlippage(slippage: SlippageModel): SlippageModel {
  requireMethod('models.slippage', slippage, 'ratio');
  return {
    ratio: (quantity, market) => {
      // A new object, so that the model sees nothing else of the venue. It also works if the model takes the method off the object.
      const seen = { volume: () => market.volume() };
      const call = 'models.slippage.ratio()';
      const ratio = rateOf(
        call,
        ask(call, () => slippage.ratio(quantity, seen)),
      );
      if (ratio >= 0n) return ratio;
      throw refused('models.slippage.ratio()', 'a ratio of at least 0', ratio);
    },
  };
}

function requireMethod(name: string, model: object, key: string): void {
  const method = (model as Readonly<Record<string, unknown>>)[key];
  if (typeof method !== 'function') throw refused(`${name}.${key}`, 'a function', method);
}

/** Accepts a ratio between -1 and 1, both excluded. */
function rateOf(name: string, rate: unknown): bigint {
  if (typeof rate === 'bigint' && rate < FIXED_ONE && rate > -FIXED_ONE) return rate;
  throw refused(name, 'a ratio below 1 as a bigint of 1e-18, such as fixed("0.001")', rate);
}

function refused(place: string, expected: string, received: unknown): UsageError {
  return new UsageError('E_MODEL', `${place}: expected ${expected}, received ${told(received)}`);
}

function told(value: unknown): string {
  if (typeof value === 'string') return JSON.stringify(value);
  if (typeof value === 'bigint') return `${String(value)}n`;
  return typeof value === 'object' && value !== null ? 'an object' : String(value);
}
