import type { BacktestConfig } from '../../src/assembly/index.js';
import { multiplyFixed, present, type Fixed } from '../../src/domain/index.js';
import { FillValuer, type RunRecord } from '../../src/report/index.js';

/**
 * Checks the fills of a run against its orders and balances, and returns a sentence for each broken law:
 *
 * - an order fills at most its quantity, and its state has the quantity of its fills;
 * - no balance is ever below 0;
 * - fills are in order of time;
 * - the fees of the run are the sum over its fills, each valued separately.
 */
export function findBrokenAccountLaws(
  record: RunRecord,
  config: BacktestConfig,
): readonly string[] {
  return [
    ...findQuantityFlaws(record),
    ...findOverdrafts(record, config),
    ...findDisorder(record),
    ...findFeeFlaws(record),
  ];
}

function findQuantityFlaws({ orders, fills }: RunRecord): readonly string[] {
  return [...orders].flatMap(({ request, state }) => {
    const own = [...fills].filter(({ record }) => record.clientOrderId === request.clientOrderId);
    const quantity = own.reduce((sum, { record }) => sum + record.quantity, 0n);
    const spent = own.reduce(
      (sum, { record }) => sum + multiplyFixed(record.price, record.quantity),
      0n,
    );
    const flaws: string[] = [];
    if ((request.unit === 'quote' ? spent : quantity) > request.quantity)
      flaws.push('filled too much');
    if (quantity !== state.filledQuantity) flaws.push('says another quantity than its fills');
    return flaws.map((flaw) => `${request.clientOrderId}: ${flaw}`);
  });
}

/** Balances are checked after all fills of one instant, because the record does not have their order within it. */
function findOverdrafts(
  { fills, instruments }: RunRecord,
  { simulation }: BacktestConfig,
): readonly string[] {
  const balances = new Map(simulation.balances.spot);
  const post = (asset: string, amount: Fixed): void => {
    balances.set(asset, (balances.get(asset) ?? 0n) + amount);
  };
  const flaws: string[] = [];
  const all = [...fills];
  for (const [index, { record: fill }] of all.entries()) {
    const { base, quote } = present(
      instruments.find(({ id }) => id === fill.instrumentId),
      'instrument of a fill',
    );
    const sign = fill.side === 'buy' ? 1n : -1n;
    post(base, sign * fill.quantity);
    post(quote, -sign * multiplyFixed(fill.price, fill.quantity));
    post(fill.feeAsset, -fill.fee);
    if (all[index + 1]?.record.eventTime === fill.eventTime) continue;
    for (const [asset, amount] of balances)
      if (amount < 0n) flaws.push(`${String(fill.eventTime)}: ${asset} is overdrawn`);
  }
  return flaws;
}

function findDisorder({ fills }: RunRecord): readonly string[] {
  return Array.from(fills, ({ record }) => record)
    .filter(({ eventTime }, index, all) => eventTime < (all[index - 1]?.eventTime ?? 0))
    .map((fill) => `${fill.clientOrderId}: stands after a later fill`);
}

function findFeeFlaws(record: RunRecord): readonly string[] {
  const { costs, fills } = record;
  const valuer = new FillValuer(record);
  const fees = [...fills].reduce((sum, fill) => sum + valuer.of(fill).fee, 0n);
  return fees === costs.fees
    ? []
    : [`fees of ${String(costs.fees)}, and of its fills ${String(fees)}`];
}
