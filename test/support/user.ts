import type { Bootstrap, PageView } from '../../src/sandbox/slack/page-protocol.ts';
import { get, sendJson } from './http.ts';
import { errorsByLabel, readForm, stateOf, withChosen, type Entries, type Form } from './modal.ts';
import { LATE_WINDOW, MOST_TRIES, PROGRESS, READING } from './page.ts';
import { until } from './until.ts';
import type { SeenMessage, World } from './world.ts';
import { REASON } from './changes.ts';

const PLACE = 'C0BILLING';
/** The message on a busy machine, where Redis is late for Slack's three seconds. */
const LATE = /own store just now, so nothing was done. Please try again/;

type Acted = { ok: boolean; error?: string; errors?: Record<string, string> };

export type User = ReturnType<typeof userOf>;

/**
 * The acts of one person in the workspace, over HTTP as the page does them: no browser needed.
 * @param user such as `U0ADA`, who is seeded in the stand-in workspace
 */
export function userOf(world: World, user: string) {
  const { slackUrl } = world;

  async function act(path: string, body: object) {
    const answer = await sendJson(`${slackUrl}/page/${path}`, { user, ...body });
    const read = (await answer.json()) as Acted;
    if (!read.ok) throw new Error(`${path}: ${read.error}`);
    return read;
  }

  const top = async (): Promise<PageView | undefined> =>
    (await get<Bootstrap>(`${slackUrl}/page/bootstrap?user=${user}`)).views.at(-1);

  /** The modal on top, once it is filled in and fits. */
  const modal = (fits: (form: Form) => boolean = () => true): Promise<Form> =>
    until(`a modal for ${user}`, async () => {
      const view = await top();
      const form = view && readForm(view);
      return form && form.text !== READING && fits(form) && form;
    });

  const reported = async (channel: string): Promise<number> =>
    (await world.messages(channel)).filter(
      ({ text, ephemeral_to: to }) => to === user && text.includes(LATE_WINDOW),
    ).length;

  /** The modal that opens after the work, which is not one that was open before. */
  async function opened(work: () => Promise<unknown>, channel: string, tries = 1): Promise<Form> {
    const [before, reportedBefore] = [(await top())?.id, await reported(channel)];
    await work();
    const isOpen = await until(`a window for ${user}`, async () => {
      const id = (await top())?.id;
      if (id !== undefined && id !== before) return 'open';
      return (await reported(channel)) > reportedBefore && 'late';
    });
    if (isOpen === 'late' && tries < MOST_TRIES) return opened(work, channel, tries + 1);
    return modal(({ view }) => view.id !== before);
  }

  /** Presses a button of a message by its name, or chooses that from a menu; the first one, where several have it. */
  async function press(message: SeenMessage, name: string): Promise<void> {
    const { channel, ts } = message;
    const type = message.ephemeral_to === null ? 'message' : 'ephemeral';
    await act('action', { container: { type, channel, ts }, ...controlOf(message, name) });
  }

  async function pressIn(form: Form, name: string): Promise<void> {
    const container = { type: 'view', view_id: form.view.id };
    await act('action', { container, ...controlOf({ ...form.view, text: form.text }, name) });
  }

  return {
    user,
    modal,
    press,
    /** Presses a button of a modal. */
    pressIn,
    /** Types a command that opens a modal; gives it once it is filled in. */
    open: (text: string, channel = PLACE) =>
      opened(() => act('command', { channel, text }), channel),
    /** Types a command; gives the private answer. */
    ask: (text: string, channel = PLACE) => world.command(user, channel, text),
    /** Presses a button that opens a modal; gives it once it is filled in. */
    openBy: (message: SeenMessage, name: string) =>
      opened(() => press(message, name), message.channel),
    /** Presses a button of a modal that puts another modal on top; gives that one once it is filled in. */
    async pushed(form: Form, name: string): Promise<Form> {
      await pressIn(form, name);
      return modal(({ view }) => view.id !== form.view.id);
    },
    /** Chooses an option that other fields depend on, in a form not filled in yet; gives it as it is then. */
    async choose(form: Form, label: string, option: string): Promise<Form> {
      const { field, element, state } = withChosen(form, label, option);
      await act('action', {
        container: { type: 'view', view_id: form.view.id },
        block_id: field,
        action_id: element.actionId,
        element: element.state,
        state,
      });
      return modal(({ view }) => view.id === form.view.id && view.hash !== form.view.hash);
    },
    /** Sends a form; gives the errors by label, `{}` when it was taken. Does so again when reported to. */
    async submit(form: Form, entries: Entries = {}) {
      const reason = 'Reason' in form.fields ? { Reason: REASON } : {};
      const values = stateOf(form, { ...reason, ...entries });
      for (let tries = 1; ; tries += 1) {
        const { errors = {} } = await act('view/submit', { view_id: form.view.id, values });
        const isLate = Object.values(errors).some((said) => LATE.test(said));
        if (!isLate || tries === MOST_TRIES) return errorsByLabel(form, errors);
      }
    },
    close: (form: Form) => act('view/close', { view_id: form.view.id, clear: true }),
    /** The private answer that comes of something, in a channel. */
    async answer(work: () => Promise<unknown>, channel = PLACE): Promise<SeenMessage> {
      const known = new Set((await world.messages(channel)).map(({ ts }) => ts));
      await work();
      return until(`a private answer for ${user}`, async () =>
        (await world.messages(channel)).find(
          (one) => one.ephemeral_to === user && !known.has(one.ts) && one.text !== PROGRESS,
        ),
      );
    },
    /** The bot's direct messages to this person. */
    direct: () => world.messages(`D${user.slice(1)}`),
  };
}

type Json = Record<string, unknown>;

/** A button by the words on it, also in a table, or an option of a menu. @throws when the message has none */
function controlOf(
  message: { readonly text: string; readonly blocks: readonly Json[] },
  name: string,
): Json {
  const isNamed = (one: Json): boolean => (one['text'] as Json | undefined)?.['text'] === name;
  const all = message.blocks.flatMap(({ block_id, accessory, elements, rows }) => {
    const cells = ((rows ?? []) as Json[][]).flat().map(({ element }) => element);
    return [accessory, ...((elements ?? []) as unknown[]), ...cells].flatMap((one): Json[] => {
      const { type, action_id, options, ...button } = (one ?? {}) as Json;
      if (type === 'button')
        return isNamed(button) ? [{ block_id, action_id, element: { type } }] : [];
      const option = type === 'overflow' && (options as Json[]).find(isNamed);
      return option ? [{ block_id, action_id, element: { type, selected_option: option } }] : [];
    });
  });
  const [found] = all;
  if (found === undefined) throw new Error(`no button ${name} in: ${message.text}`);
  return found;
}
