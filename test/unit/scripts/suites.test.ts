import { describe, expect, it } from 'vitest';
import { count } from '../../../scripts/lib/suites.mjs';

const file = (status: string, assertions: number) => ({ status, assertionResults: Array.from({ length: assertions }, () => ({})) });

describe('counting a report', () => {
  it('takes passed and failed as they are', () => {
    expect(count({ numPassedTests: 4, numFailedTests: 2, testResults: [file('failed', 6)] }, 1)).toEqual({ passed: 4, failed: 2 });
  });

  it('counts what was skipped or left for later as failed', () => {
    expect(count({ numPassedTests: 4, numPendingTests: 2, numTodoTests: 1, testResults: [] }, 0)).toEqual({ passed: 4, failed: 3 });
  });

  it('counts a file that did not load', () => {
    expect(count({ numPassedTests: 4, numFailedTests: 0, testResults: [file('passed', 4), file('failed', 0)] }, 1)).toEqual({ passed: 4, failed: 1 });
  });

  it('counts a run without tests, without a report, or with an error beside the tests', () => {
    expect(count({}, 0)).toEqual({ passed: 0, failed: 1 });
    expect(count({ numPassedTests: 4, testResults: [] }, 1)).toEqual({ passed: 4, failed: 1 });
  });
});
