import type { OrderIntent, Refusal } from '../../domain/index.js';
import type { KnownForms } from '../orders/forms/known-forms.js';

/** Most texts that get a place: finding a place takes long, and a strategy may write other amounts with each candle. */
const MOST = 50;

/**
 * Finds problems in the form of intents, and the places in the plugin where these intents were raised. A place is known only while the intent is raised,
 * and is looked up once for each text: a repeated problem has the place of its first time.
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

  /** The problem of an intent that is raised now, with its place if that is known. */
  problemOfRaised(intent: OrderIntent): Refusal | undefined {
    const problem = this.#forms.findProblem(intent);
    if (problem === undefined) return undefined;
    const { text } = problem;
    if (!this.#places.has(text) && this.#places.size < MOST)
      this.#places.set(text, this.#describe(new Error(text)));
    return this.#placed(problem);
  }

  /** The problem of an intent from a journal. Its place is known if an intent with the same problem was raised in this process. */
  problemOfRecorded(intent: OrderIntent): Refusal | undefined {
    const problem = this.#forms.findProblem(intent);
    return problem && this.#placed(problem);
  }

  #placed(problem: Refusal): Refusal {
    const place = this.#places.get(problem.text);
    return place === undefined ? problem : { ...problem, text: `${place}: ${problem.text}` };
  }
}
