import type { Brand } from './brand.js';
import type { Fixed } from './fixed.js';
import type { OrderRequest } from './order.js';

/** Only `risk` can make one, and an execution adapter accepts nothing else. */
export type RiskApproved<T> = Brand<T, 'RiskApproved'>;

/**
 * What risk altered to make an order acceptable. Numbers as decimal text.
 *
 * `swept`: a remainder that could not be sold alone joined the exit; `dust-left`: it stays, and `from` = `to` says how much.
 */
export interface RiskChange {
  readonly kind: 'rounded' | 'clamped' | 'split' | 'swept' | 'dust-left';
  readonly field: 'quantity' | 'limitPrice';
  readonly from: string;
  readonly to: string;
}

/** Why no order was made. Numbers as decimal text in `unit`. */
export interface Refusal {
  /** Name of the check, stable: it appears in configs, reports and journals. */
  readonly check: string;
  readonly limit: string;
  readonly actual: string;
  readonly unit: string;
  /** One sentence for a person. */
  readonly text: string;
  /** The nearest size (or price) that would pass, where there is one, in `wouldPassUnit`. */
  readonly wouldPass?: string;
  readonly wouldPassUnit?: string;
}

export interface ApprovedDecision {
  readonly kind: 'approved';
  /** One order, or the legs of a split one in the order they are sent. */
  readonly orders: readonly RiskApproved<OrderRequest>[];
  readonly changes: readonly RiskChange[];
  /** What its one order of an entry holds back, where risk has worked that out: {@link reservedByEntry} of `risk`. */
  readonly reserved?: Fixed | undefined;
}

export interface RefusedDecision {
  readonly kind: 'refused';
  readonly refusal: Refusal;
}

export type RiskDecision = ApprovedDecision | RefusedDecision;
