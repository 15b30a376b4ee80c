/** Entry of the thread of {@link checkTypesInThread}: checks one plugin, answers once, and ends. */
import { parentPort, workerData } from 'node:worker_threads';
import { checkPluginTypes } from './check-types.js';

parentPort?.postMessage(checkPluginTypes(workerData as string));
