import type { Clock } from '../../domain/index.js';
import {
  KEPT_FOR_COMMANDS,
  limitRulesOf,
  RateLimitPolicy,
  shareOfRule,
} from '../../venue/index.js';
import { ENDPOINT_LIST } from '../../venue/wire/index.js';
import type { Timers } from '../ports.js';
import { CallQueue } from './call-queue.js';

/** An unanswered call counts as counted by the venue after this time. */
const TRAVEL_MS = 2_000;

interface CallQueueSetup {
  readonly clock: Clock;
  readonly timers: Timers;
  /** Whether part of each limit is reserved for commands. @defaultValue true */
  readonly sendsCommands?: boolean | undefined;
  /** Share of each limit that the process may use, from 0 (exclusive) to 1. Other processes may use the rest. @defaultValue 1 */
  readonly share?: number | undefined;
}

/** Creates the budgets of a process: the limits of the endpoint table, with the reserve for commands. All clients share it. */
export function createCallQueue({
  clock,
  timers,
  sendsCommands = true,
  share = 1,
}: CallQueueSetup): CallQueue {
  const all = limitRulesOf(ENDPOINT_LIST, sendsCommands ? KEPT_FOR_COMMANDS : {});
  const rules = share === 1 ? all : all.map((rule) => shareOfRule(rule, share));
  return new CallQueue({
    clock,
    timers,
    policy: new RateLimitPolicy({ rules, travelMs: TRAVEL_MS }),
  });
}
