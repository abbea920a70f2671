import { readFile } from 'node:fs/promises';
import { createRequire } from 'node:module';
import type { Page } from 'playwright-core';

const AXE = await readFile(createRequire(import.meta.url).resolve('axe-core/axe.min.js'), 'utf8');

interface Finding {
  id: string;
  nodes: { target: unknown; failureSummary?: string }[];
}

/** Returns axe's findings on the page, best practices included. */
export async function findings(page: Page): Promise<unknown[]> {
  await page.evaluate(AXE);
  const violations = await page.evaluate<Finding[]>('axe.run(document).then(({ violations }) => violations)');
  return violations.map(({ id, nodes }) => [id, nodes.map(({ target, failureSummary }) => [target, failureSummary])]);
}
