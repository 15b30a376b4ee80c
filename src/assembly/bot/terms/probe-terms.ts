import {
  amountText,
  FIXED_ONE,
  formatFixed,
  isFinalStatus,
  multiplyFixed,
  OutcomeUnknownError,
  present,
  UsageError,
  type ClientOrderId,
  type Direction,
  type EpochMs,
  type Fixed,
  type FuturesInstrument,
  type OrderRequest,
  type ResolvedRules,
  type RiskApproved,
  type VenueOrderId,
} from '../../../domain/index.js';
import {
  compareTerms,
  patiently,
  type AssertedTerms,
  type PatienceOptions,
  type SessionVenue,
  type TermsDifference,
} from '../../../live/index.js';
import { assess, smallestQuantity, valueOfOne, type RiskPolicy } from '../../../risk/index.js';
import type { FuturesAccountSnapshot, VenueOrder } from '../../../venue/index.js';
import { heldIn, ProbeAccount, type ProbeView } from './probe-account.js';
import { isDifference } from './verify-terms.js';

interface ProbeOptions {
  readonly instrument: FuturesInstrument;
  readonly asserted: AssertedTerms;
  readonly rules: ResolvedRules;
  readonly policy: RiskPolicy;
  readonly venue: Pick<SessionVenue, 'market' | 'account' | 'execution'>;
  /** The venue's time. */
  readonly now: () => EpochMs;
  /** Pauses between readings. */
  readonly time: PatienceOptions['time'];
  readonly log: (text: string) => void;
  /** Ends a probe that has sent nothing. */
  readonly signal: AbortSignal;
}

/** The venue's state of a contract, with the answer that it was read from. */
interface Look extends ProbeView {
  readonly account: FuturesAccountSnapshot;
  readonly working: readonly VenueOrder[];
}

/** The outcome of an order: filled contracts, and how it ended. */
interface Sent {
  readonly filled: Fixed;
  readonly why: string;
}

/** Risk refused an order of the probe. */
class RiskRefused extends Error {}

/** How often the probe looks for a change at the venue before it gives up. */
const LOOKS = 20;
const LOOK_MS = 500;
const DIRECTIONS: readonly Direction[] = ['long', 'short'];

/**
 * Finds out a contract's leverage, margin mode and position mode by the smallest round trip that the rules allow, and returns the differences to the
 * asserted terms. `hedge` needs both sides at once: a long and a short are opened, then closed. Each order must end before the next one is sent, and the
 * contract is flat again afterwards.
 *
 * @throws {UsageError} `E_PROBE_REFUSED` when nothing was done: the contract is not flat, risk or the venue refuses the first order, or it fills nothing;
 * {OutcomeUnknownError} `E_PROBE_FAILED` on any doubt after that, with the state at the venue; errors of the source before.
 */
export function probeTerms(options: ProbeOptions): Promise<readonly TermsDifference[]> {
  return new TermsProbe(options).run();
}

class TermsProbe {
  readonly #options: ProbeOptions;
  /** Ends the probe, as long as it has sent nothing. After that it closes what it opens: nobody else would. */
  #signal: AbortSignal;
  #orders = 0;

  constructor(options: ProbeOptions) {
    this.#options = options;
    this.#signal = options.signal;
  }

  async run(): Promise<readonly TermsDifference[]> {
    const { asserted, log } = this.#options;
    const before = await this.#look();
    if (before.positions.length > 0 || before.working.length > 0)
      throw this.#refused(`the contract is not flat: ${describe(before)}`);
    const order = this.#approve('long', 'open', before);
    this.#signal.throwIfAborted();
    this.#signal = new AbortController().signal;
    log(`${asserted.instrumentId}: a probe opens and closes the smallest position`);
    try {
      const found = await this.#roundTrip(order);
      log(`${asserted.instrumentId}: the probe has ended, and nothing is held`);
      return found;
    } catch (error: unknown) {
      if (error instanceof UsageError) throw error;
      throw await this.#failed(error);
    }
  }

