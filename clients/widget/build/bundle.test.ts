import { gzipSync } from 'node:zlib';
import { expect, test } from '@jest/globals';
import { bundle } from './bundle.ts';

const KB = 1_000;
const widget = await bundle();
const sizeOf = (file: string) => gzipSync(file).length;

test('the launcher has at most 4 KB, and all that a visitor loads 25 KB', () => {
  expect(sizeOf(widget.launcher)).toBeLessThanOrEqual(4 * KB);
  expect(Object.keys(widget.panels).sort()).toEqual(['de', 'en', 'es', 'fa', 'fr', 'zh']);
  for (const panel of Object.values(widget.panels))
    expect(sizeOf(widget.launcher) + sizeOf(panel)).toBeLessThanOrEqual(25 * KB);
});

test('the same sources give the same files, and the launcher names the panels’ version', async () => {
  expect(await bundle()).toEqual(widget);
  expect(widget.launcher).toContain(widget.version);
});

test('nothing in them runs text as code or makes markup of it', () => {
  for (const file of [widget.launcher, ...Object.values(widget.panels)]) {
    expect(file).not.toMatch(/\beval\(|new Function|document\.write|insertAdjacentHTML/);
  }
  expect(widget.launcher).not.toContain('innerHTML');
});
