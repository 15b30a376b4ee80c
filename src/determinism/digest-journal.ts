import { createHash } from 'node:crypto';
import { formatUtc, type EpochMs } from '../domain/index.js';
import type { Command, EngineEvent, Journal, RecordedIntent } from '../engine/index.js';

/** One event that led to something, or that the venue caused. */
interface Noted {
  readonly time: EpochMs;
  readonly digest: string;
  readonly text: string;
}

/** Digests of what a strategy wanted, what was sent for it, and what the venue did: what equal runs have in common. */
export class DigestJournal implements Journal {
  readonly #noted: Noted[] = [];
  #commands = 0;

  append(
    event: EngineEvent,
    commands: readonly Command[],
    intents: readonly RecordedIntent[],
  ): void {
    this.#commands += commands.length;
    const { time, kind } = event;
    const isVenue = kind === 'venue';
    // Candles and marks are the same for both; they count by what they lead to.
    if (commands.length === 0 && intents.length === 0 && !isVenue) return;
    const body = JSON.stringify(
      { time, kind, update: isVenue ? event.update : undefined, commands, intents },
      (_, value: unknown) => (typeof value === 'bigint' ? String(value) : value),
    );
    const digest = createHash('sha256').update(body).digest('base64');
    this.#noted.push({ time, digest, text: describe(event, commands, intents) });
  }

  /** Orders and cancels that were sent. */
  get commands(): number {
    return this.#commands;
  }

  /** Says where another run first went another way; undefined where both are the same. */
  differenceFrom(other: DigestJournal): string | undefined {
    const length = Math.max(this.#noted.length, other.#noted.length);
    for (let index = 0; index < length; index += 1) {
      const [one, two] = [this.#noted[index], other.#noted[index]];
      if (one?.digest === two?.digest) continue;
      const first = Math.min(one?.time ?? Infinity, two?.time ?? Infinity);
      const [mine, others] = [one, two].map((noted) =>
        noted?.time === first ? noted.text : 'nothing',
      );
      const same = mine === others ? ', with other values' : '';
      return `at ${formatUtc(first)}: ${mine ?? ''} in one run, ${others ?? ''} in the next${same}`;
    }
    return undefined;
  }
}

function describe(
  event: EngineEvent,
  commands: readonly Command[],
  intents: readonly RecordedIntent[],
): string {
  const sent = commands.map((command) =>
    command.kind === 'submit'
      ? `an order to ${command.order.side} ${command.order.instrumentId}`
      : `a cancel of ${command.clientOrderId}`,
  );
  const wanted = intents.map(({ intent }) => (intent === undefined ? 'nothing' : intent.kind));
  const told = event.kind === 'venue' ? [`${event.update.kind} of the venue`] : [];
  return [...told, ...(sent.length > 0 ? sent : wanted)].join(', ');
}
