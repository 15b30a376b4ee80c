import type { EpochMs, InstrumentId } from '../../../src/domain/index.js';
import type { BotSession, OpenSession, SessionHooks } from '../../../src/live/index.js';
import type { Engine, EngineEvent } from '../../../src/engine/index.js';

/** What a bot runs on, without market or venue: it notes what is asked of it, and does what a test says. */
export class StagedSession implements BotSession {
  /** What was asked, in order; `tell` with what the operator or the bot wants. */
  readonly asked: string[] = [];
  /** What comparisons find, one after the other, the last one for ever; or how they fail. */
  findings: readonly (readonly string[] | Error)[] = [[]];
  /** What comparisons of holdings find, likewise. */
  holdings: readonly (readonly string[] | Error)[] = [[]];
  isSending = false;
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

  /** What a session tells its bot. */
  get hooks(): SessionHooks {
    if (this.#hooks === undefined) throw new Error('expected a bot');
    return this.#hooks;
  }

  /** The engine takes an event in. */
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
