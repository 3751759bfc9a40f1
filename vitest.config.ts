import { defineConfig } from 'vitest/config';

/** Longest times of a test, its hooks and a wait in it, in milliseconds: they are there to end what hangs, and measure nothing. */
const limits = (whole: number): { testTimeout: number; hookTimeout: number; expect: { poll: { timeout: number } } } => ({ testTimeout: whole, hookTimeout: whole, expect: { poll: { timeout: Math.min(whole / 2, 60_000) } } });

/** Parts of the test suite. `npm test -- unit` runs one. Nothing is skipped silently: `scripts/test.mjs` counts a skipped test as failed. */
export default defineConfig({
  test: {
    allowOnly: false,
    passWithNoTests: false,
    projects: [
      { test: { name: 'unit', include: ['test/unit/**/*.test.ts'], ...limits(120_000) } },
      { test: { name: 'contract', include: ['test/contract/**/*.test.ts'], ...limits(120_000) } },
      { test: { name: 'webview', include: ['test/webview/**/*.test.ts'], ...limits(60_000), fileParallelism: false } },
      { test: { name: 'agents', include: ['test/agents/**/*.test.ts'], ...limits(300_000), fileParallelism: false } },
      { test: { name: 'workbench', include: ['test/workbench/**/*.test.ts'], ...limits(600_000), fileParallelism: false } },
    ],
  },
});
