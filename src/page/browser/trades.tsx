import { useEffect, useMemo, useState } from 'preact/hooks';
import type { PageTrades, RunPage } from '../page-data.js';
import { Pager, Section, SortableHead } from './table.js';
import { useView, type ViewStore } from './view.js';
import {
  amountDecimals,
  amountText,
  durationText,
  percentText,
  priceText,
  timeText,
} from './words.js';

const PAGE = 25;
const numberOf = (text: string | null | undefined): number =>
  text === null || text === undefined ? Number.NEGATIVE_INFINITY : Number(text);

interface Column {
  readonly name: string;
  /** Sort key. */
  readonly key: (trades: PageTrades, place: number) => number;
  readonly text: (trades: PageTrades, place: number) => string;
  /** Exact value, shown as a tooltip. */
  readonly title?: (trades: PageTrades, place: number) => string;
}

function columnsOf({ instruments, texts, trades: all }: RunPage): readonly Column[] {
  const decimals = amountDecimals(all?.profit ?? []);
  const money = (name: string, of: (trades: PageTrades) => readonly (string | null)[]): Column => ({
    name,
    key: (trades, place) => numberOf(of(trades)[place]),
    text: (trades, place) => amountText(of(trades)[place] ?? null, decimals),
    title: (trades, place) => of(trades)[place] ?? '',
  });
  const plain = (
    name: string,
    of: (trades: PageTrades, place: number) => string,
    key: Column['key'],
  ): Column => ({ name, text: of, key });
  const price = (of: (trades: PageTrades) => readonly (string | null)[]): Column => ({
    ...money('Price', of),
    text: (trades, place) => priceText(of(trades)[place] ?? null),
  });
  const isBorne = (column: readonly string[] | undefined): boolean =>
    column?.some((amount) => amount !== '0') ?? false;
  return [
    plain(
      'No.',
      (_, place) => String(place + 1),
      (_, place) => place,
    ),
    // Near the front: a narrow window shows only three or four columns.
    money('Profit', ({ profit }) => profit),
    plain(
      'Return',
      (t, p) => percentText(t.return[p] ?? null),
      (t, p) => t.return[p] ?? Number.NEGATIVE_INFINITY,
    ),
    ...(instruments.length > 1
      ? [
          plain(
            'Instrument',
            (t, p) => instruments[t.instrument[p] ?? -1] ?? '',
            (t, p) => t.instrument[p] ?? 0,
          ),
        ]
      : []),
    plain(
      'Side',
      (t, p) => `${t.isLong[p] === 1 ? 'long' : 'short'}${t.isOpen[p] === 1 ? ', open' : ''}`,
      (t, p) => (t.isLong[p] ?? 0) + 2 * (t.isOpen[p] ?? 0),
    ),
    plain(
      'Entry (UTC)',
      (t, p) => timeText(t.entryTime[p] ?? null),
      (t, p) => t.entryTime[p] ?? 0,
    ),
    price(({ entryPrice }) => entryPrice),
    plain(
      'Quantity',
      (t, p) => t.quantity[p] ?? '',
      (t, p) => numberOf(t.quantity[p]),
    ),
    plain(
      'Exit (UTC)',
      (t, p) => timeText(t.exitTime[p] ?? null),
      (t, p) => t.exitTime[p] ?? Infinity,
    ),
    price(({ exitPrice }) => exitPrice),
    plain(
      'Held',
      (t, p) => durationText(t.duration[p] ?? 0),
      (t, p) => t.duration[p] ?? 0,
    ),
    plain(
      'Fills',
      (t, p) => String(t.legs[p] ?? 0),
      (t, p) => t.legs[p] ?? 0,
    ),
    ...(all?.label.some((place) => place > 0) === true
      ? [
          plain(
            'Label',
            (t, p) => texts[t.label[p] ?? 0] ?? '',
            (t, p) => t.label[p] ?? 0,
          ),
        ]
      : []),
    plain(
      'Ended by',
      (t, p) => texts[t.exitCause[p] ?? 0] ?? '',
      (t, p) => t.exitCause[p] ?? 0,
    ),
    money('Before costs', ({ gross }) => gross),
    money('Fees', ({ fees }) => fees),
    ...(isBorne(all?.funding) ? [money('Funding', ({ funding }) => funding)] : []),
    ...(isBorne(all?.interest) ? [money('Interest', ({ interest }) => interest)] : []),
    money('MAE', ({ mae }) => mae),
    money('MFE', ({ mfe }) => mfe),
    money('Shortfall', ({ shortfall }) => shortfall),
  ];
}

