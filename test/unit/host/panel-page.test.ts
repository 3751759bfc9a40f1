import { describe, expect, it } from 'vitest';
import { newNonce, panelPage } from '../../../extension/features/panels/html.ts';

const page = panelPage({ cspSource: 'vscode-webview://x', script: 'vscode-webview://x/case.js', style: 'vscode-webview://x/case.css', nonce: 'abc', title: 'A <b>"title"' });
const policy = Object.fromEntries(
  (/Content-Security-Policy" content="([^"]+)"/.exec(page)?.[1] ?? '')
    .split('; ')
    .map((directive): [string, string[]] => [directive.split(' ')[0] ?? '', directive.split(' ').slice(1)]),
);

describe('the page of the case panel', () => {
  it('allows nothing but its own script, styles, fonts and images', () => {
    expect(policy).toEqual({
      'default-src': ["'none'"],
      'script-src': ["'nonce-abc'"],
      'style-src': ['vscode-webview://x', "'nonce-abc'"],
      'font-src': ['vscode-webview://x'],
      'img-src': ['vscode-webview://x'],
      'base-uri': ["'none'"],
      'form-action': ["'none'"],
    });
    expect(page).not.toMatch(/unsafe-|https:|http:|\bdata:/);
  });

  it('holds one script, by nonce, and no inline code', () => {
    expect(page.match(/<script/g)).toHaveLength(1);
    expect(page).toContain('<script type="module" nonce="abc" src="vscode-webview://x/case.js"></script>');
    expect(page).not.toMatch(/\son\w+=/);
  });

  it('escapes what is put in', () => {
    expect(page).toContain('<title>A &lt;b&gt;&quot;title&quot;</title>');
  });

  it('has a new nonce each time', () => {
    expect(newNonce()).not.toBe(newNonce());
    expect(Buffer.from(newNonce(), 'base64')).toHaveLength(24);
  });
});
