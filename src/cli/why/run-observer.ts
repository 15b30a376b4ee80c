import type { ClientOrderId, EpochMs, InstrumentId } from '../../domain/index.js';
import type { Engine } from '../../engine/index.js';
import type { StoredEntry } from '../../journal/index.js';
import { workedEntry, type WorkedIntent } from '../../report/index.js';
import { isOrderUpdate } from '../../venue/index.js';
import type { Explanation, Moment, SentCommand, VenueAnswer } from './explanation.js';
import { MomentWatch } from './moment-watch.js';

/** The instrument that the user asked about, if one, and the strategy's first: a target without a name is for that one. */
interface AskedInstrument {
  readonly instrumentId: InstrumentId | undefined;
  readonly first: InstrumentId | undefined;
}

/** Observes the replay of a run and keeps only the data that explain one instant. */
export class RunObserver {
  readonly #at: EpochMs;
  readonly #asked: AskedInstrument;
  readonly #asOf: Moment[] = [];
  #decided: Moment[] = [];
  #sent: SentCommand[] = [];
  readonly #answers = new Map<ClientOrderId, VenueAnswer[]>();
  #next: EpochMs | undefined;
  #worked: readonly WorkedIntent[] = [];
  #state: string | undefined;

  /** `state`: the strategy's state at the begin of the replay. */
  constructor(at: EpochMs, asked: AskedInstrument, state?: string) {
    this.#at = at;
    this.#asked = asked;
    this.#state = state;
  }

  /** Observer for the replay. */
  readonly watch = new MomentWatch((moment, entry) => {
    this.#take(moment, entry);
  });

  /** Call it when the last entry has been replayed. */
  readonly onReplayed = ({ worked, portfolio }: Engine): void => {
    this.#worked = worked.map((one) =>
      workedEntry(one, portfolio.instrument(one.instrumentId).instrument),
    );
  };

  /** Takes an entry of a later epoch, which is not replayed. */
  readonly onLaterEntry = (entry: StoredEntry): void => {
    this.watch.settle();
    if (entry.intents.some(({ intent }) => intent !== undefined)) this.#next ??= entry.event.time;
    this.#follow(entry);
  };

  /** Returns the explanation, after the last entry. */
  finish(): Explanation {
    this.watch.settle();
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

  #take(known: Moment, entry: StoredEntry): void {
    const { event } = known;
    const decisions = known.decisions.filter(
      ({ instrumentId }) => (this.#asked.instrumentId ?? instrumentId) === instrumentId,
    );
    const targets = known.targets.filter(({ intent }) =>
      intent.targets.some(({ instrument }) => this.#isAsked(instrument)),
    );
    const moment = { ...known, decisions, targets };
    if (event.time <= this.#at) this.#state = entry.state ?? this.#state;
    if (event.time === this.#at) this.#asOf.push(moment);
    if (decisions.length > 0 || targets.length > 0) this.#decide(moment);
    this.#follow(entry);
  }

  /** Whether the user asked about an instrument, which a strategy may name without its product. */
  #isAsked(name: string | undefined): boolean {
    const { instrumentId, first } = this.#asked;
    if (instrumentId === undefined || instrumentId === name) return true;
    return name === undefined ? instrumentId === first : instrumentId.endsWith(`:${name}`);
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

  /** Keeps the commands of the explained decisions, now and later, and the answers to them. */
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
    return this.#decided.some(
      ({ decisions, targets }) =>
        decisions.some(({ verdict }) => verdict.intentId === intentId) ||
        targets.some((target) => target.intentId === intentId),
    );
  }
}
