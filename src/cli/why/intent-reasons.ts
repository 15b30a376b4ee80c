import type { ClientOrderId } from '../../domain/index.js';
import type { StoredEntry } from '../../journal/index.js';
import type { StrategyLog, Verdict } from '../../strategy/index.js';
import { isOrderUpdate } from '../../venue/index.js';
import type {
  Decision,
  Explanation,
  LoggedLine,
  Moment,
  SentCommand,
  VenueAnswer,
} from './explanation.js';
import { renderDecided, type ChecksOf } from './render-explanation.js';

/** Why one intent became what it became, in the words of `why`. */
export interface IntentReason {
  readonly intent: number;
  readonly lines: readonly string[];
}

/** Watches the replay of a run and keeps what explains each intent that led to an order. */
export class IntentReasons {
  #entry: StoredEntry | undefined;
  #log: LoggedLine[] = [];
  #decisions: Decision[] = [];
  readonly #moments = new Map<number, Moment>();
  readonly #sent = new Map<number, SentCommand[]>();
  readonly #intentOf = new Map<ClientOrderId, number>();
  readonly #answers = new Map<ClientOrderId, VenueAnswer[]>();

  /** The log of the strategy that is replayed. */
  readonly log: StrategyLog = {
    debug: (message, fields) => this.#log.push({ level: 'debug', message, fields }),
    info: (message, fields) => this.#log.push({ level: 'info', message, fields }),
    warn: (message, fields) => this.#log.push({ level: 'warn', message, fields }),
  };

  readonly onVerdict = (verdict: Verdict, instrumentId: Decision['instrumentId']): void => {
    this.#decisions.push({ verdict, instrumentId });
  };

  /** An entry is about to be replayed: the one before it is known as a whole. */
  readonly onEntry = (entry: StoredEntry): void => {
    this.#settle();
    this.#entry = entry;
  };

  #settle(): void {
    const entry = this.#entry;
    const [log, decisions] = [this.#log, this.#decisions];
    this.#log = [];
    this.#decisions = [];
    if (entry === undefined) return;
    const { id: eventId, event, commands } = entry;
    for (const decision of decisions) {
      const moment = { eventId, event, log, decisions: [decision], commands };
      this.#moments.set(decision.verdict.intentId, moment);
    }
    if (event.kind === 'venue' && isOrderUpdate(event.update)) {
      const { update, time } = event;
      this.#answers.get(update.clientOrderId)?.push({ time, update });
    }
    for (const command of commands) this.#send({ time: event.time, command });
  }

  #send(sent: SentCommand): void {
    const { command } = sent;
    if (command.kind === 'submit') {
      const { clientOrderId, intentId } = command.order;
      this.#intentOf.set(clientOrderId, intentId);
      this.#answers.set(clientOrderId, []);
      this.#sent.set(intentId, [...(this.#sent.get(intentId) ?? []), sent]);
    } else {
      const intent = this.#intentOf.get(command.clientOrderId);
      if (intent !== undefined) this.#sent.get(intent)?.push(sent);
    }
  }

  /** The reasons after the last entry, of at most so many intents. */
  finish(checksOf: ChecksOf, most: number): readonly IntentReason[] {
    this.#settle();
    this.#entry = undefined;
    return [...this.#sent].slice(0, most).flatMap(([intent, sent]) => {
      const moment = this.#moments.get(intent);
      if (moment === undefined) return [];
      const explanation: Explanation = {
        ...{ asked: moment.event.time, asOf: [], state: undefined, decided: [moment], sent },
        ...{ answers: this.#answers, worked: [], next: undefined },
      };
      return [{ intent, lines: renderDecided(explanation, checksOf) }];
    });
  }
}
