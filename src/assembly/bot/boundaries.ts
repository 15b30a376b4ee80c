import type { OrderRequest, RiskApproved } from '../../domain/index.js';
import type { Journal } from '../../engine/index.js';
import type {
  CallOptions,
  CancelOutcome,
  ExecutionAdapter,
  OrderTarget,
} from '../../venue/index.js';

/** Instants at which a process may end without any loss: the crash test ends it at each of them. */
export const BOUNDARIES = [
  'before-journal',
  'after-journal',
  'before-send',
  'after-send',
  'after-answer',
  'replay',
  'reconciliation',
] as const;
export type Boundary = (typeof BOUNDARIES)[number];

/** Called at each boundary. */
export type OnBoundary = (boundary: Boundary) => void;

/** Wraps a journal: reports a boundary before and after an entry with commands is on the disk. */
export function watchJournal(journal: Journal, onBoundary: OnBoundary): Journal {
  return {
    append: (event, commands, intents, state) => {
      if (commands.length > 0) onBoundary('before-journal');
      journal.append(event, commands, intents, state);
      if (commands.length > 0) onBoundary('after-journal');
    },
  };
}

const NOT_SENT: CancelOutcome = {
  kind: 'refused',
  reason: { code: 'not-sent', text: 'triggers cannot be canceled here' },
};

/** Wraps an adapter: reports a boundary before and after a command is sent, and after it is answered. */
export function watchExecution(
  execution: ExecutionAdapter,
  onBoundary: OnBoundary,
): ExecutionAdapter {
  const watched = async <T>(send: () => Promise<T>): Promise<T> => {
    onBoundary('before-send');
    const sending = send();
    onBoundary('after-send');
    const outcome = await sending;
    onBoundary('after-answer');
    return outcome;
  };
  return {
    capabilities: execution.capabilities,
    submit: (order: RiskApproved<OrderRequest>, options: CallOptions) =>
      watched(() => execution.submit(order, options)),
    submitBatch: (orders, options) => watched(() => execution.submitBatch(orders, options)),
    submitConditional: (order, options) =>
      watched(() => execution.submitConditional(order, options)),
    ...(execution.cancelConditional && {
      cancelConditional: (trigger, options) =>
        watched(async () => (await execution.cancelConditional?.(trigger, options)) ?? NOT_SENT),
    }),
    test: (order, options) => execution.test(order, options),
    cancel: (target: OrderTarget, options: CallOptions) =>
      watched(() => execution.cancel(target, options)),
    cancelBatch: (instrumentId, ids, options) =>
      watched(() => execution.cancelBatch(instrumentId, ids, options)),
  };
}
