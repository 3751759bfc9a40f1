import { describe, expect, it } from 'vitest';
import { count, faultsOf } from '../../../scripts/lib/suites.mjs';

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

describe('what did not pass', () => {
  it('is named with its file and the beginning of its message', () => {
    const report = {
      testResults: [
        { name: 'a.test.ts', status: 'failed', assertionResults: [{ status: 'passed', fullName: 'fine' }, { status: 'failed', fullName: 'broken', failureMessages: ['Error: 1 is not 2\n'.repeat(40)] }, { status: 'pending', fullName: 'left out' }] },
        { name: 'b.test.ts', status: 'failed', assertionResults: [], message: 'SyntaxError' },
      ],
    };
    const faults = faultsOf(report);
    expect(faults.map((fault) => fault.split('\n')[0])).toEqual(['a.test.ts > broken (failed)', 'a.test.ts > left out (pending)', 'b.test.ts did not load']);
    expect(faults[0]).toContain('1 is not 2');
    expect(faults[0]?.length).toBeLessThan(1600);
    expect(faults[2]).toContain('SyntaxError');
  });
});
