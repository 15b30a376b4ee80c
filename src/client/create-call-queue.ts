import type { Clock } from '../domain/index.js';
import { KEPT_FOR_COMMANDS, limitRulesOf, RateLimitPolicy } from '../venue/index.js';
import { ENDPOINT_LIST } from '../venue/wire/index.js';
import { CallQueue } from './call-queue.js';
import type { Timers } from './ports.js';

/** An unanswered call is taken to have been counted after this long. */
const TRAVEL_MS = 2_000;

export interface CallQueueSetup {
  readonly clock: Clock;
  readonly timers: Timers;
  /** Whether part of a limit is kept for commands. @defaultValue true */
  readonly sendsCommands?: boolean | undefined;
}

/** Creates the budgets of a process: the limits of the endpoint table, with what is kept for commands. Clients share one. */
export function createCallQueue({
  clock,
  timers,
  sendsCommands = true,
}: CallQueueSetup): CallQueue {
  const rules = limitRulesOf(ENDPOINT_LIST, sendsCommands ? KEPT_FOR_COMMANDS : {});
  return new CallQueue({
    clock,
    timers,
    policy: new RateLimitPolicy({ rules, travelMs: TRAVEL_MS }),
  });
}
