import { xoroshiro128plus } from 'pure-rand/generator/xoroshiro128plus';
import { DomainError, type EpochMs } from '../../domain/index.js';
import { endpointsOf, faultRuleSchema, type FaultKind, type FaultRule } from './fault-rule.js';

/** A rule in force and how often it has happened. */
export interface ActiveFault {
  readonly id: number;
  readonly rule: FaultRule;
  readonly since: EpochMs;
  readonly fired: number;
}

/** One fault that happens to a call, with what its chance made of it. */
export interface DrawnFault {
  readonly id: number;
  readonly rule: FaultRule;
  /** In [0, 1): for what a fault leaves to chance. */
  readonly chance: number;
}

interface Entry {
  readonly id: number;
  readonly rule: FaultRule;
  readonly endpoints: ReadonlySet<string>;
  readonly since: EpochMs;
  readonly random: () => number;
  fired: number;
}

const TWO_TO_32 = 4_294_967_296;
/** The generator's first numbers of neighboring seeds resemble each other. */
const WARM_UP = 32;

function uniforms(seed: number): () => number {
  const generator = xoroshiro128plus(seed);
  for (let draw = 0; draw < WARM_UP; draw += 1) generator.next();
  return () => (generator.next() >>> 0) / TWO_TO_32;
}

/**
 * The faults in force. Each rule has its own stream of chance, seeded by the plan's seed and the rule's place: the same calls meet the
 * same faults, and a rule more does not move those of the others.
 *
 * Durations are counted on the transport's time.
 */
export class FaultPlan {
  readonly #seed: number;
  #entries: Entry[] = [];
  #nextId = 1;
  /** Faults that have happened, by kind, those of removed rules included. */
  readonly #counts = new Map<FaultKind, number>();

  constructor(seed: number) {
    this.#seed = seed;
  }

  /** Whether nothing can happen to any call. */
  get isEmpty(): boolean {
    return this.#entries.length === 0;
  }

  /** Puts a rule in force and returns its id. */
  add(rule: FaultRule, now: EpochMs): number {
    const id = this.#nextId;
    this.#nextId += 1;
    this.#entries.push({
      id,
      rule,
      endpoints: endpointsOf(rule),
      since: now,
      random: uniforms(this.#seed + id * 7_919),
      fired: 0,
    });
    return id;
  }

  /** Takes a rule out; all of them without an id. Says how many there were. */
  remove(id?: number): number {
    const before = this.#entries.length;
    this.#entries = id === undefined ? [] : this.#entries.filter((entry) => entry.id !== id);
    return before - this.#entries.length;
  }

  /** What happens to a call of this endpoint, in the order of the rules. Each one that happens counts. */
  draw(endpointId: string, now: EpochMs): readonly DrawnFault[] {
    const drawn: DrawnFault[] = [];
    for (const entry of this.#entries) {
      if (!entry.endpoints.has(endpointId) || !isInForce(entry, now)) continue;
      if (entry.rule.probability < 1 && entry.random() >= entry.rule.probability) continue;
      drawn.push({ id: entry.id, rule: entry.rule, chance: entry.random() });
      this.#count(entry);
    }
    return drawn;
  }

  /** Rules of the kinds that last, as long as they are in force. Those that count do so by {@link fire}. */
  lasting<Kind extends FaultKind>(
    kind: Kind,
    now: EpochMs,
  ): readonly (ActiveFault & { readonly rule: Extract<FaultRule, { fault: Kind }> })[] {
    return this.#entries.filter(
      (entry): entry is Entry & { readonly rule: Extract<FaultRule, { fault: Kind }> } =>
        entry.rule.fault === kind && isInForce(entry, now),
    );
  }

  /** Counts one happening of a rule that lasts. */
  fire(id: number): void {
    const entry = this.#entries.find((candidate) => candidate.id === id);
    if (entry !== undefined) this.#count(entry);
  }

  #count(entry: Entry): void {
    entry.fired += 1;
    this.#counts.set(entry.rule.fault, (this.#counts.get(entry.rule.fault) ?? 0) + 1);
  }

  /** Rules, those whose time is over included, until they are removed. */
  list(): readonly ActiveFault[] {
    return this.#entries.map(({ id, rule, since, fired }) => ({ id, rule, since, fired }));
  }

  counts(): Readonly<Record<string, number>> {
    return Object.fromEntries(this.#counts);
  }
}

function isInForce({ rule, since, fired }: Entry, now: EpochMs): boolean {
  const isOver = rule.durationMs !== undefined && now >= since + rule.durationMs;
  return !isOver && (rule.count === undefined || fired < rule.count);
}

/**
 * Reads a rule as a person wrote it.
 *
 * @throws {DomainError} `E_FAULT` when it is none: an unknown fault, an unknown or impossible parameter, or endpoints it cannot concern.
 */
export function parseFaultRule(written: unknown): FaultRule {
  const parsed = faultRuleSchema.safeParse(written);
  if (!parsed.success) {
    const [issue] = parsed.error.issues;
    const place = issue?.path.map(String).join('.') ?? '';
    throw new DomainError(
      'E_FAULT',
      `fault${place === '' ? '' : ` ${place}`}: ${issue?.message ?? 'expected a fault'}`,
    );
  }
  const rule = parsed.data;
  if (rule.endpoints !== undefined && endpointsOf(rule).size === 0) {
    throw new DomainError(
      'E_FAULT',
      `fault ${rule.fault}: expected endpoints it can concern, received ${rule.endpoints.join(', ')}`,
    );
  }
  return rule;
}
