import {
  EMPTY_HOLDING,
  UsageError,
  present,
  type ClientOrderId,
  type EpochMs,
  type Instrument,
} from '../../../domain/index.js';
import type { Engine, Portfolio } from '../../../engine/index.js';
import type { Epoch, StoredEntry } from '../../../journal/index.js';
import type { RunFill, RunOrder, RunRecord } from '../../../report/index.js';
import { listProtections } from '../../active-checks.js';
import { identify } from '../../identity/run-identity.js';
import { listCalls } from '../../list-calls.js';
import { listSurplus } from '../../list-surplus.js';
import { createInstrument } from '../../market/create-instruments.js';
import { listFinalPrices } from '../../market/final-prices.js';
import type { MarketTerms } from '../../market/load-terms.js';
import { resolveParameters } from '../../plugins/resolve-parameters.js';
import { EquityRecorder } from '../../replay/equity-recorder.js';
import { JournalCandles, type JournalSeries } from './journal-candles.js';
import type { RunInputs } from './replay-journal.js';
import { WorkedOfEpochs } from './worked-of-epochs.js';

interface SessionRecorderOptions extends RunInputs {
  readonly terms: MarketTerms;
  /** Whether equity at every close is kept. */
  readonly keepsCloses: boolean;
}

/** Sums over the epochs of a bot. */
interface Totals {
  fees: bigint;
  funding: bigint;
  interest: bigint;
  insurance: bigint;
}

/**
 * Follows the replay of a bot's epochs, one after the other, and makes the record that a backtest makes of its run. In memory it keeps the content of a
 * result, and the candles.
 */
export class SessionRecorder {
  readonly #options: SessionRecorderOptions;
  readonly #instruments: readonly Instrument[];
  readonly #candles: JournalCandles;
  readonly #orders = new Map<ClientOrderId, RunOrder>();
  readonly #fills: RunFill[] = [];
  readonly #financings: RunRecord['financings'][number][] = [];
  readonly #refusals: RunRecord['refusals'][number][] = [];
  readonly #worked = new WorkedOfEpochs();
  readonly #halts: RunRecord['halts'][number][] = [];
  readonly #costs: Totals = { fees: 0n, funding: 0n, interest: 0n, insurance: 0n };
  readonly #modes = new Set<string>();
  #openingHoldings: RunRecord['openingHoldings'] = [];
  #intents = 0;
  #closes = 0;
  /** Number of orders that the engine had sent at the end of a backtest; undefined before that, and live. */
  #ordersAtEnd: number | undefined;
  #closingOrders = 0;
  #engine: Engine | undefined;
  #entry: StoredEntry | undefined;
  #equity: EquityRecorder | undefined;
  /** Whether the strategy of the epoch is warm. Earlier candles belong to the past. */
  #isOpened = false;
  #from: EpochMs | undefined;
  #initialEquity = 0n;
  #now: EpochMs = Number.NEGATIVE_INFINITY;

  constructor(options: SessionRecorderOptions) {
    this.#options = options;
    this.#instruments = options.config.instruments.map(createInstrument);
    this.#candles = new JournalCandles(options.config);
  }

  /** The time of the entry that is replayed. */
  readonly now = (): EpochMs => this.#now;

