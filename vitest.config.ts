import { defineConfig } from 'vitest/config';

/** Parts of the test suite; their limits of time are there to end what hangs, and measure nothing. `npm test -- unit` runs one. Nothing is skipped silently: `scripts/test.mjs` counts a skipped test as failed. */
export default defineConfig({
  test: {
    allowOnly: false,
    passWithNoTests: false,
    projects: [
      { test: { name: 'unit', include: ['test/unit/**/*.test.ts'], testTimeout: 60_000 } },
      { test: { name: 'contract', include: ['test/contract/**/*.test.ts'], testTimeout: 60_000, hookTimeout: 60_000 } },
      { test: { name: 'webview', include: ['test/webview/**/*.test.ts'], testTimeout: 60_000, hookTimeout: 60_000, fileParallelism: false } },
      { test: { name: 'agents', include: ['test/agents/**/*.test.ts'], testTimeout: 120_000, hookTimeout: 120_000, fileParallelism: false } },
      { test: { name: 'workbench', include: ['test/workbench/**/*.test.ts'], testTimeout: 360_000, hookTimeout: 360_000, expect: { poll: { timeout: 60_000 } }, fileParallelism: false } },
    ],
  },
});
