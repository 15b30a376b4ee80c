import {
  formatFixed,
  parseFixed,
  type Asset,
  type Direction,
  type Fixed,
  type Instrument,
  type OrderRequest,
  type Side,
} from '../../../src/domain/index.js';
import type { ConditionalRequest, SimulatedVenue } from '../../../src/simulator/index.js';
import { isOrderUpdate, type VenueUpdate } from '../../../src/venue/index.js';
import { describeAny } from '../futures-venue.js';
import type { NaiveFutures } from '../naive/naive-futures.js';
import type { NaivePurse } from '../naive/naive-purse.js';
import type { NaiveVenue } from '../naive/naive-venue.js';
import { advance, describeUpdate, spotLine, START } from '../spot-venue.js';

const TICK = parseFixed('0.01');

/** The product of one sequence. */
export type TwinProduct = 'spot' | 'margin' | 'linear' | 'inverse';

/** How often each kind of order, trigger and step of liquidation was seen, by product, in all sequences so far. */
export const twinCoverage = new Map<string, number>();

/** The venue beside its naive twin. */
export interface TwinParts {
  readonly product: TwinProduct;
  readonly real: { readonly venue: SimulatedVenue; readonly updates: readonly VenueUpdate[] };
  readonly naive: NaiveVenue | NaiveFutures;
  /** Accounts of the venue and of the twin at the present instant, as text. */
  readonly states: () => readonly [real: string, naive: string];
  /** Differences between the venue's balances and its postings; must be 0. */
  readonly residuals: () => readonly bigint[];
  /** Steps of liquidation the twin took so far. */
  readonly ladder: readonly string[];
  /** When the first candle may open, in ms. */
  readonly from: number;
}

/** Gives both the same commands, one at a time. Their updates and accounts must be the same. */
export class VenueTwins {
  readonly parts: TwinParts;
  readonly #labels = new Map<string, string>();
  #counted = { updates: 0, ladder: 0 };
  #now: number;
  orders = 0;

