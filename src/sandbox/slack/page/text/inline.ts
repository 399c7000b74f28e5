/** The parts of parsed Slack text; the page draws nothing else. */
export type Inline =
  | { readonly type: 'text'; readonly text: string }
  | { readonly type: 'break' }
  | {
      readonly type: 'bold' | 'italic' | 'strike' | 'underline';
      readonly children: readonly Inline[];
    }
  | { readonly type: 'code'; readonly text: string }
  | { readonly type: 'link'; readonly url: string; readonly children: readonly Inline[] }
  | {
      readonly type: 'user' | 'channel' | 'usergroup';
      readonly id: string;
      readonly label?: string;
    }
  | { readonly type: 'broadcast'; readonly range: 'here' | 'channel' | 'everyone' }
  | { readonly type: 'emoji'; readonly name: string; readonly glyph: string };

/** The parts with lines of their own. */
export type TextBlock =
  | { readonly type: 'paragraph'; readonly children: readonly Inline[] }
  | { readonly type: 'pre'; readonly text: string }
  | { readonly type: 'quote'; readonly blocks: readonly TextBlock[] }
  | {
      readonly type: 'list';
      readonly ordered: boolean;
      /** The number of the first item. */
      readonly start: number;
      /** Depth below the outermost list: 0 to 8. */
      readonly indent: number;
      readonly items: readonly (readonly Inline[])[];
    };

/** Joins neighbouring text runs, so that a tree has one shape for one text. */
export function mergeText(nodes: readonly Inline[]): Inline[] {
  const merged: Inline[] = [];
  for (const node of nodes) {
    const last = merged.at(-1);
    if (node.type === 'text' && node.text === '') continue;
    if (node.type === 'text' && last?.type === 'text') {
      merged[merged.length - 1] = { type: 'text', text: last.text + node.text };
    } else {
      merged.push(node);
    }
  }
  return merged;
}

/** Undoes Slack's three entities, once: `&amp;lt;` becomes `&lt;` and stays that. */
export function unescapeEntities(text: string): string {
  return text.replace(/&(amp|lt|gt);/g, (_, name: string) =>
    name === 'amp' ? '&' : name === 'lt' ? '<' : '>',
  );
}

/** The address if a page may link to it, else nothing: `javascript:` and its like are no links. */
export function safeUrl(url: string): string | undefined {
  return /^(?:https?:\/\/|mailto:|tel:|slack:\/\/)[^\s<>"]+$/i.test(url) ? url : undefined;
}
