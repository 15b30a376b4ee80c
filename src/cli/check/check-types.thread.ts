/** What runs in the thread of {@link checkTypesInThread}: checks the plugin it was started with, answers once, and is done. */
import { parentPort, workerData } from 'node:worker_threads';
import { checkPluginTypes } from './check-types.js';

parentPort?.postMessage(checkPluginTypes(workerData as string));
