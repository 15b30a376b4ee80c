import { xoroshiro128plus } from 'pure-rand/generator/xoroshiro128plus';
import { DomainError, type EpochMs } from '../../domain/index.js';
import { describeMismatch } from '../../venue/wire/index.js';
import { endpointsOf, faultRuleSchema, type FaultKind, type FaultRule } from './fault-rule.js';

/** A rule of the plan, and how often it has happened. */
interface ActiveFault {
  readonly id: number;
  readonly rule: FaultRule;
  readonly since: EpochMs;
  readonly fired: number;
}

/** One fault that happens to a call, with a random number for its details. */
export interface DrawnFault {
  readonly id: number;
  readonly rule: FaultRule;
  /** In [0, 1), for the random details of the fault. */
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
/** For neighboring seeds, the first numbers of the generator resemble each other. */
const WARM_UP = 32;

function uniforms(seed: number): () => number {
  const generator = xoroshiro128plus(seed);
  for (let draw = 0; draw < WARM_UP; draw += 1) generator.next();
  return () => (generator.next() >>> 0) / TWO_TO_32;
}

/**
 * The faults in force. Each rule has its own stream of random numbers, from the plan's seed and the rule's id. So the same calls meet the same
 * faults, and another rule does not change the draws of the existing ones.
 *
 * Durations are in transport time.
 */
export class FaultPlan {
  readonly #seed: number;
  #entries: Entry[] = [];
  #nextId = 1;
  /** Number of faults that have happened, by kind; includes removed rules. */
  readonly #counts = new Map<FaultKind, number>();

  constructor(seed: number) {
    this.#seed = seed;
  }

  /** Whether there is no rule, so that nothing can happen to any call. */
  get isEmpty(): boolean {
    return this.#entries.length === 0;
  }

  /** Adds a rule and returns its id. */
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

  /** Removes a rule, or all of them without an id. Returns how many were removed. */
  remove(id?: number): number {
    const before = this.#entries.length;
    this.#entries = id === undefined ? [] : this.#entries.filter((entry) => entry.id !== id);
    return before - this.#entries.length;
  }

  /** The faults that happen to a call of this endpoint, in the order of the rules. Each of them is counted. */
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

  /** Rules of a lasting kind, as long as they are in force. Their events are counted by {@link fire}. */
  lasting<Kind extends FaultKind>(
    kind: Kind,
    now: EpochMs,
  ): readonly (ActiveFault & { readonly rule: Extract<FaultRule, { fault: Kind }> })[] {
    return this.#entries.filter(
      (entry): entry is Entry & { readonly rule: Extract<FaultRule, { fault: Kind }> } =>
        entry.rule.fault === kind && isInForce(entry, now),
    );
  }

  /** Counts one event of a lasting rule. */
  fire(id: number): void {
    const entry = this.#entries.find((candidate) => candidate.id === id);
    if (entry !== undefined) this.#count(entry);
  }

  #count(entry: Entry): void {
    entry.fired += 1;
    this.#counts.set(entry.rule.fault, (this.#counts.get(entry.rule.fault) ?? 0) + 1);
  }

  /** All rules until they are removed, including those whose time is over. */
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

const FAULT_NAMES: readonly string[] = faultRuleSchema.options.map(
  ({ shape }) => shape.fault.value,
);

/**
 * Reads a rule as a person wrote it.
 *
 * @throws {DomainError} `E_FAULT` when it is invalid: an unknown fault, an unknown or impossible parameter, or endpoints to which it cannot apply.
 */
export function parseFaultRule(written: unknown): FaultRule {
  const parsed = faultRuleSchema.safeParse(written);
  if (!parsed.success) {
    const { issues } = parsed.error;
    const { place, expected, received } = describeMismatch(issues, written);
    const isUnknown = issues[0]?.code === 'invalid_union';
    const problem = isUnknown
      ? `fault: expected one of ${FAULT_NAMES.join(', ')}`
      : `fault${place === '' ? '' : ` ${place}`}: expected ${expected}`;
    throw new DomainError('E_FAULT', `${problem}, received ${received}`);
  }
  const rule = parsed.data;
  if (rule.endpoints !== undefined && endpointsOf(rule).size === 0) {
    const possible = [...endpointsOf({ ...rule, endpoints: undefined })];
    const expected =
      possible.length === 0
        ? 'no endpoints, because it concerns the whole exchange'
        : `endpoints of ${possible.join(', ')}`;
    throw new DomainError(
      'E_FAULT',
      `fault ${rule.fault}: expected ${expected}, received ${rule.endpoints.join(', ')}`,
    );
  }
  return rule;
}
