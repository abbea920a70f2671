import type { Block } from './blocks.ts';

const MAX_REPEATED = 120;

/** Repeats the headings that a page stands under at its beginning, because a section may go on over many pages. */
export function carryHeadings(): (blocks: readonly Block[]) => Block[] {
  const stack: Block[] = [];
  return (blocks) => {
    if (blocks.length === 0) return [];
    const first = blocks[0]!;
    const level = first.kind === 'heading' ? first.level : Infinity;
    const above = stack.filter((heading) => heading.level < level);
    for (const block of blocks) {
      if (block.kind !== 'heading') continue;
      while (stack.length > 0 && stack.at(-1)!.level >= block.level) stack.pop();
      stack.push(
        block.text.length > MAX_REPEATED
          ? { ...block, text: `${block.text.slice(0, MAX_REPEATED).trimEnd()}…` }
          : block,
      );
    }
    return [...above, ...blocks];
  };
}
