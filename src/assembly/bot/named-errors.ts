import { OutcomeUnknownError, TradingError, TransportError } from '../../domain/index.js';
import type { CallOptions, Venue } from '../../venue/index.js';

/** Calls that may have changed something at the venue when they fail. */
const COMMANDS: ReadonlySet<string> = new Set([
  'submit',
  'submitBatch',
  'submitConditional',
  'cancel',
  'cancelBatch',
  'cancelConditional',
]);

/**
 * Wraps a venue so that each failure is a `TradingError`. Another error of a port does not tell what happened to the call. So a reading is repeated later,
 * and after a command the order is looked up.
 */
export function namedErrors({ marketData, execution, account }: Venue): Venue {
  return {
    marketData: named('marketData', marketData),
    execution: named('execution', execution),
    account: named('account', account),
  };
}

function named<Port extends object>(port: string, target: Port): Port {
  // Not the target itself: a proxy must return the members of a frozen object unchanged.
  return new Proxy(Object.create(target) as Port, {
    get: (_, name): unknown => {
      const member: unknown = Reflect.get(target, name, target);
      if (typeof member !== 'function') return member;
      const call = String(name);
      return (...given: unknown[]): unknown => {
        const rename = (error: unknown): never => {
          // An abort by the caller needs no other name.
          if (isReasonOf(error, given.at(-1))) throw error;
          throw nameOf(error, `${port}.${call}`, COMMANDS.has(call));
        };
        try {
          const answer: unknown = Reflect.apply(member, target, given);
          // A venue of one's own may have promises of another library.
          if (isThenable(answer)) return Promise.resolve(answer).catch(rename);
          return isAsyncIterable(answer) ? namedRows(answer, rename) : answer;
        } catch (error: unknown) {
          return rename(error);
        }
      };
    },
  });
}

async function* namedRows(
  rows: AsyncIterable<unknown>,
  rename: (error: unknown) => never,
): AsyncGenerator {
  try {
    yield* rows;
  } catch (error: unknown) {
    rename(error);
  }
}

function isReasonOf(error: unknown, options: unknown): boolean {
  const { signal } = (options ?? {}) as Partial<CallOptions>;
  return signal?.aborted === true && signal.reason === error;
}

function isThenable(value: unknown): value is PromiseLike<unknown> {
  return (
    typeof value === 'object' &&
    value !== null &&
    'then' in value &&
    typeof value.then === 'function'
  );
}

function isAsyncIterable(value: unknown): value is AsyncIterable<unknown> {
  return typeof value === 'object' && value !== null && Symbol.asyncIterator in value;
}

function nameOf(error: unknown, call: string, isCommand: boolean): TradingError {
  if (error instanceof TradingError) return error;
  const text = error instanceof Error ? `${error.name}: ${error.message}` : String(error);
  const message = `venue.${call} has thrown: ${text}`;
  return isCommand
    ? new OutcomeUnknownError('E_OUTCOME_UNKNOWN', message, { cause: error })
    : new TransportError('E_VENUE_THREW', message, { cause: error });
}