  async #roundTrip(order: RiskApproved<OrderRequest>): Promise<readonly TermsDifference[]> {
    const { asserted } = this.#options;
    const opened = await this.#send(order, 'first');
    if (opened.filled === 0n) throw this.#refused(opened.why);
    const quantity = opened.filled;
    const first = await this.#lookUntil((view) => heldIn(view, 'long') === quantity);
    const found = [
      ...compareTerms(
        { ...asserted, positionMode: 'oneWay' },
        { account: first.account, history: [] },
      ),
    ];
    if (asserted.positionMode === 'oneWay') await this.#close(first);
    else found.push(...(await this.#probeHedge(first)));
    return found.filter(isDifference);
  }

  /** Opens the other side too. A venue in one-way mode nets it with the first side. */
  async #probeHedge(first: Look): Promise<ReturnType<typeof compareTerms>> {
    const second = await this.#openShort(first);
    if (second.filled === 0n) {
      await this.#close(first);
      throw new Error(`${second.why}; its long was closed`);
    }
    const before = heldIn(first, 'long');
    const last = await this.#lookUntil(
      (view) => heldIn(view, 'short') === second.filled || heldIn(view, 'long') < before,
    );
    const found = this.#compareHedge(last);
    await this.#close(last);
    return found;
  }

  async #openShort(view: Look): Promise<Sent> {
    try {
      return await this.#send(this.#approve('short', 'open', view), 'next');
    } catch (error: unknown) {
      if (error instanceof RiskRefused) return { filled: 0n, why: error.message };
      throw error;
    }
  }

  #compareHedge(view: Look): ReturnType<typeof compareTerms> {
    const { asserted } = this.#options;
    if (heldIn(view, 'long') > 0n && heldIn(view, 'short') > 0n)
      return compareTerms(asserted, { account: view.account, history: [] });
    const { instrumentId } = asserted;
    const sides = { configured: 'hedge', actual: 'oneWay', seenIn: 'open position' } as const;
    return [{ kind: 'position-mode-differs', instrumentId, ...sides }];
  }

  async #close(from: Look): Promise<void> {
    let view = from;
    for (const direction of DIRECTIONS) {
      const held = heldIn(view, direction);
      if (held === 0n) continue;
      const closed = await this.#send(this.#approve(direction, 'close', view), 'next');
      if (closed.filled !== held)
        throw new Error(
          `closed ${formatFixed(closed.filled)} of ${amountText(held, 'contracts')}: ${closed.why}`,
        );
      view = await this.#lookUntil((now) => heldIn(now, direction) === 0n);
    }
    if (view.working.length > 0)
      throw new Error('there are working orders that the probe did not send');
  }

  /** @throws {UsageError} `E_PROBE_REFUSED` if nothing was sent yet. */
  #approve(
    direction: Direction,
    action: 'open' | 'close',
    view: ProbeView,
  ): RiskApproved<OrderRequest> {
    const { instrument, rules, policy } = this.#options;
    const ordinal = String(++this.#orders);
    const decision = assess(
      {
        intentId: 0,
        instrument,
        side: (direction === 'long') === (action === 'open') ? 'buy' : 'sell',
        action,
        size: action === 'open' ? { quantity: this.#smallest(view.last) } : { all: true },
        clientOrderId: () => `probe-${view.time.toString(36)}-${ordinal}` as ClientOrderId,
      },
      rules,
      new ProbeAccount(instrument, view),
      policy,
    );
    if (decision.kind === 'approved' && decision.orders.length === 1)
      return present(decision.orders[0], 'an order');
    const why =
      decision.kind === 'refused' ? decision.refusal.text : 'it would need several orders';
    throw ordinal === '1' ? this.#refused(why) : new RiskRefused(why);
  }

  /** Contracts that reach every minimum at any price the order may fill at. */
  #smallest(last: Fixed): string {
    const { instrument, rules, policy } = this.#options;
    const low = multiplyFixed(last, FIXED_ONE - policy.marketBand);
    return formatFixed(smallestQuantity(valueOfOne(instrument, low), rules));
  }

  /** Sends an order and waits for its end. */
  async #send(order: RiskApproved<OrderRequest>, place: 'first' | 'next'): Promise<Sent> {
    const { venue, log } = this.#options;
    const signal = this.#signal;
    const { instrumentId, side, action, clientOrderId } = order;
    const outcome = await venue.execution.submit(order, { signal }).catch((error: unknown) => {
      // Every other failure means that nothing was done.
      if (place === 'next' || error instanceof OutcomeUnknownError) throw error;
      throw this.#refused(error instanceof Error ? error.message : 'an unknown failure', error);
    });
    if (outcome.kind === 'rejected') {
      const { text, code } = outcome.reason;
      return { filled: 0n, why: `the venue rejected the ${side} ${action}: ${text} (${code})` };
    }
    const ended = await this.#untilEnded(outcome.venueOrderId, clientOrderId);
    const filled = amountText(ended.filledQuantity, 'contracts');
    log(`${instrumentId}: ${side} ${action} of the probe ${ended.status}, ${filled}`);
    return { filled: ended.filledQuantity, why: `the ${side} ${action} ended ${ended.status}` };
  }

  async #untilEnded(venueOrderId: VenueOrderId, clientOrderId: ClientOrderId): Promise<VenueOrder> {
    const { venue, instrument } = this.#options;
    const signal = this.#signal;
    const target = { instrumentId: instrument.id, venueOrderId, clientOrderId };
    for (let look = 0; look < LOOKS; look += 1) {
      if (look > 0) await this.#pause();
      const order = await this.#patiently(() => venue.account.order(target, { signal }));
      if (order !== undefined && isFinalStatus(order.status)) return order;
    }
    throw new Error(`the end of order ${venueOrderId} was not seen`);
  }

  async #lookUntil(isSeen: (view: Look) => boolean): Promise<Look> {
    for (let look = 0; look < LOOKS; look += 1) {
      if (look > 0) await this.#pause();
      const view = await this.#look();
      if (isSeen(view)) return view;
    }
    throw new Error('the account does not show the fills of the probe');
  }

  async #look(): Promise<Look> {
    const { venue, instrument, now } = this.#options;
    const signal = this.#signal;
    const { id, marginAsset } = instrument;
    return this.#patiently(async () => {
      const working = await venue.account.openOrders(id, { signal });
      const account = await venue.account.account('futures', { signal });
      const { last } = await venue.market.ticker(id, { signal });
      const { markPrice: mark } = await venue.market.markPrice(id, { signal });
      if (account.kind !== 'futures') throw this.#refused('the account shows no contracts');
      const margin = account.accounts.find((each) => each.marginAsset === marginAsset);
      const positions = account.accounts
        .flatMap((each) => each.positions)
        .filter((each) => each.instrumentId === id && each.isValid && each.quantity > 0n);
      const available = margin?.available ?? 0n;
      return { time: now(), last, mark, available, positions, account, working };
    });
  }

  #patiently<T>(work: () => Promise<T>): Promise<T> {
    return patiently(work, { time: this.#options.time, signal: this.#signal });
  }

  #pause(): Promise<void> {
    const { time } = this.#options;
    return new Promise((resolve) => {
      time.after(LOOK_MS, resolve);
    });
  }

  #refused(why: string, cause?: unknown): UsageError {
    const { id } = this.#options.instrument;
    return new UsageError('E_PROBE_REFUSED', `${id}: the probe was not made: ${why}`, { cause });
  }

  /** Describes the failure, with the state at the venue as far as it can be read. */
  async #failed(cause: unknown): Promise<OutcomeUnknownError> {
    const { id } = this.#options.instrument;
    const there = await this.#look().then(describe, () => 'positions and orders cannot be read');
    const why = cause instanceof Error ? cause.message : 'an unknown failure';
    return new OutcomeUnknownError(
      'E_PROBE_FAILED',
      `${id}: the probe, which opens and closes the smallest position, ended in doubt: ${why}; at the venue: ${there}`,
      { cause },
    );
  }
}

function describe({ positions, working }: Look): string {
  const parts = [
    ...positions.map(({ direction, quantity }) => `${direction} ${formatFixed(quantity)}`),
    ...working.map(({ venueOrderId }) => `working order ${venueOrderId}`),
  ];
  return parts.length === 0 ? 'neither a position nor a working order' : parts.join(', ');
}
