import { DAY_MS, type EpochMs } from '../../domain/index.js';
import {
  MAX_STATE_BYTES,
  STRATEGY,
  writeState,
  type DeclaredState,
  type StateShape,
} from '../../strategy/index.js';
import type { EngineOptions } from '../engine-options.js';
import { NO_JOURNAL } from '../journal.js';
import type { StrategyFailures } from '../strategy/strategy-failures.js';
import type { StateCheckpoint } from './state-checkpoint.js';

/** The facts of a run that decide whether state is kept. */
interface RunSoFar {
  readonly event: { readonly kind: string } | undefined;
  readonly isWarm: boolean;
  readonly isOver: boolean;
}

interface StateKeeperOptions {
  readonly declared: DeclaredState;
  /** State that was kept before. @defaultValue nothing: the state is as it was declared */
  readonly kept: StateCheckpoint | undefined;
  /** Whether each change is recorded. */
  readonly isRecorded: boolean;
  readonly failures: Pick<StrategyFailures, 'create'>;
}

/** Events that come only once: no warm-up brings them again. */
const NEWS: ReadonlySet<string> = new Set(['venue', 'operator', 'health']);

/**
 * Kept state of one strategy. If changes are recorded, the state is written as JSON after each event. Otherwise it is written only once a day, to
 * find out whether it can be written.
 *
 * Changes that a strategy makes during warm-up are dropped, like its intents: a restarted bot warms up with candles that its state has already
 * counted.
 */
export class StateKeeper {
  /** The strategy reads and writes it. It is the same object for the whole run. */
  readonly value: Record<string, unknown>;
  readonly #options: StateKeeperOptions;
  /** JSON of the state as recorded: at the beginning, or after the last event that changed it. */
  #text: string;
  /** JSON to which the state is reset during warm-up; undefined when the strategy is warm. */
  #base: string | undefined;
  #nextLook = Number.NEGATIVE_INFINITY;
  #change: string | undefined;

