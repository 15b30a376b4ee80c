import type { Boundary } from '../../src/assembly/index.js';
import { SECOND_MS } from '../../src/domain/index.js';
import type { FaultRuleInput } from '../../src/local-exchange/index.js';
import { BotRig, PATIENCE_MS, type EndFigures } from './bot-rig.js';

/** Where a bot is killed: at a boundary, or this many ms of its time after it has begun. */
export type KillPoint = { readonly boundary: Boundary; readonly count: number } | number;

/** The figures of a crash run. */
export interface CrashFigures extends EndFigures {
  readonly kills: number;
  /** Kills while the exchange held an order of the bot. */
  readonly withOrders: number;
  /** Kills at each reached boundary, at `any` instant, and those whose boundary was `not come to`. */
  readonly byBoundary: Readonly<Record<string, number>>;
}

/** An exchange in this process, and a bot in another process that is killed and started again. */
export class CrashRig {
  readonly #rig: BotRig;
  #kills = 0;
  #withOrders = 0;
  #skew: number | undefined;
  readonly #byBoundary: Record<string, number> = {};

  private constructor(rig: BotRig) {
    this.#rig = rig;
  }

  static async open(): Promise<CrashRig> {
    return new CrashRig(await BotRig.open());
  }

  fault(rule: FaultRuleInput): void {
    this.#rig.fault(rule);
  }

  /** Sets the error of the exchange's clock, instead of the previous one. The times of its orders stay right. */
  skew(offsetMs: number): void {
    if (this.#skew !== undefined) this.#rig.clearFault(this.#skew);
    this.#skew = this.#rig.fault({ fault: 'clock-skew', offsetMs });
  }

  clearFaults(): void {
    this.#rig.clearFault();
  }

  /** Lets the bot live until it has orders on every instrument, and kills it. */
  async warmUp(): Promise<void> {
    const rig = this.#rig;
    const bot = rig.begin();
    const end = rig.now + PATIENCE_MS;
    while (rig.openOrders().includes(0) && !bot.isOver && rig.now < end)
      await rig.accompany(bot, rig.now + SECOND_MS);
    bot.kill();
    await bot.killed();
  }

  /** Starts the bot and kills it at a point. A bot that does not reach its boundary is killed too, and counts for no boundary. Then time passes without a bot. */
  async kill(point: KillPoint, downMs: number): Promise<void> {
    const rig = this.#rig;
    const isBoundary = typeof point !== 'number';
    const bot = rig.begin(isBoundary ? point : undefined);
    await rig.accompany(bot, rig.now + (isBoundary ? PATIENCE_MS : point));
    const isCome = bot.isOver;
    bot.kill();
    await bot.killed();
    const name = isBoundary ? (isCome ? point.boundary : 'not come to') : 'any';
    this.#kills += 1;
    this.#byBoundary[name] = (this.#byBoundary[name] ?? 0) + 1;
    if (rig.openOrders().some((count) => count > 0)) this.#withOrders += 1;
    await rig.pass(downMs);
  }

  /** Starts the bot once more, lets it settle, stops it, and compares its books with the exchange. */
  async finish(): Promise<CrashFigures> {
    const bot = this.#rig.begin();
    const figures = await this.#rig.finish(bot, bot.next('started'));
    return {
      ...figures,
      kills: this.#kills,
      withOrders: this.#withOrders,
      byBoundary: this.#byBoundary,
    };
  }

  close(): Promise<void> {
    return this.#rig.close();
  }
}
