import type { Brand } from '../amounts/brand.js';
import type { Fixed } from '../amounts/fixed.js';
import type { OrderRequest } from './order.js';

/** Only `risk` can make one, and an execution adapter accepts nothing else. */
export type RiskApproved<T> = Brand<T, 'RiskApproved'>;

/**
 * A change that risk made so that an order is acceptable. Numbers as decimal text.
 *
 * `swept`: a remainder that could not be sold alone was added to the exit; `dust-left`: such a remainder stays, and `from` and `to` are its quantity.
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
  /** The nearest size (or price) that would pass, if there is one, in `wouldPassUnit`. */
  readonly wouldPass?: string;
  readonly wouldPassUnit?: string;
}

export interface ApprovedDecision {
  readonly kind: 'approved';
  /** One order, or the legs of a split one in the order they are sent. */
  readonly orders: readonly RiskApproved<OrderRequest>[];
  readonly changes: readonly RiskChange[];
  /** Amount that the only order of an entry holds while it works, if risk has computed it: see {@link reservedByEntry} of `risk`. */
  readonly reserved?: Fixed | undefined;
}

export interface RefusedDecision {
  readonly kind: 'refused';
  readonly refusal: Refusal;
}

export type RiskDecision = ApprovedDecision | RefusedDecision;
