import type { Candle } from '../domain/index.js';
import type { EngineOptions } from './engine-options.js';
import { describeEvent } from './events.js';
import { HaltActions } from './halt-actions.js';
import { FollowUp } from './intents/follow-up.js';
import { FormPlaces } from './intents/form-places.js';
import { IntentQueue } from './intents/intent-queue.js';
import { OrderStatuses } from './intents/order-statuses.js';
import { NO_JOURNAL } from './journal.js';
import type { StreamRoute } from './market/candle-stream.js';
import { MarketHub } from './market/market-hub.js';
import { RuleChanges } from './market/rule-changes.js';
import { VenueMargins } from './market/venue-margins.js';
import { OrderIds } from './order-ids.js';
import { KnownForms } from './orders/forms/known-forms.js';
import { OrderManager } from './orders/order-manager.js';
import { Portfolio } from './portfolio/portfolio.js';
import { Protections } from './protections.js';
import type { EngineCheckpoint } from './state/engine-checkpoint.js';
import { RunState } from './state/run-state.js';
import { StrategyFailures } from './strategy/strategy-failures.js';
import { StrategyFeedback } from './strategy/strategy-feedback.js';
import { EngineClock } from './time/engine-clock.js';

export interface EngineParts {
  readonly options: EngineOptions;
  readonly run: RunState;
  readonly followUp: FollowUp;
  readonly clock: EngineClock;
  readonly hub: MarketHub;
  readonly portfolio: Portfolio;
  readonly margins: VenueMargins;
  readonly protections: Protections;
  readonly feedback: StrategyFeedback;
  readonly failures: StrategyFailures;
  readonly orderManager: OrderManager;
  readonly halts: HaltActions;
  readonly intents: IntentQueue;
  readonly forms: KnownForms;
  /** Undefined if places in the plugin are unknown. */
  readonly formPlaces: FormPlaces;
  readonly ruleChanges: RuleChanges;
}

/** Parts that are created before the order manager, and do not depend on it. */
interface Basics extends Omit<EngineParts, 'protections' | 'feedback' | 'orderManager' | 'halts'> {
  readonly ids: OrderIds;
}

/** Creates the parts of an engine and connects them. With a checkpoint, restores their state. */
export function createEngineParts(options: EngineOptions): EngineParts {
  const basics = createBasics(options);
  const protections = createProtections(basics, () => parts);
  const feedback = new StrategyFeedback({ ...basics, protections });
  const orderManager = createOrderManager(basics, protections, feedback);
  const { run, followUp, clock, hub, portfolio, failures, intents, ruleChanges } = basics;
  feedback.statuses = new OrderStatuses(intents, orderManager);
  const halts = new HaltActions({
    orderManager,
    protections,
    portfolio,
    nextIntentId: () => intents.nextId(),
  });
  // Not spread: V8 would give each engine's parts a shape of its own, and the parts are read with every candle.
  const parts: EngineParts = {
    options,
    run,
    followUp,
    clock,
    hub,
    portfolio,
    margins: basics.margins,
    protections,
    feedback,
    failures,
    orderManager,
    halts,
    intents,
    forms: basics.forms,
    formPlaces: basics.formPlaces,
    ruleChanges,
  };
  failures.onOut = () => {
    hub.silence();
    feedback.silence();
    clock.dropStrategys();
    intents.dropPending(clock.now);
  };
  if (failures.isOut) failures.onOut();
  restore(parts);
  return parts;
}

