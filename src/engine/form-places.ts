import type { OrderIntent, Refusal } from '../domain/index.js';
import type { KnownForms } from './orders/known-forms.js';

/** So many different texts get a place: to find one takes long, and a strategy may write amounts anew with each candle. */
const MOST = 50;

/**
 * Where in the plugin intents were raised that are written wrong. It is known while they are raised alone, and looked up once for each text: what is said again and
 * again has the place of its first time.
 */
export class FormPlaces {
  readonly #forms: KnownForms;
  readonly #describe: (error: unknown) => string | undefined;
  readonly #places = new Map<string, string | undefined>();

  /** `describe`: the place of an error in the plugin; undefined where nobody knows it. */
  constructor(forms: KnownForms, describe: (error: unknown) => string | undefined) {
    this.#forms = forms;
    this.#describe = describe;
  }

  /** An intent is raised; what is right costs one look. */
  note(intent: OrderIntent): void {
    const problem = this.#forms.findProblem(intent);
    if (problem === undefined) return;
    const { text } = problem;
    if (this.#places.has(text) || this.#places.size >= MOST) return;
    this.#places.set(text, this.#describe(new Error(text)));
  }

  /** The refusal with the place, where that is known. */
  placed(problem: Refusal): Refusal {
    const place = this.#places.get(problem.text);
    return place === undefined ? problem : { ...problem, text: `${place}: ${problem.text}` };
  }
}
