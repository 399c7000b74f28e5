import { memo } from 'preact/compat';
import type { PageMessage } from '../../../src/sandbox/slack/page-protocol.ts';
import { Blocks } from '../../../src/sandbox/slack/page/blocks/blocks.tsx';
import { SurfaceProvider } from '../../../src/sandbox/slack/page/blocks/surface.tsx';
import { Avatar } from '../../../src/sandbox/slack/page/chat/avatar.tsx';
import { Message } from '../../../src/sandbox/slack/page/chat/message.tsx';
import { findUser, useBoot } from '../../../src/sandbox/slack/page/context.ts';
import { isObject, objectsOf, stringOf, type Json } from '../../../src/sandbox/slack/page/json.ts';
import type { Rendered, RenderedArea } from '../render.ts';

const KINDS: Readonly<Record<Rendered['kind'], string>> = {
  post: 'in a channel',
  reply: 'in a thread',
  broadcast: 'in a thread and its channel',
  direct: 'direct message',
  answer: 'private answer',
  modal: 'modal',
  home: 'home tab',
};

type Areas = { readonly areas: readonly RenderedArea[] };

/** The whole page: an index, and below it every entry with its screen-reader text. */
export function Catalogue({ areas }: Areas) {
  const count = areas.reduce((sum, { entries }) => sum + entries.length, 0);
  return (
    <main class="catalogue">
      <header>
        <h1>Everything that Purser says</h1>
        <p class="muted">
          {count} entries in {areas.length} areas. Each name is a link to itself. In the grey box:
          what a screen reader says.
        </p>
      </header>
      <Index areas={areas} />
      {areas.map((area) => (
        <section key={area.id} class="area" id={area.id}>
          <h2>
            <a href={`#${area.id}`}>{area.title}</a>
          </h2>
          {area.entries.map((entry) => (
            <OneEntry key={entry.id} entry={entry} />
          ))}
        </section>
      ))}
    </main>
  );
}

function Index({ areas }: Areas) {
  return (
    <nav class="index" aria-label="Areas">
      {areas.map(({ id, title, entries }) => (
        <details key={id}>
          <summary>
            {title} <span class="muted">{entries.length}</span>
          </summary>
          <ul>
            <li>
              <a href={`#${id}`}>All of {title}</a>
            </li>
            {entries.map((entry) => (
              <li key={entry.id}>
                <a href={`#${entry.id}`}>{entry.id}</a>
              </li>
            ))}
          </ul>
        </details>
      ))}
    </nav>
  );
}

const OneEntry = memo(({ entry }: { readonly entry: Rendered }) => {
  const { id, kind, when, heard, also } = entry;
  return (
    <article class="entry" id={id}>
      <header>
        <h3>
          <a href={`#${id}`}>{id}</a>
        </h3>
        <span class="kind">{KINDS[kind]}</span>
        <p>{when}</p>
        {also.map((other) => (
          <p key={other.id} id={other.id}>
            Also: {other.when} <a href={`#${other.id}`}>{other.id}</a>
          </p>
        ))}
      </header>
      <div class="shown">
        {kind === 'modal' ? <Modal entry={entry} /> : <Shown entry={entry} />}
        {entry.sent.opens?.map((sent) => (
          <Modal key={sent.title} entry={{ id, sent: { ...sent, close: 'Close' } }} />
        ))}
        <Menus blocks={entry.sent.blocks as unknown as readonly Json[]} />
        <Questions blocks={entry.sent.blocks as unknown as readonly Json[]} />
      </div>
      <pre class="heard" role="group" tabIndex={0} aria-label="What a screen reader says">
        {heard}
      </pre>
    </article>
  );
});

/** The options of overflow menus, visible without a click; each menu once. */
function Menus({ blocks }: { readonly blocks: readonly Json[] }) {
  const menus = new Set(
    blocks.flatMap(({ accessory, elements }) =>
      [accessory, ...objectsOf(elements)].filter(isObject).filter(isMenu).map(optionsOf),
    ),
  );
  return [...menus].map((options) => (
    <p key={options} class="question">
      In the menu ⋯: {options}
    </p>
  ));
}

const isMenu = ({ type }: Json): boolean => type === 'overflow';

function optionsOf({ options }: Json): string {
  return objectsOf(options).map(wordsOf).join(' · ');
}

/** The confirmations of buttons; each question once. */
function Questions({ blocks }: { readonly blocks: readonly Json[] }) {
  const questions = new Set(blocks.flatMap(confirmsIn).map(questionOf));
  return [...questions].map((question) => (
    <p key={question} class="question">
      {question}
    </p>
  ));
}

function confirmsIn(value: unknown): Json[] {
  if (typeof value !== 'object' || value === null) return [];
  return Object.entries(value).flatMap(([name, member]) =>
    name === 'confirm' && isObject(member) && isObject(member['deny'])
      ? [member]
      : confirmsIn(member),
  );
}

function questionOf({ title, text, confirm, deny }: Json): string {
  const words = (one: unknown): string => wordsOf({ text: one });
  return `After the click: “${words(title)}” ${words(text)} [${words(confirm)}] [${words(deny)}]`;
}

function wordsOf({ text }: Json): string {
  return isObject(text) ? stringOf(text['text']) : '';
}

function Shown({ entry }: { readonly entry: Rendered }) {
  const blocks = entry.sent.blocks as unknown as readonly Json[];
  const boot = useBoot();
  if (entry.kind === 'home') {
    return (
      <SurfaceProvider container={{ type: 'view', view_id: entry.id }} blocks={blocks}>
        <Blocks blocks={blocks} />
      </SurfaceProvider>
    );
  }
  return <Message message={messageOf(entry, boot.app.bot_user)} compact={false} inThread />;
}

function messageOf({ id, kind, sent }: Rendered, bot: string): PageMessage {
  return {
    channel: id,
    ts: (Date.now() / 1_000).toFixed(6),
    user: bot,
    text: sent.text ?? '',
    blocks: sent.blocks as unknown as PageMessage['blocks'],
    files: [],
    broadcast: kind === 'broadcast',
    edited: false,
    ephemeral: kind === 'answer',
    system: false,
  };
}

/** As the page draws a modal, without the dialog around it. */
function Modal({ entry: { id, sent } }: { readonly entry: Pick<Rendered, 'id' | 'sent'> }) {
  const boot = useBoot();
  const blocks = sent.blocks as unknown as readonly Json[];
  return (
    <div class="modal">
      <header class="modal-header">
        <Avatar user={findUser(boot, boot.app.bot_user)} small />
        <h2>{sent.title}</h2>
      </header>
      <div class="modal-body">
        <SurfaceProvider
          container={{ type: 'view', view_id: id }}
          blocks={blocks}
          errors={sent.errors ?? {}}
        >
          <Blocks blocks={blocks} />
        </SurfaceProvider>
      </div>
      <footer class="modal-footer">
        <button type="button" class="button">
          {sent.close}
        </button>
        {sent.submit !== undefined && (
          <button type="button" class="button solid primary">
            {sent.submit}
          </button>
        )}
      </footer>
    </div>
  );
}
