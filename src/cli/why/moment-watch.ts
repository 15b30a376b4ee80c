import type { InstrumentId } from '../../domain/index.js';
import type { StoredEntry } from '../../journal/index.js';
import type { StrategyLog, Verdict } from '../../strategy/index.js';
import type { Decision, LoggedLine, Moment } from './explanation.js';

/** Watches a replay and makes of each entry the moment it was: with what was logged and decided while it was processed. */
export class MomentWatch {
  readonly #settled: (moment: Moment, entry: StoredEntry) => void;
  #entry: StoredEntry | undefined;
  #log: LoggedLine[] = [];
  #decisions: Decision[] = [];
  #isOver = false;

  constructor(settled: (moment: Moment, entry: StoredEntry) => void) {
    this.#settled = settled;
  }

  /** The log of the strategy that is replayed. */
  readonly log: StrategyLog = {
    debug: (message, fields) => this.#log.push({ level: 'debug', message, fields }),
    info: (message, fields) => this.#log.push({ level: 'info', message, fields }),
    warn: (message, fields) => this.#log.push({ level: 'warn', message, fields }),
  };

  readonly onVerdict = (verdict: Verdict, instrumentId: InstrumentId): void => {
    this.#decisions.push({ verdict, instrumentId });
  };

  /** An entry is about to be replayed: the one before it is known as a whole. */
  readonly onEntry = (entry: StoredEntry): void => {
    this.settle();
    this.#entry = entry;
  };

  /** What was replayed last is known as a whole. */
  settle(): void {
    const entry = this.#entry;
    const [log, decisions] = [this.#log, this.#decisions];
    this.#entry = undefined;
    this.#log = [];
    this.#decisions = [];
    if (entry === undefined) return;
    const { id: eventId, event, commands } = entry;
    if (event.kind === 'end') this.#isOver = true;
    this.#settled({ eventId, event, log, decisions, commands, isClosing: this.#isOver }, entry);
  }
}
