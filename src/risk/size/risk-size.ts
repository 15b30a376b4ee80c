import {
  dearestRate,
  formatFixed,
  maxFixed,
  takerPrice,
  type DecimalInput,
  type Fixed,
} from '../../domain/index.js';
import { knownPrice, type RiskAccount } from '../account.js';
import { fundingAsset } from '../funds.js';
import { floorPositive } from './money.js';
import type { RiskPolicy } from '../policy.js';
import { createRefusal, type Refused } from '../refusal.js';
import { readShare, refuseShare } from './share.js';
import type { SizedAmount } from './sizing.js';
import { lossOfOne } from './stop-loss.js';
import { refuseWithoutPrice, type OrderTerms } from '../terms.js';
import { fromEquityCurrency, refuseWithoutWorth } from './worth.js';

/**
 * The largest quantity on the step grid whose loss is at most a share of equity. The entry fills at the last price, or at its limit price, and the
 * stop at its level, with the costs of both (DESIGN R4, R8).
 */
export function readRisk(
  terms: OrderTerms,
  input: DecimalInput,
  { account, policy }: { readonly account: RiskAccount; readonly policy: RiskPolicy },
): SizedAmount | Refused {
  const { proposal, rules } = terms;
  const { instrument, side } = proposal;
  const share = readShare(input);
  if (share === undefined) return refuseShare(input, 'share of equity', '0.01');
  const asset = fundingAsset(instrument);
  const equity = fromEquityCurrency(account, asset, maxFixed(account.equity(), 0n));
  if (equity === undefined) return refuseWithoutWorth(asset, account);
  const costs = { cost: policy.takerCost ?? 0n, tick: rules.tick };
  const fees = policy.fees(instrument.id, account.now);
  const isLimit = proposal.limitPrice !== undefined;
  const price = isLimit ? terms.price : knownPrice(account, instrument.id);
  if (price === undefined) return refuseWithoutPrice(proposal);
  const entry = isLimit ? price : takerPrice(side, { numerator: price, denominator: 1n }, costs);
  const stop = proposal.stopAt?.(entry);
  if (stop === undefined || stop <= 0n || (side === 'buy' ? stop >= price : stop <= price))
    return refuseStop(terms, { price, entry, stop });
  const exitSide = side === 'buy' ? 'sell' : 'buy';
  const { numerator, denominator } = lossOfOne(instrument, {
    side,
    entry,
    entryRate: isLimit ? dearestRate(fees) : fees.taker,
    exit: takerPrice(exitSide, { numerator: stop, denominator: 1n }, costs),
    fees,
  });
  const quantity = (equity * share * denominator) / numerator;
  return { value: floorPositive(quantity, rules.step), change: undefined };
}

function refuseStop(
  { proposal }: OrderTerms,
  {
    price,
    entry,
    stop,
  }: { readonly price: Fixed; readonly entry: Fixed; readonly stop: Fixed | undefined },
): Refused {
  const { quote } = proposal.instrument;
  const limit = `${proposal.side === 'buy' ? 'below' : 'above'} ${formatFixed(price)}`;
  const actual = stop === undefined ? 'none' : formatFixed(stop);
  const counted =
    entry === price
      ? ''
      : `, counted from an entry at ${formatFixed(entry)} (last with spread and slippage)`;
  return createRefusal({
    check: 'no-stop',
    limit,
    actual,
    unit: quote,
    text:
      stop === undefined
        ? 'a size by risk needs a stop: give protection: { stopLoss } or { trailingStop }, or bracket: { stopLoss }'
        : `a size by risk needs a stop ${limit} ${quote}, received one at ${actual}${counted}`,
  });
}
