import type { InstrumentId } from '../../domain/index.js';
import type { StoredEntry } from '../../journal/index.js';
import type { StrategyLog, Verdict } from '../../strategy/index.js';
import type { Decision, LoggedLine, Moment } from './explanation.js';

/** Observes a replay and makes a moment of each entry, with the log lines and decisions of its processing. */
export class MomentWatch {
  readonly #settled: (moment: Moment, entry: StoredEntry) => void;
  #entry: StoredEntry | undefined;
  #log: LoggedLine[] = [];
  #decisions: Decision[] = [];
  #isOver = false;

  constructor(settled: (moment: Moment, entry: StoredEntry) => void) {
    this.#settled = settled;
  }

  /** The log for the replayed strategy. */
  readonly log: StrategyLog = {
    debug: (message, fields) => this.#log.push({ level: 'debug', message, fields }),
    info: (message, fields) => this.#log.push({ level: 'info', message, fields }),
    warn: (message, fields) => this.#log.push({ level: 'warn', message, fields }),
  };

  readonly onVerdict = (verdict: Verdict, instrumentId: InstrumentId): void => {
    this.#decisions.push({ verdict, instrumentId });
  };

  /** Call it before each entry is replayed: the moment of the entry before is then complete. */
  readonly onEntry = (entry: StoredEntry): void => {
    this.settle();
    this.#entry = entry;
  };

  /** Completes the moment of the last replayed entry. */
  settle(): void {
    const entry = this.#entry;
    const [log, decisions] = [this.#log, this.#decisions];
    this.#entry = undefined;
    this.#log = [];
    this.#decisions = [];
    if (entry === undefined) return;
    const { id: eventId, event, commands } = entry;
    const targets = entry.intents.flatMap(({ intentId, intent }) =>
      intent?.kind === 'target' ? [{ intentId, intent }] : [],
    );
    if (event.kind === 'end') this.#isOver = true;
    const isClosing = this.#isOver;
    this.#settled({ eventId, event, log, decisions, targets, commands, isClosing }, entry);
  }
}
