import { randomBytes } from 'node:crypto';

export interface PageParts {
  /** The webview's own origin, for styles, fonts and images. */
  cspSource: string;
  script: string;
  style: string;
  nonce: string;
  title: string;
  /** Plain text that stands in the page until its script replaces it: what to do when the script cannot run. */
  fallback?: string;
}

export const newNonce = (): string => randomBytes(24).toString('base64');

/**
 * The page of a panel. Nothing is allowed but what is listed: one script by nonce, styles, fonts and images of the extension's own
 * folder, no inline handlers, no remote origins, no frames, no forms, no base. Data comes by message, never spliced in here.
 */
export function panelPage({ cspSource, script, style, nonce, title, fallback }: PageParts): string {
  const policy = [
    "default-src 'none'",
    `script-src 'nonce-${nonce}'`,
    `style-src ${cspSource} 'nonce-${nonce}'`,
    `font-src ${cspSource}`,
    `img-src ${cspSource}`,
    "base-uri 'none'",
    "form-action 'none'",
  ].join('; ');
  return `<!DOCTYPE html>
<html lang="en">
<head>
<meta charset="utf-8">
<meta http-equiv="Content-Security-Policy" content="${attribute(policy)}">
<meta name="viewport" content="width=device-width, initial-scale=1">
<link rel="stylesheet" href="${attribute(style)}" nonce="${attribute(nonce)}">
<title>${attribute(title)}</title>
</head>
<body>${fallback === undefined ? '' : `\n<p id="fallback">${attribute(fallback)}</p>`}
<script type="module" nonce="${attribute(nonce)}" src="${attribute(script)}"></script>
</body>
</html>`;
}

function attribute(value: string): string {
  return value.replaceAll('&', '&amp;').replaceAll('"', '&quot;').replaceAll('<', '&lt;').replaceAll('>', '&gt;');
}
