import { staticClosure } from './scripts/lib/closure.mjs';

const plain = { gzip: false, brotli: false };

export default [
  { name: 'VSIX', path: 'casebook.vsix', limit: '6 MB', ...plain },
  { name: 'loaded at activation', path: staticClosure('dist/main.js'), limit: '250 KB', ...plain },
  { name: 'case panel', path: [...staticClosure('dist/webview/case.js'), 'dist/webview/case.css'], limit: '600 KB', ...plain },
  { name: 'review panel', path: [...staticClosure('dist/webview/review.js'), 'dist/webview/review.css'], limit: '500 KB', ...plain },
];
