import type { OrderIntent, Refusal } from '../domain/index.js';
import type { KnownForms } from './orders/known-forms.js';

/** Most texts that get a place: finding a place takes long, and a strategy may write other amounts with each candle. */
const MOST = 50;

/**
 * Places in the plugin where malformed intents were raised. A place is known only while the intent is raised, and is looked up once for each text: a
 * repeated problem has the place of its first time.
 */
export class FormPlaces {
  readonly #forms: KnownForms;
  readonly #describe: (error: unknown) => string | undefined;
  readonly #places = new Map<string, string | undefined>();

  /** `describe`: the place of an error in the plugin; undefined if it is unknown. */
  constructor(forms: KnownForms, describe: (error: unknown) => string | undefined) {
    this.#forms = forms;
    this.#describe = describe;
  }

  /** Call when an intent is raised. A valid intent costs one check. */
  note(intent: OrderIntent): void {
    const problem = this.#forms.findProblem(intent);
    if (problem === undefined) return;
    const { text } = problem;
    if (this.#places.has(text) || this.#places.size >= MOST) return;
    this.#places.set(text, this.#describe(new Error(text)));
  }

  /** The refusal, with the place if it is known. */
  placed(problem: Refusal): Refusal {
    const place = this.#places.get(problem.text);
    return place === undefined ? problem : { ...problem, text: `${place}: ${problem.text}` };
  }
}
