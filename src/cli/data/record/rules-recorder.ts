import { formatRules } from '../../../archive/index.js';
import {
  splitInstrumentId,
  TradingError,
  type DatedRules,
  type InstrumentId,
  type InstrumentRules,
} from '../../../domain/index.js';
import { RecordedRows } from './recorded-rows.js';
import type { Recording } from './recording.js';

/** Records the venue's rules of instruments whenever they change, from the instant at which the change was seen. */
export class RulesRecorder {
  readonly #recording: Recording;
  readonly #latest = new Map<InstrumentId, InstrumentRules>();
  readonly rows: ReadonlyMap<InstrumentId, RecordedRows<DatedRules>>;
  readonly #gone = new Set<InstrumentId>();
  #failure: string | undefined;

  constructor(recording: Recording) {
    const { archive, host, instruments, say, onFailure } = recording;
    this.#recording = recording;
    const source = `listings of ${host}`;
    this.rows = new Map(
      instruments.map((id) => {
        const merge = (entries: readonly DatedRules[]) =>
          archive.mergeRules(id, entries, { source });
        const rows = { name: `${id} rules`, storedRows: 0, merge, say, onFailure };
        return [id, new RecordedRows(rows)];
      }),
    );
  }

  /** Reads the stored rules. @throws errors of the archive. */
  async start(): Promise<void> {
    const { archive, instruments } = this.#recording;
    for (const id of instruments) {
      const stored = await archive.rules(id);
      const latest = stored.at(-1);
      if (latest !== undefined) this.#latest.set(id, latest.rules);
    }
  }

  /** Reads the venue's listings. After a failure, the next call tries again. */
  async read(): Promise<void> {
    const { market, instruments, signal, say } = this.#recording;
    const kinds = new Set(instruments.map((id) => splitInstrumentId(id).kind));
    // Rows that a full disk refused must not wait until rules change again.
    await Promise.all([...this.rows.values()].map((rows) => rows.flush()));
    try {
      for (const kind of kinds) {
        const { listings } = await market.listings(kind, { signal });
        const listed = new Map(listings.map(({ symbol, rules }) => [symbol, rules]));
        for (const id of instruments) {
          const instrument = splitInstrumentId(id);
          if (instrument.kind === kind) this.#take(id, listed.get(instrument.symbol));
        }
      }
      this.#failure = undefined;
    } catch (error: unknown) {
      if (signal.aborted) return;
      if (!(error instanceof TradingError)) throw error;
      if (this.#failure !== error.code) say(`rules: no answer (${error.code})`);
      this.#failure = error.code;
    }
  }

  #take(id: InstrumentId, listed: InstrumentRules | undefined): void {
    const { rulesOf, time, say } = this.#recording;
    if (listed === undefined) {
      if (!this.#gone.has(id)) say(`${id} rules: the venue does not list it`);
      this.#gone.add(id);
      return;
    }
    this.#gone.delete(id);
    const latest = this.#latest.get(id);
    // Members that the venue does not state keep their known values.
    const rules = { ...(latest ?? rulesOf(id)), ...listed };
    if (latest !== undefined && textOf(latest) === textOf(rules)) return;
    this.#latest.set(id, rules);
    this.rows.get(id)?.add({ from: time.now(), rules });
  }
}

/** Rules as text, independent of the order of their keys. */
function textOf(rules: InstrumentRules): string {
  const entries = Object.entries(formatRules(rules));
  return JSON.stringify(entries.sort(([a], [b]) => (a < b ? -1 : 1)));
}
