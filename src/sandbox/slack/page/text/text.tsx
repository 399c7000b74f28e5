import type { ComponentChildren } from 'preact';

import { dateContext, displayName, findUser, useBoot, useWorkspace } from '../context.ts';
import { type Json, stringOf } from '../json.ts';
import { EmojiGlyph } from './emoji-glyph.tsx';
import { parsePlainText } from './emoji.ts';
import type { Inline, TextBlock } from './inline.ts';
import { parseMrkdwn } from './mrkdwn.ts';

/** A text object of Block Kit, `plain_text` or `mrkdwn`. */
export function TextObject({ text }: { text: Json }) {
  return text['type'] === 'mrkdwn' ? (
    <Mrkdwn text={stringOf(text['text'])} verbatim={text['verbatim'] === true} />
  ) : (
    <PlainText text={stringOf(text['text'])} emoji={text['emoji'] !== false} />
  );
}

export function Mrkdwn({ text, verbatim = false }: { text: string; verbatim?: boolean }) {
  return <TextBlocks blocks={parseMrkdwn(text, { ...dateContext(), verbatim })} />;
}

export function PlainText({ text, emoji = true }: { text: string; emoji?: boolean }) {
  return <Inlines nodes={parsePlainText(text, emoji)} />;
}

export function TextBlocks({ blocks }: { blocks: readonly TextBlock[] }) {
  return (
    <>
      {blocks.map((block, index) => (
        <OneBlock key={index} block={block} />
      ))}
    </>
  );
}

function OneBlock({ block }: { block: TextBlock }) {
  switch (block.type) {
    case 'paragraph':
      return (
        <p class="text-paragraph">
          <Inlines nodes={block.children} />
        </p>
      );
    case 'pre':
      return <pre class="text-pre">{block.text}</pre>;
    case 'quote':
      return (
        <blockquote class="text-quote">
          <TextBlocks blocks={block.blocks} />
        </blockquote>
      );
    case 'list':
      return <TextList list={block} />;
    default:
      return null;
  }
}

function TextList({ list }: { list: Extract<TextBlock, { type: 'list' }> }) {
  const items = list.items.map((item, index) => (
    <li key={index}>
      <Inlines nodes={item} />
    </li>
  ));
  const style = { marginLeft: `${list.indent * 28}px` };
  return list.ordered ? (
    <ol class={`text-list depth-${list.indent % 3}`} style={style} start={list.start}>
      {items}
    </ol>
  ) : (
    <ul class={`text-list depth-${list.indent % 3}`} style={style}>
      {items}
    </ul>
  );
}

function Inlines({ nodes }: { nodes: readonly Inline[] }) {
  return (
    <>
      {nodes.map((node, index) => (
        <OneInline key={index} node={node} />
      ))}
    </>
  );
}

function OneInline({ node }: { node: Inline }): ComponentChildren {
  switch (node.type) {
    case 'text':
      return node.text;
    case 'break':
      return <br />;
    case 'bold':
      return <strong>{<Inlines nodes={node.children} />}</strong>;
    case 'italic':
      return <em>{<Inlines nodes={node.children} />}</em>;
    case 'strike':
      return <s>{<Inlines nodes={node.children} />}</s>;
    case 'underline':
      return <u>{<Inlines nodes={node.children} />}</u>;
    case 'code':
      return <code class="text-code">{node.text}</code>;
    case 'link':
      return (
        <a class="text-link" href={node.url} target="_blank" rel="noreferrer">
          <Inlines nodes={node.children} />
        </a>
      );
    case 'emoji':
      return <EmojiGlyph name={node.name} glyph={node.glyph} />;
    case 'broadcast':
      return <span class="mention broadcast">@{node.range}</span>;
    case 'user':
    case 'channel':
    case 'usergroup':
      return <Mention node={node} />;
    default:
      return null;
  }
}

function Mention({ node }: { node: Extract<Inline, { id: string }> }) {
  const boot = useBoot();
  const workspace = useWorkspace();
  if (node.type === 'channel') {
    const channel = boot.channels.find((each) => each.id === node.id);
    const name = `#${channel?.name ?? node.label ?? node.id}`;
    if (channel === undefined) return <span class="mention">{name}</span>;
    return (
      <button
        class="mention link"
        type="button"
        onClick={() => workspace.go({ type: 'channel', id: channel.id })}
      >
        {name}
      </button>
    );
  }
  if (node.type === 'usergroup') {
    const group = boot.usergroups.find((each) => each.id === node.id);
    return <span class="mention">@{group?.handle ?? node.label ?? node.id}</span>;
  }
  const user = findUser(boot, node.id);
  const mine = user?.id === boot.user ? ' me' : '';
  return (
    <span class={`mention${mine}`}>
      @{user === undefined ? (node.label ?? node.id) : displayName(user)}
    </span>
  );
}
