export { buildAuditPage } from './audit/audit-page.js';
export type { ChartSeries } from './candles/page-candles.js';
export { buildComparison } from './comparison/comparison-page.js';
export { buildSweepPage } from './sweep/sweep-page.js';
export { buildWalkForwardPage } from './walk-forward/walk-forward-page.js';
export type { PageData, PageReason, RunPage } from './page-data.js';
export { buildRunPage, type RunExtras } from './run/run-page.js';
export { titleOf, writePage, writePageData, type PageParts } from './write-page.js';
