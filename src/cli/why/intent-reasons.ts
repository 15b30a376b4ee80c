import type { ClientOrderId } from '../../domain/index.js';
import { isOrderUpdate } from '../../venue/index.js';
import type { Explanation, Moment, SentCommand, VenueAnswer } from './explanation.js';
import { MomentWatch } from './moment-watch.js';
import { renderDecided, type ChecksOf } from './render-explanation.js';

/** The explanation of one intent and its results, in the words of `why`. */
interface IntentReason {
  readonly intent: number;
  readonly lines: readonly string[];
}

/** Observes the replay of a run and keeps the data that explain each intent that led to an order. */
export class IntentReasons {
  readonly #moments = new Map<number, Moment>();
  readonly #sent = new Map<number, SentCommand[]>();
  readonly #intentOf = new Map<ClientOrderId, number>();
  readonly #answers = new Map<ClientOrderId, VenueAnswer[]>();

  /** Observer for the replay. */
  readonly watch = new MomentWatch((moment) => {
    this.#take(moment);
  });

  #take(moment: Moment): void {
    const { event, commands } = moment;
    for (const decision of moment.decisions)
      this.#moments.set(decision.verdict.intentId, { ...moment, decisions: [decision] });
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

  /** Returns the reasons after the last entry, for at most `most` intents. */
  finish(checksOf: ChecksOf, most: number): readonly IntentReason[] {
    this.watch.settle();
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
