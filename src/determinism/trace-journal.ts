import { createHash } from 'node:crypto';
import type { EpochMs } from '../domain/index.js';
import type { Command, EngineEvent, Journal, RecordedIntent } from '../engine/index.js';
import type { RunTrace, TracedStep } from './run-trace.js';

export interface TraceJournalOptions {
  /** Whether steps have what the strategy wanted, and what was sent, as text. @defaultValue false */
  readonly keepsWants?: boolean | undefined;
  /** Is called after the candles of each instant. */
  readonly onSlice?: ((time: EpochMs) => void) | undefined;
}

/** Keeps of a run what it did: what a strategy wanted, what was sent for it, and what the venue did. Equal runs have it in common. */
export class TraceJournal implements Journal {
  readonly #options: TraceJournalOptions;
  readonly #steps: TracedStep[] = [];
  #lastSlice: EpochMs | undefined;

  constructor(options: TraceJournalOptions = {}) {
    this.#options = options;
  }

  append(
    event: EngineEvent,
    commands: readonly Command[],
    intents: readonly RecordedIntent[],
  ): void {
    const isSlice = event.kind === 'candles';
    this.#note(event, commands, intents);
    if (!isSlice) return;
    this.#lastSlice = event.time;
    this.#options.onSlice?.(event.time);
  }

  #note(
    event: EngineEvent,
    commands: readonly Command[],
    intents: readonly RecordedIntent[],
  ): void {
    const { time, kind } = event;
    const isVenue = kind === 'venue';
    // Candles and marks are the same for both; they count by what they lead to.
    if (commands.length === 0 && intents.length === 0 && !isVenue) return;
    const update = isVenue ? event.update : undefined;
    const keeps = this.#options.keepsWants === true;
    this.#steps.push({
      time,
      isAfterSlice: kind !== 'candles' && time === this.#lastSlice,
      digest: createHash('sha256')
        .update(exactText({ time, kind, update, commands, intents }))
        .digest('base64'),
      text: describe(event, commands, intents),
      commands: commands.length,
      wants: keeps ? intents.flatMap(wantOf) : [],
      sends: keeps ? commands.flatMap((command) => sendOf(time, command)) : [],
    });
  }

  /** What has been done so far. */
  get trace(): RunTrace {
    return this.#steps;
  }
}

/** What was dropped, because the strategy was not to trade, led to nothing. */
function wantOf({ time, intent }: RecordedIntent): readonly string[] {
  return intent === undefined ? [] : [`${String(time)} ${exactText(intent)}`];
}

/** Cancels name an order by its id alone, which says nothing to another run. */
function sendOf(time: EpochMs, command: Command): readonly string[] {
  if (command.kind !== 'submit') return [];
  const order = { ...command.order, clientOrderId: undefined, intentId: undefined };
  return [`${String(time)} ${exactText(order)}`];
}

/** JSON in which exact amounts are their integers. */
function exactText(value: unknown): string {
  return JSON.stringify(value, (_, member: unknown) =>
    typeof member === 'bigint' ? String(member) : member,
  );
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
