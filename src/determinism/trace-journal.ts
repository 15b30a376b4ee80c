import { createHash } from 'node:crypto';
import type { EpochMs } from '../domain/index.js';
import type { Command, EngineEvent, Journal, RecordedIntent } from '../engine/index.js';
import type { RunTrace, TracedStep } from './run-trace.js';

interface TraceJournalOptions {
  /** Whether steps contain the strategy's intents and the submitted orders as text. @defaultValue false */
  readonly keepsWants?: boolean | undefined;
  /** Called after the candles of each instant. */
  readonly onSlice?: ((time: EpochMs) => void) | undefined;
}

/** Records what a run did: the intents of the strategy, the commands for them, and the updates of the venue. Equal runs have equal traces. */
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
    // Both runs receive the same candles and marks. Such an event counts only if it leads to an intent or a command.
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

  /** The steps so far. */
  get trace(): RunTrace {
    return this.#steps;
  }
}

/** An intent that was dropped, because the strategy was not to trade, counts as none. */
function wantOf({ time, intent }: RecordedIntent): readonly string[] {
  return intent === undefined ? [] : [`${String(time)} ${exactText(intent)}`];
}

/** A cancel names its order only by id, which means nothing in another run. */
function sendOf(time: EpochMs, command: Command): readonly string[] {
  if (command.kind !== 'submit') return [];
  const order = { ...command.order, clientOrderId: undefined, intentId: undefined };
  return [`${String(time)} ${exactText(order)}`];
}

/** JSON in which exact amounts are written as their integers. */
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
