import type { EpochMs, InstrumentId } from '../../../src/domain/index.js';
import type { BotSession, OpenSession, SessionHooks } from '../../../src/live/index.js';
import type { Engine, EngineEvent } from '../../../src/engine/index.js';

/** A session without market or venue. It notes the calls of its bot and gives the results that a test sets. */
export class StagedSession implements BotSession {
  /** Calls, in order; `tell` with the action or condition of its event. */
  readonly asked: string[] = [];
  /** Results of reconciliations, in order; the last one repeats. An error makes the call fail. */
  findings: readonly (readonly string[] | Error)[] = [[]];
  /** Results of comparisons of holdings, in the same way. */
  holdings: readonly (readonly string[] | Error)[] = [[]];
  isSending = false;
  isUnsettled = false;
  unansweredCancels: ReadonlyMap<InstrumentId, number> = new Map();
  readonly #engine: Engine;
  readonly #now: () => EpochMs;
  #hooks: SessionHooks | undefined;

  constructor(engine: Engine, now: () => EpochMs) {
    this.#engine = engine;
    this.#now = now;
  }

  readonly open: OpenSession = (hooks) => {
    this.#hooks = hooks;
    return this;
  };

  /** The hooks through which a session informs its bot. */
  get hooks(): SessionHooks {
    if (this.#hooks === undefined) throw new Error('expected a bot');
    return this.#hooks;
  }

  /** Gives an event to the engine and reports it to the bot. */
  process(event: EngineEvent): void {
    this.hooks.onProcessed(event, [...this.#engine.process(event)]);
  }

  restore(): void {
    this.asked.push('restore');
  }

  warmUp(): Promise<void> {
    this.asked.push('warm up');
    return Promise.resolve();
  }

  resolve(): Promise<void> {
    this.asked.push('resolve');
    return Promise.resolve();
  }

  run(): void {
    this.asked.push('run');
  }

  reconcile(): Promise<readonly string[]> {
    this.asked.push('reconcile');
    const [found, ...later] = this.findings;
    if (later.length > 0) this.findings = later;
    return answer(found);
  }

  compareAgain(): Promise<readonly string[]> {
    this.asked.push('compare');
    const [found, ...later] = this.holdings;
    if (later.length > 0) this.holdings = later;
    return answer(found);
  }

  tell(make: (time: EpochMs) => EngineEvent): void {
    const event = make(Math.max(this.#now(), this.#engine.now()));
    if (event.kind === 'operator') this.asked.push(`tell ${event.action}`);
    if (event.kind === 'health') this.asked.push(event.isDegraded ? 'tell degraded' : 'tell well');
    this.process(event);
  }

  closeEntries(): void {
    this.asked.push('close entries');
  }

  stop(): Promise<void> {
    this.asked.push('stop');
    return Promise.resolve();
  }
}

function answer(found: readonly string[] | Error | undefined): Promise<readonly string[]> {
  return found instanceof Error ? Promise.reject(found) : Promise.resolve(found ?? []);
}
