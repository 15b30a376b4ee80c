import type { InstrumentId } from '../../domain/index.js';

/** Forms of rows, by number from 1 on. A bot has few for each instrument, so a search looks only at those of one instrument. */
export class FormList<F extends { readonly instrumentId: InstrumentId }> {
  readonly #forms: F[] = [];
  readonly #numbers = new Map<InstrumentId, number[]>();

  at(number: number): F {
    return this.#forms[number - 1] as F;
  }

  /** The numbers of all forms of an instrument; undefined without any. */
  numbersOf(instrumentId: InstrumentId): readonly number[] | undefined {
    return this.#numbers.get(instrumentId);
  }

  /** Adds a form, and returns its number. */
  add(form: F): number {
    const number = this.#forms.push(form);
    const numbers = this.#numbers.get(form.instrumentId);
    if (numbers === undefined) this.#numbers.set(form.instrumentId, [number]);
    else numbers.push(number);
    return number;
  }
}