function createBasics(options: EngineOptions): Basics {
  const { checkpoint, instruments, rules, startTime } = options;
  const describePlace = options.describePlace ?? (() => undefined);
  const run = new RunState(checkpoint);
  const followUp = new FollowUp();
  const ids = new OrderIds(options.botId);
  const failures = new StrategyFailures({
    strategyId: options.strategyClass.name,
    currentEvent: () => (run.event === undefined ? undefined : describeEvent(run.event)),
    followUp,
    describePlace: options.describePlace,
    outlivesStrategy: options.outlivesStrategy,
    before: checkpoint?.strategyFailure,
  });
  const forms = new KnownForms();
  return {
    options,
    run,
    followUp,
    clock: new EngineClock(startTime, followUp),
    hub: new MarketHub(
      instruments.map(({ instrument: { id: instrumentId, isReadOnly }, intervals }) => ({
        instrumentId,
        intervals,
        isReadOnly,
      })),
      options.servesReadings,
      followUp,
      failures.record,
    ),
    portfolio: new Portfolio({
      instruments: instruments.map(({ instrument }) => ({
        instrument,
        pricePrecision: rules.at(instrument.id, startTime)?.pricePrecision ?? 8,
      })),
      balances: options.balances,
      equityCurrency: options.equityCurrency,
      hourlyRate: options.hourlyRate,
      owedReserve: options.owedReserve,
      checkpoint,
    }),
    margins: new VenueMargins(),
    ids,
    forms,
    formPlaces: new FormPlaces(forms, describePlace),
    ruleChanges: new RuleChanges(rules, checkpoint?.rules),
    failures,
    intents: new IntentQueue(
      checkpoint?.lastIntentId ?? 0,
      options.journal !== NO_JOURNAL,
      followUp,
    ),
  };
}

/** Protections guard the order manager's orders and read them. The order manager is created after them, so it comes through a function. */
function createProtections(
  { options, portfolio, clock }: Basics,
  parts: () => Pick<EngineParts, 'orderManager' | 'halts' | 'feedback'>,
): Protections {
  const { protections, fundingTimes } = options;
  return new Protections({
    config: protections ?? {},
    portfolio,
    account: () => parts().orderManager.ownOrders.account,
    fundingTimes,
    now: () => clock.now,
    onHalt: (halt) => {
      parts().halts.untaken.push(halt);
      parts().feedback.halted(halt);
    },
  });
}

function createOrderManager(
  { options, portfolio, hub, clock, run, intents, ids }: Basics,
  protections: Protections,
  listener: StrategyFeedback,
): OrderManager {
  const { records, rules, policy, positionMode, remainder } = options;
  return new OrderManager({
    ids,
    records,
    portfolio,
    hub,
    rules,
    // Spread last: with members after the spread, V8 would give each engine's policy a shape of its own.
    policy: { guards: protections.guards, ...policy },
    positionMode: positionMode ?? 'hedge',
    timers: clock.timers,
    remainder: remainder ?? 'cancel',
    listener,
    clock,
    run,
    nextIntentId: () => intents.nextId(),
    decisions: options.decisions,
    cashWatch: options.cashWatch,
    maxFeeRate: options.maxFeeRate,
    venueStops: options.venueStops,
  });
}

/**
 * Everything that another engine needs to continue. To be called between two events.
 *
 * @param state - kept state of the strategy; by default that of the checkpoint before
 */
export function takeCheckpoint(
  parts: EngineParts,
  state: EngineCheckpoint['state'] = parts.options.checkpoint?.state,
): EngineCheckpoint {
  const { intents, portfolio, orderManager, protections, halts, run, failures } = parts;
  const rules = parts.ruleChanges.list;
  const { initialEquity } = run;
  const strategyFailure = failures.inForce;
  return {
    lastIntentId: intents.lastId,
    ...portfolio.checkpoint(),
    ...orderManager.checkpoint(),
    protections: protections.checkpoint(),
    hasOrderedSinceFlatten: halts.hasOrderedSinceFlatten,
    ...(initialEquity !== undefined && { initialEquity }),
    ...(state !== undefined && { state }),
    ...(strategyFailure && { strategyFailure }),
    ...(rules && { rules }),
  };
}

function restore({ options, orderManager, protections, halts }: EngineParts): void {
  const { checkpoint } = options;
  if (checkpoint === undefined) return;
  orderManager.restore(checkpoint);
  protections.restore(checkpoint.protections);
  halts.restore(checkpoint.hasOrderedSinceFlatten);
}

/** The route of a candle that came as an event. */
export function routeOfCandle({ portfolio, hub }: EngineParts, candle: Candle): StreamRoute {
  const account = portfolio.instrument(candle.instrumentId);
  return { stream: hub.streamOf(candle), account };
}
