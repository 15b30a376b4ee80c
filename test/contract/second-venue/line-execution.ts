import {
  parseVenueOrderId,
  type ExecutionAdapter,
  type OrderRequest,
  type RiskApproved,
  type SubmitOutcome,
} from 'evenkeel/run';
import { CENT, countOf, LOT, missing, PAIR, refused, type LineLink } from './line-wire.js';

export function lineExecution(link: LineLink): ExecutionAdapter {
  const submit = async (order: RiskApproved<OrderRequest>): Promise<SubmitOutcome> => {
    if (order.instrumentId !== PAIR) return missing('such pair');
    const cents = order.type === 'limit' ? countOf(order.limitPrice, CENT) : '0';
    const lots =
      order.unit === 'quote' ? await lotsFor(order.quantity) : countOf(order.quantity, LOT);
    const words = [order.side === 'buy' ? 'B' : 'S', cents, lots, order.clientOrderId];
    const answer = (await link.ask(`PLACE ${words.join(' ')}`))[0] ?? '';
    const [verdict, id = '', ...text] = answer.split(' ');
    if (verdict !== 'OK') return { kind: 'rejected', reason: { code: id, text: text.join(' ') } };
    const venueOrderId = parseVenueOrderId(id);
    return { kind: 'accepted', venueOrderId, status: undefined, filledQuantity: undefined };
  };
  /** The whole lots that an amount of dollars buys at the ask. */
  const lotsFor = async (quote: bigint): Promise<string> => {
    const [, ask = '1'] = ((await link.ask('BEST'))[0] ?? '').split(' ');
    return String((quote * 10n ** 5n) / (BigInt(ask) * CENT));
  };
  return {
    capabilities: { maxBatchSize: 0 },
    submit: async (order, { signal }) => {
      signal.throwIfAborted();
      return submit(order);
    },
    cancel: async ({ venueOrderId }) => {
      const [line = ''] = await link.ask(`KILL ${venueOrderId}`);
      const [verdict, code = '', ...text] = line.split(' ');
      return verdict === 'OK'
        ? { kind: 'requested', status: 'canceling' }
        : { kind: 'refused', reason: { code, text: text.join(' ') } };
    },
    submitBatch: () => refused('batches'),
    cancelBatch: () => refused('batches'),
    submitConditional: () => refused('conditions'),
    test: () => refused('test orders'),
  };
}
