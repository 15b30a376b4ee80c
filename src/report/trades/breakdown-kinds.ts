/** By what closed trades are added up. */
export const BREAKDOWN_KINDS = [
  'instrument',
  'side',
  'label',
  'cause',
  'weekday',
  'hour',
  'month',
] as const;
export type BreakdownKind = (typeof BREAKDOWN_KINDS)[number];
