import type { Import } from './imports.ts';

/** The groups of files that import each other, directly or through others (Tarjan's strongly connected components). */
export function circlesOf(imports: readonly Import[]): string[][] {
  const imported = Map.groupBy(imports, ({ from }) => from);
  const number = new Map<string, number>();
  const lowest = new Map<string, number>();
  const open: string[] = [];
  const circles: string[][] = [];

  function visit(file: string): void {
    number.set(file, number.size);
    lowest.set(file, number.get(file)!);
    open.push(file);
    for (const { to } of imported.get(file) ?? []) {
      if (!number.has(to)) visit(to);
      if (open.includes(to)) lowest.set(file, Math.min(lowest.get(file)!, lowest.get(to)!));
    }
    if (lowest.get(file) !== number.get(file)) return;
    const circle = open.splice(open.indexOf(file));
    if (circle.length > 1) circles.push(circle.sort());
  }

  for (const file of imported.keys()) if (!number.has(file)) visit(file);
  return circles;
}