/** Table of all trades, sortable by every column and filtered by words. A click or Enter on a trade moves the candle chart to it. */
export function Trades({
  run,
  store,
  choose,
}: {
  readonly run: RunPage;
  readonly store: ViewStore;
  readonly choose: (trade: number) => void;
}) {
  const { trade: chosen } = useView(store);
  const [sort, setSort] = useState({ column: 0, isDown: false });
  const [filter, setFilter] = useState('');
  const [page, setPage] = useState(0);
  const columns = useMemo(() => columnsOf(run), [run]);
  const { trades } = run;
  const order = useMemo(
    () => (trades === null ? [] : orderOf(trades, columns, sort, filter)),
    [trades, columns, sort, filter],
  );
  useEffect(() => {
    const place = order.indexOf(chosen);
    if (place >= 0) setPage(Math.floor(place / PAGE));
    // Not with each order: a table that was just sorted shows its first rows.
  }, [chosen]);
  useEffect(() => {
    const step = (event: Event): void => {
      const by = (event as CustomEvent<number>).detail;
      const at = order.indexOf(store.view.trade);
      const next = order[at < 0 ? 0 : Math.min(Math.max(at + by, 0), order.length - 1)];
      if (next !== undefined) choose(next);
    };
    document.addEventListener('trade-step', step);
    return () => document.removeEventListener('trade-step', step);
  }, [order, store, choose]);
  if (trades === null)
    return (
      <Section title="Trades" id="trades">
        <p class="note">
          The result has no list of trades: it was written by an earlier version. Run it again with
          --json.
        </p>
      </Section>
    );
  if (trades.profit.length === 0)
    return (
      <Section title="Trades" id="trades">
        <p class="note">The strategy never traded. Its orders and refusals are at the top.</p>
      </Section>
    );
  return (
    <Section title={titleOf(trades)} id="trades">
      <div class="row">
        <label>
          Filter{' '}
          <input
            type="search"
            value={filter}
            placeholder="long, stop-loss, 2024-09 …"
            onInput={(event) => {
              setFilter(event.currentTarget.value);
              setPage(0);
            }}
          />
        </label>
        <button
          onClick={() => {
            setSort({ column: columns.findIndex(({ name }) => name === 'Profit'), isDown: false });
            setPage(0);
          }}
        >
          Worst first
        </button>
        <button
          onClick={() => {
            setSort({ column: columns.findIndex(({ name }) => name === 'Profit'), isDown: true });
            setPage(0);
          }}
        >
          Best first
        </button>
        <span class="note">
          {order.length === trades.profit.length
            ? ''
            : `${String(order.length)} of ${String(trades.profit.length)}`}
        </span>
      </div>
      <div class="scroll">
        <table class="trades">
          <SortableHead
            names={columns.map(({ name }) => name)}
            sort={sort}
            onSort={(chosen) => {
              setSort(chosen);
              setPage(0);
            }}
          />
          <tbody>
            {order.slice(page * PAGE, (page + 1) * PAGE).map((place) => (
              <tr
                key={place}
                class={place === chosen ? 'chosen' : ''}
                aria-selected={place === chosen}
                tabIndex={0}
                data-trade={place}
                onClick={() => choose(place)}
                onKeyDown={(event) => {
                  if (event.key === 'Enter') choose(place);
                }}
              >
                {columns.map(({ text, title, name }) => (
                  <td
                    class={
                      name === 'Profit' ? (Number(trades.profit[place]) < 0 ? 'bad' : 'good') : ''
                    }
                    title={title?.(trades, place)}
                  >
                    {text(trades, place)}
                  </td>
                ))}
              </tr>
            ))}
          </tbody>
        </table>
      </div>
      <Pager page={page} pages={Math.ceil(order.length / PAGE)} onPage={setPage} />
      <p class="note">
        Amounts in {run.currency}, rounded for reading: the pointer shows them exact. Prices are
        averages of the fills. n and p go from trade to trade.
      </p>
    </Section>
  );
}

/** Figures count closed trades only. With open trades the title explains why the table has more rows. */
function titleOf({ profit, isOpen }: PageTrades): string {
  const open = isOpen.filter((flag) => flag === 1).length;
  const closed = (profit.length - open).toLocaleString('en-US');
  return open === 0 ? `Trades (${closed})` : `Trades (${closed}, and ${String(open)} still open)`;
}

function orderOf(
  trades: PageTrades,
  columns: readonly Column[],
  { column, isDown }: { readonly column: number; readonly isDown: boolean },
  filter: string,
): readonly number[] {
  const words = filter.toLowerCase().split(/\s+/).filter(Boolean);
  const places = trades.profit
    .map((_, place) => place)
    .filter((place) => {
      if (words.length === 0) return true;
      const text = columns
        .map((one) => one.text(trades, place))
        .join(' ')
        .toLowerCase();
      return words.every((word) => text.includes(word));
    });
  const key = columns[column]?.key;
  if (key === undefined) return places;
  const sign = isDown ? -1 : 1;
  return places.sort((a, b) => {
    const [left, right] = [key(trades, a), key(trades, b)];
    return left === right ? a - b : left < right ? -sign : sign;
  });
}
