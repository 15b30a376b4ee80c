/** The ways in which closed trades are grouped. */
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
