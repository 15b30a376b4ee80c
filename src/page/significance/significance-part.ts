import { describeSignificance, numberOfTrials, type Significance } from '../../research/index.js';
import type { PageBand, PageSignificance } from '../page-data.js';

/** Makes the part of a page about a significance judgment. It computes no figure: all figures come from the document. */
export function buildPageSignificance(significance: Significance): PageSignificance {
  const { search } = significance;
  return {
    notes: describeSignificance(significance).map(({ label, text }) => ({ label, lines: [text] })),
    bands: bandsOf(significance),
    logits: search?.overfitting.histogram ?? [],
  };
}

function bandsOf({ trial: { psr }, search }: Significance): readonly PageBand[] {
  const alone = bandOf('PSR, editions of 2012 and 2026', psr.edition2012, psr.edition2026);
  if (search === null) return alone;
  const { effective, raw } = search.luck;
  const counted = `${numberOfTrials(effective.trials)} to ${numberOfTrials(raw.trials)} trials`;
  return [
    ...alone,
    ...bandOf(`DSR of 2014, ${counted}`, effective.dsr.edition2014, raw.dsr.edition2014),
    ...bandOf(`DSR of 2026, ${counted}`, effective.dsr.edition2026, raw.dsr.edition2026),
  ];
}

/** A band between two values in any order; empty if one of them is not known. */
export function bandOf(label: string, one: number | null, other: number | null): PageBand[] {
  if (one === null || other === null) return [];
  return [{ label, from: Math.min(one, other), to: Math.max(one, other) }];
}
