import type { Inline, TextBlock } from '../../../../src/sandbox/slack/page/text/inline.ts';

/** Every run of a tree, at every depth. */
export function allInlines(blocks: readonly TextBlock[]): Inline[] {
  return blocks.flatMap((block) => {
    switch (block.type) {
      case 'paragraph':
        return deep(block.children);
      case 'quote':
        return allInlines(block.blocks);
      case 'list':
        return block.items.flatMap(deep);
      case 'pre':
        return [{ type: 'text', text: block.text }];
      default:
        return block;
    }
  });
}

/** The kinds of all runs of a tree. */
export function allTypes(blocks: readonly TextBlock[]): string[] {
  return allInlines(blocks).map((node) => node.type);
}

function deep(nodes: readonly Inline[]): Inline[] {
  return nodes.flatMap((node) => ('children' in node ? [node, ...deep(node.children)] : [node]));
}

/** Where all links of a tree lead. */
export function allUrls(blocks: readonly TextBlock[]): string[] {
  return allInlines(blocks).flatMap((node) => (node.type === 'link' ? [node.url] : []));
}
