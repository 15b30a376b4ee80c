export { noticesAmong, describeNondeterminism } from './describe-nondeterminism.js';
export { describeFinding, type PluginFinding, type PluginScan } from './finding.js';
export { scanPlugin } from './scan-plugin.js';
export {
  countCommands,
  describeDifference,
  findDifference,
  pastOf,
  type RunTrace,
} from './run-trace.js';
export { TraceJournal } from './trace-journal.js';
export { type PluginSources, hashPluginSources, readPluginSources } from './plugin-sources.js';
