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
  /** The moments that explain each intent: one, or all of a target. */
  readonly #moments = new Map<number, Moment[]>();
  readonly #sent = new Map<number, SentCommand[]>();
  readonly #intentOf = new Map<ClientOrderId, number>();
  readonly #answers = new Map<ClientOrderId, VenueAnswer[]>();

  /** Observer for the replay. */
  readonly watch = new MomentWatch((moment) => {
    this.#take(moment);
  });

  #take(moment: Moment): void {
    const { event, commands } = moment;
    const ids = [...moment.targets, ...moment.decisions.map(({ verdict }) => verdict)];
    for (const id of new Set(ids.map(({ intentId }) => intentId))) this.#keep(id, moment);
    if (event.kind === 'venue' && isOrderUpdate(event.update)) {
      const { update, time } = event;
      this.#answers.get(update.clientOrderId)?.push({ time, update });
    }
    for (const command of commands) this.#send({ time: event.time, command });
  }

  /** Keeps all decisions on a target, and of another intent the last one. */
  #keep(id: number, moment: Moment): void {
    const decisions = moment.decisions.filter(({ verdict }) => verdict.intentId === id);
    const targets = moment.targets.filter(({ intentId }) => intentId === id);
    const before = this.#moments.get(id);
    const isTarget = targets.length > 0 || before?.some((one) => one.targets.length > 0) === true;
    const kept = { ...moment, targets, decisions: isTarget ? decisions : decisions.slice(-1) };
    this.#moments.set(id, isTarget ? [...(before ?? []), kept] : [kept]);
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
      const decided = this.#moments.get(intent);
      const asked = decided?.[0]?.event.time;
      if (decided === undefined || asked === undefined) return [];
      const explanation: Explanation = {
        ...{ asked, asOf: [], state: undefined, decided, sent },
        ...{ answers: this.#answers, worked: [], next: undefined },
      };
      return [{ intent, lines: renderDecided(explanation, checksOf) }];
    });
  }
}
