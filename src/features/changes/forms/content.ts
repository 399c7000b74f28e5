import { z } from 'zod';
import { revealed } from '../../../lib/lookalikes.ts';
import {
  checkboxes,
  context,
  dateInput,
  emailInput,
  lines,
  mrkdwn,
  numberInput,
  select,
  textInput,
} from '../../../slack/kit/index.ts';
import type { FormContent } from '../../../slack/routes.ts';
import type { FormField, FormView, Given } from './form.ts';

/** How a form is sent off, by whether somebody has to approve what it asks for. */
const ENDS = {
  approved: {
    submit: 'Request',
    note: 'Nothing is changed before a second person has approved it.',
  },
  atOnce: {
    submit: 'Change now',
    note: 'Approvals are off: this is carried out as soon as you submit.',
  },
} as const;

/** A request form as blocks. Pure. @param approvalsRequired APPROVALS is not `off` */
export function contentOf(title: string, view: FormView, approvalsRequired: boolean): FormContent {
  const { submit, note } = approvalsRequired ? ENDS.approved : ENDS.atOnce;
  const { notes, consequences, fields, memory } = view;
  return {
    title,
    submit,
    blocks: [
      ...(notes.length === 0 ? [] : [lines(notes.map((text) => mrkdwn`${revealed(text)}`))]),
      ...fields.map(blockOf),
      context(...[...consequences, note].map((text) => mrkdwn`${text}`)),
    ],
    state: JSON.stringify(memory),
  };
}

/** The value of the one box of a flag. */
const TICKED = 'yes';

function blockOf(field: FormField): FormContent['blocks'][number] {
  switch (field.type) {
    case 'number':
      return numberInput({ ...field, decimals: true });
    case 'text':
      return textInput(field);
    case 'email':
      return emailInput(field);
    case 'date':
      return dateInput(field);
    case 'flag': {
      const { id, label, hint, text, initial } = field;
      return checkboxes({
        id,
        label,
        // A box that may stay empty.
        optional: true,
        options: [{ text, value: TICKED }],
        initial: initial ? [TICKED] : [],
        ...(hint !== undefined && { hint }),
      });
    }
    case 'boxes':
      return checkboxes(field);
    case 'choice':
      return select(field);
  }
}

const Texts = z.record(z.string(), z.unknown());

/** The texts by name in what came back from Slack, as a button's value or a form's state; rubbish is none. */
export function textsIn(text: string | undefined): Given {
  try {
    const said = Texts.safeParse(JSON.parse(text ?? '')).data ?? {};
    const texts = Object.entries(said).filter((entry) => typeof entry[1] === 'string');
    return Object.fromEntries(texts) as Given;
  } catch {
    return {};
  }
}