  /** @throws {StrategyError} `E_STATE_SHAPE` when the kept state has another form and cannot be migrated; as `migrateState`. */
  constructor(options: StateKeeperOptions) {
    this.#options = options;
    this.#text = takeUp(options);
    this.value = JSON.parse(this.#text) as Record<string, unknown>;
  }

  /** Call between two events. */
  checkpoint(): StateCheckpoint {
    if (!this.#options.isRecorded && this.#base === undefined) this.#look();
    return { ...this.#options.declared.shape, json: this.#text };
  }

  /** Call after the engine has subscribed to the strategy. */
  start({ isWarm }: Pick<RunSoFar, 'isWarm'>): void {
    if (!isWarm) this.#base = textOf(this.value, this.#options);
  }

  /** Call at the end of an event. @throws {StrategyError} `E_STATE_VALUE`, `E_STATE_SIZE` for a state that cannot be kept. */
  endEvent(now: EpochMs, { event, isWarm, isOver }: RunSoFar): void {
    const isNews = event !== undefined && NEWS.has(event.kind);
    if (this.#base !== undefined) {
      if (isNews) this.#base = textOf(this.value, this.#options);
      else this.#putBack(this.#base);
      if (isWarm) this.#base = undefined;
      else if (!isNews) return;
    }
    if (!this.#options.isRecorded && now < this.#nextLook && !isOver) return;
    this.#nextLook = now - (now % DAY_MS) + DAY_MS;
    this.#look();
  }

  /** The state as JSON if it has changed since the last call; otherwise undefined. */
  takeChange(): string | undefined {
    const change = this.#change;
    this.#change = undefined;
    return change;
  }

  #look(): void {
    const text = textOf(this.value, this.#options);
    if (text === this.#text) return;
    this.#text = text;
    this.#change = text;
  }

  #putBack(base: string): void {
    if (textOf(this.value, this.#options) === base) return;
    for (const key of Object.keys(this.value)) Reflect.deleteProperty(this.value, key);
    Object.defineProperties(
      this.value,
      Object.getOwnPropertyDescriptors(JSON.parse(base) as object),
    );
  }
}

/**
 * Continues with the kept state, or begins with the declared one. Undefined for a strategy that keeps none.
 *
 * @throws {StrategyError} `E_STATE_SHAPE`; as `migrateState`.
 */
export function createStateKeeper(
  options: Pick<EngineOptions, 'strategyClass' | 'checkpoint' | 'journal'>,
  failures: StateKeeperOptions['failures'],
): StateKeeper | undefined {
  const kept = options.checkpoint?.state;
  const { carriesState = false, state } = options.strategyClass[STRATEGY];
  const declared = carriesState ? kept && declaredAs(kept) : state;
  const isRecorded = options.journal !== NO_JOURNAL;
  if (declared !== undefined) return new StateKeeper({ declared, kept, isRecorded, failures });
  if (kept === undefined) return undefined;
  throw failures.create(
    'E_STATE_SHAPE',
    `the bot has kept a state: expected a strategy that declares one, ${describeShape(kept)}, received one that declares none; declare { state: {}, migrateState: () => ({}) } to forget it, or give the bot another journal`,
  );
}

/** A declaration in the form of the kept state. */
function declaredAs({ json: initial, ...shape }: StateCheckpoint): DeclaredState {
  return { shape, initial, migrate: undefined, declaredAt: new Error('carried over') };
}

function takeUp({ declared, kept, failures }: StateKeeperOptions): string {
  const { shape, migrate, initial, declaredAt } = declared;
  if (kept === undefined) return initial;
  if (kept.version === shape.version && kept.members === shape.members) return kept.json;
  const { json, ...oldShape } = kept;
  if (migrate === undefined) {
    throw failures.create(
      'E_STATE_SHAPE',
      `the bot has kept a state of another form: expected ${describeShape(shape)}, received ${describeShape(oldShape)}; declare migrateState(old, oldShape), which makes the one of the other, or give the bot another journal`,
      declaredAt,
    );
  }
  const migrated = migrate(JSON.parse(json) as Record<string, unknown>, oldShape);
  const text = textOf(migrated, { declared, failures });
  const problem = findOtherForm(JSON.parse(text), JSON.parse(initial), 'state');
  if (problem === undefined) return text;
  throw failures.create(
    'E_STATE_SHAPE',
    `migrateState: expected ${describeShape(shape)}, received ${problem}`,
    declaredAt,
  );
}

/**
 * Compares a migrated state with the declared one. Returns what differs, or undefined if the form is the declared one. A null, on either side, does not say
 * what a member may hold, and a list does not say what it holds.
 */
function findOtherForm(value: unknown, declared: unknown, path: string): string | undefined {
  if (declared === null || (value === null && path !== 'state')) return undefined;
  const kind = kindOf(value);
  if (kind !== kindOf(declared)) return `${kind} as ${path}`;
  if (kind !== 'object') return undefined;
  for (const [name, member] of Object.entries(declared as object)) {
    const place = `${path}.${name}`;
    if (!Object.hasOwn(value as object, name)) return `a state without ${place}`;
    const found = findOtherForm(Reflect.get(value as object, name), member, place);
    if (found !== undefined) return found;
  }
  return undefined;
}

function kindOf(value: unknown): string {
  if (value === null) return 'null';
  return Array.isArray(value) ? 'list' : typeof value;
}

function textOf(
  value: unknown,
  { declared, failures }: Pick<StateKeeperOptions, 'declared' | 'failures'>,
): string {
  const written = writeState(value);
  if (!written.ok) {
    const { path, received } = written.problem;
    throw failures.create(
      'E_STATE_VALUE',
      `${path}: expected null, a boolean, a finite number, a string, a list or a plain object, received ${received}`,
      declared.declaredAt,
    );
  }
  const bytes = Buffer.byteLength(written.text);
  if (bytes > MAX_STATE_BYTES) {
    throw failures.create(
      'E_STATE_SIZE',
      `state: expected at most ${String(MAX_STATE_BYTES)} bytes as JSON, received ${String(bytes)}`,
      declared.declaredAt,
    );
  }
  return written.text;
}

function describeShape({ version, members }: StateShape): string {
  return `version ${String(version)} ${members}`;
}