  /**
   * Takes the started engine of the next epoch.
   *
   * @throws {UsageError} `E_RESULT_HISTORY` if its positions differ from those at the end of the epoch before.
   */
  begin(engine: Engine, { id, header }: Pick<Epoch, 'id' | 'header'>): void {
    if (this.#engine !== undefined && this.#from !== undefined)
      refuseOtherHoldings(this.#engine.portfolio, engine.portfolio, id);
    this.#engine = engine;
    this.#isOpened = false;
    this.#ordersAtEnd = undefined;
    this.#modes.add(header.mode);
  }

  /** Called before an entry is replayed. The previous entry is complete by then. */
  readonly onEntry = (entry: StoredEntry): void => {
    this.#settle();
    this.#entry = entry;
    const { event } = entry;
    this.#now = event.time;
    if (this.#isOpened) this.#equity?.beforeInstant(event.time);
    if (event.kind !== 'candles') return;
    const portfolio = this.#isOpened ? this.#engine?.portfolio : undefined;
    for (const candle of event.candles) this.#candles.take(candle, portfolio);
    if (this.#isOpened) this.#closes += event.candles.length;
  };

  #settle(): void {
    const { event } = this.#entry ?? {};
    this.#entry = undefined;
    if (event === undefined) return;
    if (event.kind === 'opening') this.#open(event.time);
    if (event.kind === 'end') this.#ordersAtEnd = this.#engine?.orders.length;
    if (event.kind === 'candles' && this.#isOpened) this.#equity?.sample(event.time);
  }

  /** The strategy is warm. Equity is counted from the first such entry on. */
  #open(time: EpochMs): void {
    const { portfolio } = present(this.#engine, 'engine that was begun');
    this.#isOpened = true;
    if (this.#equity !== undefined) {
      this.#equity.beforeInstant(time);
      this.#equity.follow(portfolio);
      return;
    }
    this.#openingHoldings = listOpeningHoldings(portfolio);
    this.#from = time;
    this.#initialEquity = portfolio.equity();
    this.#equity = new EquityRecorder(portfolio, { keepsCloses: this.#options.keepsCloses });
    this.#equity.start(time, this.#initialEquity);
  }

  /** Called after the last entry of an epoch: takes over the records of its engine. */
  readonly onReplayed = (engine: Engine): void => {
    this.#settle();
    const { length } = engine.orders;
    this.#closingOrders = length - (this.#ordersAtEnd ?? length);
    for (const { request, cause, label, state } of engine.orders)
      this.#orders.set(request.clientOrderId, { request, cause, label, state });
    for (const fill of engine.fills.inOrderOfTime()) this.#fills.push(fill);
    for (const financing of engine.financings) this.#financings.push(financing);
    for (const refusal of engine.refusals) this.#refusals.push(refusal);
    this.#worked.take(engine.worked);
    for (const halt of engine.halts) this.#halts.push(halt);
    this.#intents += engine.intentCounts.judged;
    for (const name of ['fees', 'funding', 'interest', 'insurance'] as const)
      this.#costs[name] += engine.costs[name];
  };

  /** The candles that the bot received, as stored series. */
  series(): readonly JournalSeries[] {
    return this.#candles.series();
  }

  /**
   * Makes the record of all replayed epochs.
   *
   * @throws {UsageError} `E_RESULT_EARLY` while the strategy has never been warm.
   */
  record(notes: readonly string[] = []): RunRecord {
    const { config, strategyClass, sourceHash, terms } = this.#options;
    const [engine, equity, from] = [this.#engine, this.#equity, this.#from];
    if (engine === undefined || equity === undefined || from === undefined)
      throw new UsageError(
        'E_RESULT_EARLY',
        `${config.name} has not traded yet: its strategy is not warm, so there is nothing to report`,
      );
    const { portfolio } = engine;
    equity.follow(portfolio);
    const to = Math.max(from, this.#now);
    const orders = [...this.#orders.values()];
    return {
      run: identify(
        {
          strategy: strategyClass.name,
          parameters: resolveParameters(config, strategyClass) as RunRecord['run']['parameters'],
          from,
          to,
          candles: this.#closes,
        },
        [config, { series: this.series(), terms: terms.hash }, sourceHash],
      ),
      instruments: this.#instruments,
      openingHoldings: this.#openingHoldings,
      fills: this.#fills,
      financings: this.#financings,
      equityCurrency: config.equityCurrency,
      initialEquity: this.#initialEquity,
      finalEquity: portfolio.equity(),
      finalPrices: listFinalPrices(portfolio),
      finalBalances: portfolio.balances(),
      residual: portfolio.residual(),
      ...equity.finish(to),
      intents: this.#intents,
      orders,
      closingOrders: this.#closingOrders,
      refusals: this.#refusals,
      worked: this.#worked.all,
      protections: listProtections(config.risk.protections),
      halts: this.#halts,
      costs: this.#costs,
      calls: listCalls(config),
      gaps: this.#candles.gaps,
      warnings: [
        ...terms.notes,
        ...this.#describeModes(),
        ...listSurplus({ portfolio, terms, end: to }),
        ...notes,
      ],
      undecidedCandles: 0,
      undecidedMoney: 0n,
      undecidedSpans: new Map(),
      isPathAsked: false,
    };
  }

  #describeModes(): readonly string[] {
    return MODE_NOTES.flatMap(([mode, note]) => (this.#modes.has(mode) ? [note] : []));
  }
}

const MODE_NOTES = [
  ['paper', 'paper: the market was real, fills are simulated on its polled last prices'],
  [
    'live',
    'live: orders, fills and fees are those of the venue, equity is that of the bot’s own books',
  ],
  [
    'backtest',
    'from a journal: how candles may have moved is not in it, see the result of the run',
  ],
] as const;

/** Positions that come from the starting balances. */
function listOpeningHoldings(portfolio: Portfolio): RunRecord['openingHoldings'] {
  const held = [...portfolio.instruments()];
  const short = held.find(({ short: side }) => side.holding.quantity > 0n);
  if (short !== undefined)
    throw new UsageError(
      'E_RESULT_HISTORY',
      `the journal begins with a short position in ${short.instrument.id} that no order of the journal opened: its trades cannot be listed`,
    );
  return held
    .filter(({ long }) => long.holding.quantity > EMPTY_HOLDING.quantity)
    .map(({ instrument, long }) => ({ instrumentId: instrument.id, holding: long.holding }));
}

function refuseOtherHoldings(before: Portfolio, after: Portfolio, epoch: number): void {
  for (const { instrument, long, short } of before.instruments()) {
    const now = after.instrument(instrument.id);
    if (
      now.long.holding.quantity === long.holding.quantity &&
      now.short.holding.quantity === short.holding.quantity
    )
      continue;
    throw new UsageError(
      'E_RESULT_HISTORY',
      `epoch ${String(epoch)} begins with a different position in ${instrument.id} than the previous epoch ended with: the changes between them are not in the journal; --epoch ${String(epoch)} gives the result since then`,
    );
  }
}
