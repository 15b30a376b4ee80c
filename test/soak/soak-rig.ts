import { MINUTE_MS } from '../../src/domain/index.js';
import { readJournal } from '../../src/journal/index.js';
import { replayEpoch } from '../support/live/replay-epoch.js';
import type { ReplayOutcome } from '../../src/assembly/index.js';
import { BotRig, PATIENCE_MS, type EndFigures } from '../crash/bot-rig.js';
import type { BotProcess } from '../crash/bot-process.js';
import type { Vitals } from '../crash/crash-report.js';
import { RestlessTrader } from '../crash/restless-trader.js';
import { BAN, DRAWN, LASTING, WINDOW_MS } from './soak-faults.js';

const MINUTES_PER_HOUR = 60;
/** Time without faults that a bot gets at the end. */
const CALM_MS = 10 * MINUTE_MS;

/** Part of the reason of a bot that enters nothing until its operator confirms changed rules. */
const WAITS = 'entries wait until resumed';

/** Counts of the kept records of an engine, and the heap of its process after a full collection. */
export type Quarter = Pick<Vitals, 'heapBytes' | 'events' | 'orders' | 'fills' | 'refusals'>;

export interface SoakFigures extends EndFigures {
  /** At each quarter of the run. */
  readonly quarters: readonly Quarter[];
  /** Longest time without an event of the engine, in ms of market time. */
  readonly longestSilenceMs: number;
  /** Minutes at whose end the bot was in each state. */
  readonly states: Readonly<Record<string, number>>;
  /** The error output of the process, which contains only failures. */
  readonly errors: string;
  readonly replayed: readonly ReplayOutcome[];
}

/** A bot that lives through all faults at once, in one process, for a number of minutes of the market. */
export class SoakRig {
  readonly #rig: BotRig;
  readonly #states: Record<string, number> = {};
  readonly #lasting = new Map<number, number>();
  #longestSilenceMs = 0;

  private constructor(rig: BotRig) {
    this.#rig = rig;
  }

  static async open(faultSeed: number): Promise<SoakRig> {
    return new SoakRig(await BotRig.open({ faultSeed, listens: true }));
  }

  /** Runs a bot into a ban, ends it, and lifts the ban as its owner would, so that it can start again. */
  async ban(): Promise<void> {
    const rig = this.#rig;
    const bot = rig.begin();
    await rig.accompany(bot, rig.now + MINUTE_MS);
    const id = rig.fault(BAN);
    const end = rig.now + PATIENCE_MS;
    while (rig.faults()['banned'] === undefined && !bot.isOver && rig.now < end)
      await rig.accompany(bot, rig.now + MINUTE_MS);
    bot.kill();
    await bot.exited();
    rig.clearFault(id);
  }

  /** `onHour` receives the vitals of the bot each hour. @throws when the bot is over before the end. */
  async run(
    minutes: number,
    onHour: (minute: number, vitals: Vitals) => void,
  ): Promise<SoakFigures> {
    const rig = this.#rig;
    const bot = rig.begin();
    const started = bot.next('started');
    const start = { isOver: false };
    const end = (): void => {
      start.isOver = true;
    };
    started.then(end, end);
    // Faults begin after the start, because a start that cannot read the venue fails. This test measures how long a started bot lives. On a busy machine the start
    // may take more than a minute of market time, because files are read in real time.
    do await rig.accompany(bot, rig.now + MINUTE_MS);
    while (!start.isOver && !bot.isOver);
    await started;
    for (const rule of DRAWN) rig.fault(rule);
    const quarters: Vitals[] = [];
    for (let minute = 1; minute <= minutes; minute += 1) {
      await this.#changeLasting(minute - 1);
      await rig.accompany(bot, rig.now + MINUTE_MS);
      const vitals = await this.#look(bot);
      if (isQuarter(minute, minutes)) quarters.push(vitals);
      if (minute % MINUTES_PER_HOUR === 0) onHour(minute, vitals);
    }
    rig.clearFault();
    await rig.accompany(bot, rig.now + CALM_MS);
    await this.#look(bot);
    const figures = await rig.finish(bot, started);
    return {
      ...figures,
      quarters: quarters.map(({ heapBytes, events, orders, fills, refusals }) => ({
        heapBytes,
        events,
        orders,
        fills,
        refusals,
      })),
      longestSilenceMs: this.#longestSilenceMs,
      states: this.#states,
      errors: bot.errors,
      replayed: await this.#replay(),
    };
  }

  /** Looks at the bot as an operator who accepts changed rules. @throws when the bot is over. */
  async #look(bot: BotProcess): Promise<Vitals> {
    const vitals = await bot.vitals();
    this.#states[vitals.state] = (this.#states[vitals.state] ?? 0) + 1;
    if (vitals.reasons.some((reason) => reason.includes(WAITS))) bot.resume();
    const silenceMs = this.#rig.now - (vitals.lastEvent ?? this.#rig.now);
    this.#longestSilenceMs = Math.max(this.#longestSilenceMs, silenceMs);
    return vitals;
  }

  async #changeLasting(minute: number): Promise<void> {
    for (const [index, { minute: begin, rule }] of LASTING.entries()) {
      const since = (minute % MINUTES_PER_HOUR) - begin;
      if (since === 0 && rule.fault === 'connection-refused')
        await this.#rig.refuseConnections(WINDOW_MS);
      else if (since === 0) this.#lasting.set(index, this.#rig.fault(rule));
      const id = this.#lasting.get(index);
      if (since !== WINDOW_MS / MINUTE_MS || id === undefined) continue;
      this.#rig.clearFault(id);
      this.#lasting.delete(index);
    }
  }

  async #replay(): Promise<readonly ReplayOutcome[]> {
    const { config, journal } = this.#rig;
    const reader = await readJournal(journal);
    const epochs = reader.epochs();
    reader.close();
    const outcomes: ReplayOutcome[] = [];
    const bot = { config, journal, mode: 'live', strategyClass: RestlessTrader } as const;
    for (const { id } of epochs)
      outcomes.push(await replayEpoch(id, { ...bot, sourceHash: 'crash-test' }));
    return outcomes;
  }

  close(): Promise<void> {
    return this.#rig.close();
  }
}

function isQuarter(minute: number, minutes: number): boolean {
  return [1, 2, 3, 4].some((quarter) => minute === Math.round((quarter * minutes) / 4));
}
