import { join } from 'node:path';
import { root } from './paths.mjs';

/** Name of a panel's page → its source. */
export const panels = { case: 'webview/case/main.ts', review: 'webview/review/main.ts' };

/** How pages are bundled, by the build and by the tests that open them in a browser. What several pages need, and what is only loaded when needed, are chunks. */
export const webviewOptions = {
  absWorkingDir: root,
  entryPoints: panels,
  bundle: true,
  format: 'esm',
  splitting: true,
  chunkNames: 'chunks/[name]-[hash]',
  platform: 'browser',
  target: 'es2023',
  legalComments: 'none',
  loader: { '.ttf': 'file' },
  assetNames: '[name]',
  tsconfig: join(root, 'webview/tsconfig.json'),
  define: { 'process.env.NODE_ENV': '"production"' },
};
