import type { InstrumentId } from '../../domain/index.js';

/** A form and its number. */
interface NumberedForm<F> {
  readonly number: number;
  readonly form: F;
}

const NONE: readonly never[] = [];

/** Forms of rows, by number from 1 on. A bot has few for each instrument, so a search looks only at those of one instrument. */
export class FormList<F extends { readonly instrumentId: InstrumentId }> {
  readonly #forms: F[] = [];
  readonly #ofInstrument = new Map<InstrumentId, NumberedForm<F>[]>();

  at(number: number): F {
    return this.#forms[number - 1] as F;
  }

  /** All forms of an instrument. */
  of(instrumentId: InstrumentId): readonly NumberedForm<F>[] {
    return this.#ofInstrument.get(instrumentId) ?? NONE;
  }

  /** Adds a form, and returns its number. */
  add(form: F): number {
    const number = this.#forms.push(form);
    const alike = this.#ofInstrument.get(form.instrumentId);
    if (alike === undefined) this.#ofInstrument.set(form.instrumentId, [{ number, form }]);
    else alike.push({ number, form });
    return number;
  }
}