  constructor(parts: TwinParts) {
    this.parts = parts;
    this.#now = parts.from - 1;
    parts.naive.advance(this.#now);
    this.wait(1);
  }

  wait(ms: number): void {
    const { real, naive } = this.parts;
    const to = this.#now + ms;
    advance(real.venue, this.#now, to);
    naive.advance(to);
    this.#now = to;
  }

  submit(request: OrderRequest): void {
    const kind = request.type === 'limit' ? `LIMIT ${request.timeInForce}` : 'MARKET';
    this.#labels.set(request.clientOrderId, kind);
    this.parts.real.venue.submit(request, this.time);
    this.parts.naive.submit(request);
  }

  condition(request: ConditionalRequest): void {
    this.#labels.set(request.order.clientOrderId, `trigger ${request.trigger}`);
    this.parts.real.venue.submitConditional(request, this.time);
    if ('condition' in this.parts.naive) this.parts.naive.condition(request);
  }

  cancel(id: OrderRequest['clientOrderId']): void {
    this.parts.real.venue.cancel(id, this.time);
    this.parts.naive.cancel(id);
  }

  /** The present time on the venue's clock. */
  get time(): number {
    return START + this.#now;
  }

  /** The last price; 99.00 before the first candle. */
  last(id: OrderRequest['instrumentId']): Fixed {
    const { venue } = this.parts.real;
    return venue.market(id).hasStarted ? venue.last(id, this.time) : 9_900n * TICK;
  }

  lastTicks(id: OrderRequest['instrumentId']): number {
    return Number(this.last(id) / TICK);
  }

  /** The side that closes a held position. */
  closingSide(): Side | undefined {
    const { naive } = this.parts;
    if (!('book' in naive)) return undefined;
    if (naive.book.long.contracts.gt(0)) return 'sell';
    return naive.book.short.contracts.gt(0) ? 'buy' : undefined;
  }

  /** Throws if the two differ. */
  compare(): void {
    const { real, naive, states, residuals } = this.parts;
    same(
      'updates',
      real.updates.map((one) => this.#inWords(one)).join('\n'),
      naive.lines.join('\n'),
    );
    same('accounts', ...states());
    // Everything of an instant has happened when the instant is over. The venue's next time must be later, or a run would stay at this instant.
    if (real.venue.nextTime() <= this.time)
      throw new Error(`expected time to go on from +${String(this.#now)}`);
    for (const residual of residuals()) same('residual', formatFixed(residual), '0');
    this.#countUpdates();
  }

  /** On a pair the side alone describes an order, so the action is left out. */
  #inWords(update: VenueUpdate): string {
    const isPair = this.parts.product === 'spot' || this.parts.product === 'margin';
    return isPair && isOrderUpdate(update) ? describeUpdate(update) : describeAny(update);
  }

  #countUpdates(): void {
    const { product, real, ladder } = this.parts;
    const count = (what: string): void => {
      const label = `${product} ${what}`;
      twinCoverage.set(label, (twinCoverage.get(label) ?? 0) + 1);
    };
    for (const update of real.updates.slice(this.#counted.updates)) {
      if (!isOrderUpdate(update)) count(update.kind);
      else if (update.kind === 'accepted' || update.kind === 'fill') {
        const label = this.#labels.get(update.clientOrderId) ?? '';
        if (!label.startsWith('trigger')) count(label);
        // The first answer of a trigger says that it waits. The second says that it fired.
        this.#labels.set(update.clientOrderId, label.replace(/^trigger/, 'fired'));
        if (!label.startsWith('trigger') && update.kind === 'accepted')
          this.#labels.set(update.clientOrderId, 'maker');
      } else if (update.kind === 'ended') count(`${update.status} ${update.reason.code}`);
    }
    for (const step of ladder.slice(this.#counted.ladder)) count(`ladder ${step}`);
    this.#counted = { updates: real.updates.length, ladder: ladder.length };
  }
}

/** The market of a sequence. `jump`: ticks by which its prices jumped; orders may follow the jump. */
export interface TwinMarket {
  readonly twins: VenueTwins;
  readonly instrument: Instrument;
  readonly jump: number;
}

/** Free and locked amounts of both assets, on margin also the debt. */
export function pairStates(
  venue: SimulatedVenue,
  purse: NaivePurse,
): readonly [real: string, naive: string] {
  const assets = ['USDT', 'BTC'] as const;
  return [
    assets.map((asset) => pairLine(venue, asset)).join(', '),
    assets.map((asset) => purse.line(asset)).join(', '),
  ];
}

function pairLine(venue: SimulatedVenue, asset: Asset): string {
  const ledger = venue.accounts.margin?.ledger;
  if (ledger === undefined) return spotLine({ venue }, asset);
  const { principal, interest } = ledger.debt(asset);
  return [ledger.free(asset), ledger.locked(asset), principal, interest, ledger.insured(asset)]
    .map(formatFixed)
    .join(' ');
}

/** Positions and money of one contract's account; see {@link NaiveFutures.state}. */
export function contractState(
  venue: SimulatedVenue,
  { asset, id }: { readonly asset: Asset; readonly id: OrderRequest['instrumentId'] },
): string {
  const ledger = venue.accounts.futures?.ledger;
  if (ledger === undefined) throw new Error('expected a futures account');
  const side = (direction: Direction): string => {
    const position = ledger.position(id, direction);
    if (position === undefined) return 'flat';
    const { quantity, margin, realizedProfit, unrealizedProfit } = position;
    return [quantity, margin, realizedProfit, unrealizedProfit].map(formatFixed).join(' ');
  };
  const money = [ledger.balance(asset), ledger.frozen(asset), ledger.available(asset)];
  return `long ${side('long')}, short ${side('short')}, money ${money.map(formatFixed).join(' ')}`;
}

function same(what: string, real: string, naive: string): void {
  if (real === naive) return;
  throw new Error(`${what} differ\nvenue:\n${real}\nnaive:\n${naive}`);
}
