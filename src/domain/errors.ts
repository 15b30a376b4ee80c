/** A stable code: callers decide by it, never by the message. All codes are listed in docs/errors.md, which a test compares. */
export type ErrorCode = `E_${string}`;

/** Base of every failure the project throws on purpose. Expected outcomes (refusals, rejections) are values, not errors. */
export abstract class TradingError extends Error {
  readonly code: ErrorCode;
  /** Whether the same call may succeed when made again. */
  abstract readonly retryable: boolean;

  constructor(code: ErrorCode, message: string, options?: ErrorOptions) {
    super(message, options);
    this.code = code;
    this.name = new.target.name;
  }
}

/** A broken invariant: a bug in this project. It ends the process after what is written has been flushed. */
export class InvariantError extends TradingError {
  readonly retryable = false;
}

/** A value that cannot exist in the domain: an invalid decimal, a precision out of range, an unknown interval. */
export class DomainError extends TradingError {
  readonly retryable = false;
}

/** An asset without a known value: no configured instrument prices it in the equity currency. */
export class UnvaluedAssetError extends DomainError {
  readonly asset: string;
  readonly currency: string;

  constructor(asset: string, currency: string, instruments: readonly string[]) {
    super(
      'E_EQUITY_CURRENCY',
      `no instrument among ${instruments.join(', ')} values ${asset} in ${currency}`,
    );
    this.asset = asset;
    this.currency = currency;
  }
}

/** The place of a piece of configuration; `line` and `column` count from 1. */
export interface ConfigLocation {
  readonly file: string;
  readonly line?: number;
  readonly column?: number;
  /** Dotted path of the key, for example `simulation.fees.maker`. */
  readonly key?: string;
}

interface ConfigProblem {
  readonly location: ConfigLocation;
  readonly expected: string;
  readonly received: string;
  readonly suggestion?: string;
}

/**
 * Configuration that cannot be used, found before anything starts.
 *
 * The message reads `bot.yaml:12:5 simulation.fees.maker: expected a quoted decimal, received the number 0.001 (E_CONFIG_TYPE)`.
 */
export class ConfigError extends TradingError {
  readonly retryable = false;
  readonly problem: ConfigProblem;

  constructor(code: ErrorCode, problem: ConfigProblem, options?: ErrorOptions) {
    super(code, formatProblem(code, problem), options);
    this.problem = problem;
  }
}

function formatProblem(
  code: ErrorCode,
  { location, expected, received, suggestion }: ConfigProblem,
): string {
  const position = [location.file, location.line, location.column]
    .filter((part) => part !== undefined)
    .join(':');
  const key = location.key === undefined ? '' : ` ${location.key}`;
  const advice = suggestion === undefined ? '' : `; ${suggestion}`;
  return `${position}${key}: expected ${expected}, received ${received}${advice} (${code})`;
}

/** A command line that cannot be understood. */
export class UsageError extends TradingError {
  readonly retryable = false;
}

/** Stored data that is missing, damaged or unreadable; names the file and, if there is one, the row. */
export class DataError extends TradingError {
  readonly retryable = false;
}

/** A journal that cannot be opened, read or written, or that the engine does not reproduce. A bot that cannot record does not trade. */
export class JournalError extends TradingError {
  readonly retryable = false;
}

/** Candles missing or out of order, with the span (UTC milliseconds) in which they are. */
export class DataGapError extends TradingError {
  readonly retryable = false;
  readonly from: number;
  readonly to: number;

  constructor(
    code: ErrorCode,
    message: string,
    span: { readonly from: number; readonly to: number },
    options?: ErrorOptions,
  ) {
    super(code, message, options);
    this.from = span.from;
    this.to = span.to;
  }
}

/** An error that strategy code threw, or a rule that it broke, with the strategy and the event being processed. */
export class StrategyError extends TradingError {
  readonly retryable = false;
  readonly strategyId: string;
  /** The event in one line, for example `candles at 2025-06-01T00:05:00Z`. */
  readonly event: string;

  constructor(
    code: ErrorCode,
    message: string,
    context: {
      readonly strategyId: string;
      readonly event: string;
      /** `file:line:column` in the strategy's text. @defaultValue not known */
      readonly place?: string | undefined;
    },
    options?: ErrorOptions,
  ) {
    super(
      code,
      `${context.place === undefined ? '' : `${context.place}: `}${context.strategyId}: ${message} (while processing ${context.event}) (${code})`,
      options,
    );
    this.strategyId = context.strategyId;
    this.event = context.event;
  }
}

/** An answer of the venue that cannot be understood: endpoint, key path, expected, received (shortened). */
export class WireFormatError extends TradingError {
  readonly retryable = false;
}

/** A failed connection, a timeout or a 5xx answer, on a call that may be repeated. */
export class TransportError extends TradingError {
  readonly retryable = true;
}

/** The venue asks to slow down. */
export class RateLimitError extends TradingError {
  readonly retryable = true;
  readonly retryAfterMs: number;

  constructor(code: ErrorCode, message: string, retryAfterMs: number, options?: ErrorOptions) {
    super(code, message, options);
    this.retryAfterMs = retryAfterMs;
  }
}

/** A submit or cancel without an answer: the order may exist. Reconcile, never repeat. */
export class OutcomeUnknownError extends TradingError {
  readonly retryable = false;
}

/** Key, signature, permission or address refused. Trading stops. */
export class AuthError extends TradingError {
  readonly retryable = false;
}
