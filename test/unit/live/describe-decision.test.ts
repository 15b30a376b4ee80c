import { describe, expect, it } from 'vitest';
import { describeDecision } from '../../../src/live/index.js';
import { LOG_DECISIONS } from '../../support/live/log-decisions.js';

describe('describeDecision', () => {
  it.each(LOG_DECISIONS)('returns "%s"', (text, decision) => {
    expect(describeDecision(decision)).toBe(text);
  });
});
