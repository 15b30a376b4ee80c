import type { VenueErrorCode } from '../venue/wire/index.js';

/** A refusal of the exchange, with a code of the interface. */
export interface ExchangeRefusal {
  readonly kind: 'refused';
  readonly code: VenueErrorCode;
  readonly message: string;
}

export function refuse(code: VenueErrorCode, message: string): ExchangeRefusal {
  return { kind: 'refused', code, message };
}

/** Whether a value is a refusal. Answers are JSON and never carry this kind. */
export function isRefusal(value: unknown): value is ExchangeRefusal {
  return typeof value === 'object' && value !== null && 'kind' in value && value.kind === 'refused';
}
