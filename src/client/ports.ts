/** Injected timers: the system's in live, virtual ones in tests and accelerated runs. */
export interface Timers {
  /** Runs the action once, `delayMs` milliseconds from now, unless the returned function was called before. */
  after(delayMs: number, action: () => void): () => void;
}

/** Uniform in [0, 1). Spreads retries; seeded in tests. */
export type RandomSource = () => number;

/** The part of a pino logger that the client uses. */
export interface ClientLog {
  debug(fields: LogFields, message: string): void;
  info(fields: LogFields, message: string): void;
  warn(fields: LogFields, message: string): void;
  error(fields: LogFields, message: string): void;
}

type LogFields = Readonly<Record<string, string | number | boolean | undefined>>;

/** Writes nothing. */
export const SILENT_LOG: ClientLog = {
  debug: () => undefined,
  info: () => undefined,
  warn: () => undefined,
  error: () => undefined,
};
