import type { EpochMs } from '../../domain/index.js';
import type { AnswerProfile, AnyEndpoint } from '../../venue/wire/index.js';
import type { CommandEffects } from '../exchange-account.js';
import { BodyFaults } from '../faults/body-faults.js';
import type { DrawnFault, FaultPlan } from '../faults/fault-plan.js';
import type { FaultKind } from '../faults/fault-rule.js';
import { refuse, type ExchangeRefusal } from '../refusal.js';
import { writeRefusal, type WireAnswer } from './wire-answer.js';

/** The failure of a connection that happens instead of an answer. */
export type ConnectionFault = 'reset-before' | 'reset-after' | 'answer-lost';

/** The faults of one call. */
interface CallFate {
  readonly delayMs: number;
  /** The answer without processing the call. */
  readonly instead: WireAnswer | undefined;
  readonly connection: ConnectionFault | undefined;
  readonly effects: CommandEffects;
  /** Turns the right answer into the one that the client gets. */
  readonly spoil: (answer: WireAnswer) => WireAnswer;
}

const NOTHING: CallFate = {
  delayMs: 0,
  instead: undefined,
  connection: undefined,
  effects: {},
  spoil: (answer) => answer,
};

/** Refusals of calls that are not processed. */
const INSTEAD: Partial<
  Readonly<Record<FaultKind, ExchangeRefusal & { readonly status?: number }>>
> = {
  maintenance: refuse('-1016', 'maintenance'),
  banned: { ...refuse('-1003', 'too many requests'), status: 418 },
  'rate-limited': refuse('-1003', 'too many requests'),
  'server-error': refuse('-1001', 'internal error'),
};

/** Draws the faults of calls, and changes their answers. */
export class CallFaults {
  readonly #plan: FaultPlan;
  readonly #profile: AnswerProfile;
  readonly #bodies = new BodyFaults();

  constructor(plan: FaultPlan, profile: AnswerProfile) {
    this.#plan = plan;
    this.#profile = profile;
  }

  fateOf(endpoint: AnyEndpoint, target: string, now: EpochMs): CallFate {
    if (this.#plan.isEmpty) return NOTHING;
    const drawn = this.#plan.draw(endpoint.id, now);
    if (drawn.length === 0) return NOTHING;
    return {
      delayMs: drawn.reduce((sum, fault) => sum + delayOf(fault), 0),
      instead: this.#insteadOf(drawn),
      connection: connectionOf(drawn),
      effects: Object.assign({}, ...drawn.map(effectsOf)) as CommandEffects,
      spoil: (answer) =>
        drawn.reduce((spoiled, fault) => this.#spoil(spoiled, fault, target), answer),
    };
  }

  #insteadOf(drawn: readonly DrawnFault[]): WireAnswer | undefined {
    for (const { rule } of drawn) {
      const refusal = INSTEAD[rule.fault];
      if (refusal === undefined) continue;
      const status = rule.fault === 'server-error' ? rule.status : refusal.status;
      return writeRefusal(refusal, this.#profile, status === undefined ? {} : { status });
    }
    return undefined;
  }

  #spoil(answer: WireAnswer, fault: DrawnFault, target: string): WireAnswer {
    if (fault.rule.fault === 'timeout-after') {
      const refusal = refuse('-1007', 'timeout inside the exchange, execution unknown');
      return writeRefusal(refusal, this.#profile);
    }
    return this.#bodies.apply(answer, fault, target);
  }
}

function delayOf({ rule, chance }: DrawnFault): number {
  if (rule.fault !== 'latency') return 0;
  const isSpike = chance < rule.spikeProbability;
  // Rescales the part of the chance above the share of the spikes.
  const rest = (chance - rule.spikeProbability) / (1 - Math.min(rule.spikeProbability, 0.999_999));
  return rule.delayMs + Math.round(isSpike ? rule.spikeMs : Math.max(0, rest) * rule.jitterMs);
}

function connectionOf(drawn: readonly DrawnFault[]): ConnectionFault | undefined {
  for (const { rule } of drawn) {
    if (
      rule.fault === 'reset-before' ||
      rule.fault === 'reset-after' ||
      rule.fault === 'answer-lost'
    ) {
      return rule.fault;
    }
  }
  return undefined;
}

function effectsOf({ rule }: DrawnFault): CommandEffects {
  if (rule.fault === 'many-fills') return { pieces: rule.pieces };
  if (rule.fault === 'hidden-order') return { hiddenMs: rule.hiddenMs };
  return rule.fault === 'cancel-fills' ? { fillsFirst: true } : {};
}
