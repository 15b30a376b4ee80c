import {
  closeTimeOf,
  DAY_MS,
  floorToInterval,
  type VenueInterval,
} from '../../src/domain/index.js';
import { byPath, FaultServer, json, type Reply } from './fault-server.js';

/** How a deployment treats startTime and endTime. */
export type TimesHonored = 'both' | 'start only' | 'neither';

export interface KlineVenueOptions {
  readonly honors: TimesHonored;
  readonly now: number;
  /** Time of the first candle. */
  readonly listed: number;
  /** Open times without a candle. */
  readonly isMissing?: (openTime: number) => boolean;
  /** Open times that are in an answer twice, the second time with another close. */
  readonly isDisputed?: (openTime: number) => boolean;
  /** Most klines per answer. @defaultValue 300 */
  readonly most?: number;
  /** Fails every call after this many. */
  readonly failsAfter?: number;
}

/** Klines of spot on loopback, newest first. `honors` selects the parameters that it obeys. */
export async function startKlineVenue(options: KlineVenueOptions): Promise<FaultServer> {
  const { honors, now, failsAfter = Infinity, most = 300, isDisputed = () => false } = options;
  let calls = 0;
  const klines: Reply = (exchange) => {
    calls += 1;
    if (calls > failsAfter) {
      json('', 500)(exchange);
      return;
    }
    const query = new URLSearchParams(exchange.request.path.split('?')[1]);
    const interval = (query.get('interval') ?? '1min').replace('60min', '1h') as VenueInterval;
    const start = honors === 'neither' ? null : query.get('startTime');
    const end = honors === 'both' ? query.get('endTime') : null;
    const all = openTimes(options, interval).filter(
      (openTime) => openTime >= Number(start ?? 0) && openTime <= Number(end ?? now),
    );
    const limit = Math.min(Number(query.get('limit')), most);
    const page = start === null ? all.slice(-limit) : all.slice(0, limit);
    const rows = page.toReversed().flatMap((time) => {
      const row = kline(time);
      return isDisputed(time) ? [row, { ...row, close: row.open }] : [row];
    });
    json(JSON.stringify(rows))(exchange);
  };
  return FaultServer.start(
    byPath({
      '/sapi/v1/time': (exchange) => {
        json(`{"serverTime":${String(now)}}`)(exchange);
      },
      '/sapi/v1/klines': klines,
    }),
  );
}

function openTimes(
  { listed, now, isMissing = () => false }: KlineVenueOptions,
  interval: VenueInterval,
): readonly number[] {
  const times: number[] = [];
  for (
    let time = floorToInterval(listed, interval);
    time <= now;
    time = closeTimeOf(time, interval)
  ) {
    const isGap = interval !== '1day' && isMissing(time);
    if (!isGap) times.push(time);
  }
  return times;
}

/** A candle whose prices encode its time. */
function kline(idx: number) {
  const price = 100 + ((idx / DAY_MS) % 50);
  return { idx, open: price, high: price + 1, low: price - 1, close: price + 0.5, vol: 2 };
}
