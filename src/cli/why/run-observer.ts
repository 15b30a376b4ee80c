import type { ClientOrderId, EpochMs, InstrumentId } from '../../domain/index.js';
import type { Engine } from '../../engine/index.js';
import type { StoredEntry } from '../../journal/index.js';
import { workedEntry, type WorkedIntent } from '../../report/index.js';
import type { StrategyLog, Verdict } from '../../strategy/index.js';
import { isOrderUpdate } from '../../venue/index.js';
import type {
  VenueAnswer,
  Decision,
  Explanation,
  LoggedLine,
  Moment,
  SentCommand,
} from './explanation.js';

/** Watches the replay of a run and keeps what explains one instant: it holds no more of the run than that. */
export class RunObserver {
  readonly #at: EpochMs;
  readonly #instrumentId: InstrumentId | undefined;
  #entry: StoredEntry | undefined;
  #log: LoggedLine[] = [];
  #decisions: Decision[] = [];
  readonly #asOf: Moment[] = [];
  #decided: Moment[] = [];
  #sent: SentCommand[] = [];
  readonly #answers = new Map<ClientOrderId, VenueAnswer[]>();
  #next: EpochMs | undefined;
  #worked: readonly WorkedIntent[] = [];
  #state: string | undefined;

  /** `state`: what the strategy kept when the replay begins. */
  constructor(at: EpochMs, instrumentId: InstrumentId | undefined, state?: string) {
    this.#at = at;
    this.#instrumentId = instrumentId;
    this.#state = state;
  }

  /** The log of the strategy that is replayed. */
  readonly log: StrategyLog = {
    debug: (message, fields) => this.#log.push({ level: 'debug', message, fields }),
    info: (message, fields) => this.#log.push({ level: 'info', message, fields }),
    warn: (message, fields) => this.#log.push({ level: 'warn', message, fields }),
  };

  readonly onVerdict = (verdict: Verdict, instrumentId: InstrumentId): void => {
    if (this.#instrumentId !== undefined && this.#instrumentId !== instrumentId) return;
    this.#decisions.push({ verdict, instrumentId });
  };

  /** An entry is about to be replayed: the one before it is known as a whole. */
  readonly onEntry = (entry: StoredEntry): void => {
    this.#settle();
    this.#entry = entry;
  };

  /** The last entry has been replayed. */
  readonly onReplayed = ({ worked, portfolio }: Engine): void => {
    this.#worked = worked.map((one) =>
      workedEntry(one, portfolio.instrument(one.instrumentId).instrument),
    );
  };

  /** An entry of a later epoch, which is not replayed. */
  readonly onLaterEntry = (entry: StoredEntry): void => {
    this.#settle();
    this.#entry = undefined;
    if (entry.intents.some(({ intent }) => intent !== undefined)) this.#next ??= entry.event.time;
    this.#follow(entry);
  };

  /** The explanation, after the last entry. */
  finish(): Explanation {
    this.#settle();
    this.#entry = undefined;
    return {
      asked: this.#at,
      asOf: this.#asOf,
      state: this.#state,
      decided: this.#decided,
      sent: this.#sent,
      answers: this.#answers,
      worked: this.#worked,
      next: this.#next,
    };
  }

  #settle(): void {
    const entry = this.#entry;
    const [log, decisions] = [this.#log, this.#decisions];
    this.#log = [];
    this.#decisions = [];
    if (entry === undefined) return;
    const { id: eventId, event, commands } = entry;
    if (event.time <= this.#at) this.#state = entry.state ?? this.#state;
    const moment = { eventId, event, log, decisions, commands };
    if (event.time === this.#at) this.#asOf.push(moment);
    if (decisions.length > 0) this.#decide(moment);
    this.#follow(entry);
  }

  #decide(moment: Moment): void {
    const { time } = moment.event;
    if (time > this.#at) {
      this.#next ??= time;
      return;
    }
    if (this.#decided[0]?.event.time !== time) {
      this.#decided = [];
      this.#sent = [];
      this.#answers.clear();
    }
    this.#decided.push(moment);
  }

  /** Keeps what belongs to the decisions that are explained: their commands, now and later, and the answers to them. */
  #follow({ event, commands }: StoredEntry): void {
    if (event.kind === 'venue' && isOrderUpdate(event.update)) {
      const { update, time } = event;
      this.#answers.get(update.clientOrderId)?.push({ time, update });
    }
    for (const command of commands) {
      if (command.kind === 'submit' && this.#isExplained(command.order.intentId)) {
        this.#answers.set(command.order.clientOrderId, []);
        this.#sent.push({ time: event.time, command });
      } else if (command.kind === 'cancel' && this.#answers.has(command.clientOrderId)) {
        this.#sent.push({ time: event.time, command });
      }
    }
  }

  #isExplained(intentId: number): boolean {
    return this.#decided.some(({ decisions }) =>
      decisions.some(({ verdict }) => verdict.intentId === intentId),
    );
  }
}
