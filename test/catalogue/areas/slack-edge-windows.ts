import { DETAILS_TITLE } from '../../../src/features/deployments/details-view.ts';
import { section } from '../../../src/slack/kit/blocks.ts';
import { select, textInput } from '../../../src/slack/kit/inputs.ts';
import { mrkdwn } from '../../../src/slack/kit/text.ts';
import { openModal } from '../../../src/slack/routing/modals.ts';
import { openFor, openForm, routeReveal } from '../../../src/slack/routing/windows.ts';
import type { FormContent, FormRoute, RevealRoute } from '../../../src/slack/routing/routes.ts';
import { answer, modal, type Area } from '../entry.ts';
import { BUSY, click, clickBody, slackSays, windows } from './slack-edge-data.ts';

const fails = (): Promise<never> => Promise.reject(slackSays('fatal_error'));
const busy = (): Promise<never> => Promise.reject(BUSY);

/** A window that is opened by a click or a command, and is filled in by `fill`. */
async function opened(
  { kind, ...slack }: Slack,
  fill: Parameters<typeof openFor>[3],
): Promise<ReturnType<typeof windows>> {
  const bot = windows(slack);
  await openFor(bot.services, click(kind), { title: DETAILS_TITLE }, fill);
  return bot;
}
type Slack = Parameters<typeof windows>[0] & { kind?: Parameters<typeof click>[0] };

const content = (options: readonly string[]): FormContent => ({
  title: 'A form',
  submit: 'Submit',
  state: '',
  blocks: [
    select({
      id: 'org',
      label: 'Org',
      options: options.map((text) => ({ text, value: text })),
      initial: options[0] ?? '',
    }),
    textInput({ id: 'name', label: 'Name', optional: true }),
  ],
});

const FORM: FormRoute = {
  actionId: 'sample.form',
  callbackId: 'sample.form',
  title: 'A form',
  fill: (_, show) => show(content(['acme', 'beta'])),
  submit: () => ({ errors: {} }),
};

const REVEAL: RevealRoute = {
  actionId: 'sample.reveal',
  title: 'A secret',
  take: () =>
    Promise.resolve({
      title: 'A secret',
      blocks: [section(mrkdwn`The secret`)],
      shown: () => Promise.resolve(),
      lost: () => Promise.resolve(),
    }),
};

/** A secret is asked for by a click; Slack confirms nothing that is shown with the secret in it. */
async function revealed(reveal: Partial<RevealRoute>, clicks = 1) {
  const bot = windows();
  routeReveal(bot.services, { ...REVEAL, ...reveal });
  const body = clickBody(REVEAL.actionId);
  const all = Array.from({ length: clicks }, () => bot.give('action', body));
  await Promise.all(all);
  return bot;
}

export const slackEdgeWindows: Area = {
  id: 'windows',
  title: 'Windows: still reading, refused, and not taken by Slack',
  entries: [
    modal('window-reading', 'Each window, at once after the click.', async () => {
      const bot = windows();
      await openModal(bot.services, { triggerId: 'trigger' }, DETAILS_TITLE).view;
      return bot.shown();
    }),
    modal('window-refused', 'The content of the window cannot be read.', async () =>
      (await opened({}, busy)).shown(),
    ),
    modal(
      'window-refused-later',
      'A form is open already, and its next fields cannot be read.',
      async () => {
        const bot = windows();
        const fill: FormRoute['fill'] = async (context, show) => {
          await FORM.fill(context, show);
          await busy();
        };
        await openForm(bot.services, { ...FORM, fill }, click());
        return bot.shown();
      },
    ),
    ...(['button', 'command'] as const).flatMap((kind) => [
      answer(
        `window-not-opened-${kind}`,
        `Slack did not open the window that a ${kind} asked for.`,
        async () => (await opened({ kind, open: fails }, () => Promise.resolve())).reported(),
      ),
      answer(
        `window-not-filled-${kind}`,
        `Slack did not take the content of the window that a ${kind} opened.`,
        async () =>
          (await opened({ kind, update: fails }, (show) => show(content(['acme'])))).reported(),
      ),
    ]),
    modal('window-secret-refused', 'A secret is not shown to a person.', async () =>
      (await revealed({ take: busy })).shown(),
    ),
    modal(
      'window-secret-not-confirmed',
      'Slack did not confirm that a secret was shown: the window, if it is still there.',
      async () => (await revealed({})).shown(),
    ),
    answer('window-secret-running', 'A button for a secret was clicked twice.', async () =>
      (await revealed({}, 2)).reported(),
    ),
    modal('window-nothing-to-choose', 'A form has a field with nothing to choose from.', () =>
      content([]),
    ),
    modal('window-too-long-to-choose', 'Each value of a field is too long for Slack.', () =>
      content(['x'.repeat(80), 'y'.repeat(80)]),
    ),
    modal('window-some-too-long-to-choose', 'Some values of a field are too long for Slack.', () =>
      content(['acme', 'y'.repeat(80)]),
    ),
    modal('window-many-to-choose', 'A field has more values than one list holds: groups.', () =>
      content(Array.from({ length: 130 }, (_, index) => `org-${index + 1}`)),
    ),
  ],
};
