import type { Page } from 'playwright-core';

interface Finding {
  id: string;
  help: string;
  nodes: { html: string; failureSummary?: string }[];
}

/** What axe, which the page has been given, finds in all of it, in words short enough for a failure message. */
export async function axeFindings(page: Page): Promise<string[]> {
  const found = await page.evaluate<Finding[]>("axe.run(document, { resultTypes: ['violations'] }).then((result) => result.violations)");
  return found.flatMap((violation) => violation.nodes.slice(0, 4).map((node) => `${violation.id}: ${node.html.slice(0, 160)} — ${(node.failureSummary ?? violation.help).replace(/\s+/gu, ' ').slice(0, 240)}`));
}
