import type { OrderReason, OrderRequest } from '../../../domain/index.js';
import {
  INTERFACE_CAPABILITIES,
  type CancelOutcome,
  type ConditionalOutcome,
  type ExecutionAdapter,
  type SubmitOutcome,
  type SubmitRejected,
} from '../../../venue/index.js';

const REASON: OrderReason = { code: 'dry-run', text: 'nothing is sent in a dry run' };
const REJECTED: SubmitRejected = { kind: 'rejected', reason: REASON };

/** Sends nothing: every order ends as rejected with this reason, so that a bot shows the orders it would send. */
export class DryRunExecution implements ExecutionAdapter {
  readonly capabilities = INTERFACE_CAPABILITIES.execution;

  submit(): Promise<SubmitOutcome> {
    return Promise.resolve(REJECTED);
  }

  submitBatch(orders: readonly OrderRequest[]): Promise<readonly SubmitOutcome[]> {
    return Promise.resolve(orders.map(() => REJECTED));
  }

  submitConditional(): Promise<ConditionalOutcome> {
    return Promise.resolve(REJECTED);
  }

  test(): Promise<SubmitRejected | undefined> {
    return Promise.resolve(undefined);
  }

  cancel(): Promise<CancelOutcome> {
    return Promise.resolve({ kind: 'refused', reason: REASON });
  }

  cancelBatch(_instrumentId: string, ids: readonly string[]): Promise<readonly CancelOutcome[]> {
    return Promise.resolve(ids.map(() => ({ kind: 'refused', reason: REASON })));
  }
}
