import { nounOf } from '../../domain/index.js';

export const RULE_CHANGES = ['as before', 'larger minimum', 'coarser steps', 'closed'] as const;
export type DrawnRuleChange = (typeof RULE_CHANGES)[number];

/** A stretch of a drawn market. Its changes are relative to the price at the end of the stretch before. */
export type MarketStretch =
  /** Nothing moves. */
  | { readonly kind: 'flat'; readonly candles: number }
  /** Each candle closes `bps` away from its open. */
  | { readonly kind: 'move'; readonly candles: number; readonly bps: number }
  /** One candle opens `bps` away and stays there. */
  | { readonly kind: 'gap'; readonly bps: number }
  /** One candle goes `bps` away and comes back. */
  | { readonly kind: 'spike'; readonly bps: number }
  /** Nothing moves. The whole volume of a candle is worth `percent` % of the account. */
  | { readonly kind: 'thin'; readonly candles: number; readonly percent: number }
  /** The candles are missing. */
  | { readonly kind: 'halt'; readonly candles: number }
  /** The venue has other rules from the next candle on. */
  | { readonly kind: 'rules'; readonly change: DrawnRuleChange };

/** A drawn market: the stretches of each instrument, in the order of the configuration, and the delay of candles. */
export interface History {
  readonly lateMs: number;
  readonly markets: readonly (readonly MarketStretch[])[];
}

/** Number of candles of a stretch, missing ones included. */
export function countCandles(stretch: MarketStretch): number {
  if (stretch.kind === 'rules') return 0;
  return 'candles' in stretch ? stretch.candles : 1;
}

/** The same candles in fewer stretches: a change of 0 is flat, and neighboring flat stretches become one. */
export function inFewerWords(stretches: readonly MarketStretch[]): readonly MarketStretch[] {
  const fewer: MarketStretch[] = [];
  for (const stretch of stretches) {
    const isFlat = 'bps' in stretch ? stretch.bps === 0 : stretch.kind === 'flat';
    const before = fewer.at(-1);
    if (!isFlat) fewer.push(stretch);
    else if (before?.kind === 'flat')
      fewer[fewer.length - 1] = { kind: 'flat', candles: before.candles + countCandles(stretch) };
    else fewer.push({ kind: 'flat', candles: countCandles(stretch) });
  }
  return fewer;
}

/** Describes in one line what happens to one instrument. */
export function describeStretches(stretches: readonly MarketStretch[]): string {
  return stretches.length === 0 ? 'nothing' : stretches.map(describe).join(', ');
}

function describe(stretch: MarketStretch): string {
  switch (stretch.kind) {
    case 'flat':
      return `${candlesText(stretch)} flat`;
    case 'move':
      return `${candlesText(stretch)} of ${percentOf(stretch.bps)} each`;
    case 'gap':
      return `gap of ${percentOf(stretch.bps)}`;
    case 'spike':
      return `spike of ${percentOf(stretch.bps)}`;
    case 'thin':
      return `${candlesText(stretch)} with a volume of ${String(stretch.percent)} % of the account`;
    case 'halt':
      return `${candlesText(stretch)} missing`;
    case 'rules':
      return `rules: ${stretch.change}`;
  }
}

function candlesText({ candles }: { readonly candles: number }): string {
  return `${String(candles)} ${nounOf(candles, 'candle')}`;
}

function percentOf(bps: number): string {
  return `${bps > 0 ? '+' : ''}${String(bps / 100)} %`;
}
