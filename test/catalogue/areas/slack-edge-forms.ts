import { routeForm } from '../../../src/slack/routing/windows.ts';
import { section } from '../../../src/slack/kit/blocks.ts';
import { select } from '../../../src/slack/kit/inputs.ts';
import { mrkdwn } from '../../../src/slack/kit/text.ts';
import { viewOf } from '../../../src/slack/routing/modals.ts';
import type { FormContent, FormRoute, FormVerdict } from '../../../src/slack/routing/routes.ts';
import { answer, direct, modal, type Area } from '../entry.ts';
import { ADA, BUSY, clickBody, hurried, slackSays, windows } from './slack-edge-data.ts';

const FIELD = 'sample.org';

const content = (): FormContent => ({
  title: 'A form',
  submit: 'Submit',
  state: '',
  blocks: [
    select({
      id: FIELD,
      label: 'Org',
      refills: true,
      options: ['acme', 'beta'].map((text) => ({ text, value: text })),
      initial: 'acme',
    }),
  ],
});

function form(over: Partial<FormRoute>): FormRoute {
  return {
    actionId: 'sample.form',
    callbackId: 'sample.submit',
    title: 'A form',
    fields: [FIELD],
    fill: (_, show) => show(content()),
    submit: () => ({ errors: {} }),
    ...over,
  };
}

/** A form as Slack hands it over. */
function viewBody({ blocks, ...rest }: FormContent): object {
  const view = viewOf({ ...rest, blocks, metadata: '{"state":""}', callbackId: 'sample.submit' });
  return { ...view, id: 'V1', hash: 'h', state: { values: {} } };
}

/** A form without a field is submitted: there is no place for an error in it. */
async function submitted(submit: FormRoute['submit']) {
  const bot = windows();
  routeForm(bot.services, form({ submit }));
  const view = viewBody({ ...content(), blocks: [section(mrkdwn`Sure?`)] });
  await hurried(() =>
    bot.give('view', {
      type: 'view_submission',
      user: { id: ADA.userId, team_id: ADA.teamId },
      team: { id: ADA.teamId },
      view,
    }),
  );
  return bot.reported();
}

/** A person chose something in a form on which other fields depend, and that fails. */
async function chosen(slack: Parameters<typeof windows>[0]) {
  const bot = windows(slack);
  routeForm(bot.services, form({ refill: () => Promise.reject(BUSY) }));
  await bot.give('action', clickBody(FIELD, { view: viewBody(content()) }));
  return bot;
}

export const slackEdgeForms: Area = {
  id: 'forms',
  title: 'Forms: failures',
  entries: [
    modal(
      'form-choice-refused',
      'The fields for a choice in a form cannot be read: the form is unchanged.',
      async () => (await chosen({})).shown(),
    ),
    direct(
      'form-choice-not-followed',
      'Slack did not take the fields for a choice in a form.',
      async () =>
        (await chosen({ update: () => Promise.reject(slackSays('fatal_error')) })).reported(),
    ),
    answer(
      'form-too-slow',
      'A form was not judged in the time that Slack gives; below its first field if it has one.',
      () => submitted(() => new Promise<FormVerdict>(() => undefined)),
    ),
    answer(
      'form-unclear',
      'A form is refused without a word; below its first field if it has one.',
      () => submitted(() => ({ errors: {} })),
    ),
    answer(
      'form-failed',
      'The platform is away when a form is submitted; below its first field if it has one.',
      () => submitted(() => Promise.reject(BUSY)),
    ),
  ],
};
