import fc from 'fast-check';

import { propertyRuns, propertySeed } from './runs.js';

// A failing property prints its seed and path: pass both to `fc.assert` to replay it.
fc.configureGlobal({ numRuns: propertyRuns(), seed: propertySeed() });
