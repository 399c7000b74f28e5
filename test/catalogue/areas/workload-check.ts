import { CHECK_ACTION } from '../../../src/features/workload/check-view.ts';
import type { ActionContext, FormContent } from '../../../src/slack/routing/routes.ts';
import { answer, modal, refusal, type Area, type Entry } from '../entry.ts';
import { formIn, PERSON, type World } from './workload-data.ts';

const MANIFEST = 'workload-manifest';
const FILE = 'workload-file';

/** The answer to the form with these values. */
async function handedIn(values: Readonly<Record<string, string | string[]>>, world?: World) {
  return formIn(world).submit({ person: PERSON, values, state: '' });
}

/** The answer to a manifest that is pasted. */
export function pasted(id: string, when: string, manifest: string): Entry {
  return answer(`workload-check-${id}`, when, () => answerTo({ [MANIFEST]: manifest }));
}

async function answerTo(values: Readonly<Record<string, string | string[]>>, world?: World) {
  const verdict = await handedIn(values, world);
  const said = 'answer' in verdict ? await verdict.answer() : undefined;
  if (said === undefined) throw new Error('This has no answer');
  return said;
}

/** The sentence below the field for a manifest; it keeps the form open. */
function notTaken(
  id: string,
  when: string,
  values: Readonly<Record<string, string | string[]>>,
): Entry {
  return refusal(`workload-check-${id}`, `Below the field of the form: ${when}`, async () => {
    const verdict = await handedIn(values);
    return 'errors' in verdict ? verdict.errors[MANIFEST] : undefined;
  });
}

/** The same for a pasted text. */
export function unreadable(id: string, when: string, manifest: string): Entry {
  return notTaken(`unreadable-${id}`, when, { [MANIFEST]: manifest });
}

/** The answer to a file that is no manifest. @param what it is or has, as the end of a sentence */
export function unreadableFile(id: string, what: string, text: string): Entry {
  return answer(`workload-check-unreadable-${id}`, `The file ${what}.`, () =>
    answerTo({ [FILE]: ['F0CART'] }, asFile(text)),
  );
}

async function opened(context: ActionContext): Promise<FormContent> {
  let shown: FormContent | undefined;
  const show = async (content: FormContent): Promise<void> => {
    shown = content;
  };
  await formIn().fill(context, show);
  if (shown === undefined) throw new Error(`${CHECK_ACTION} shows nothing`);
  return shown;
}

function asFile(text: string): World {
  return { readFile: () => Promise.resolve(text) };
}

const SMALL = 'kind: workload\nname: cart\nspec:\n  defaultOptions:\n    timeoutSeconds: 900';

export const workloadCheckForm: Area = {
  id: 'workload-check-form',
  title: '/workload check: the form',
  entries: [
    modal(
      'workload-check-form-open',
      'A person types /workload check, or clicks Check another.',
      () => opened({ person: PERSON, channelId: 'C0OPS', value: '' }),
    ),
    notTaken('form-empty', 'Nothing is filled in.', { [MANIFEST]: ' ' }),
    notTaken('form-two-files', 'Two files are chosen.', { [FILE]: ['F0CART', 'F0SHOP'] }),
    notTaken('form-both', 'There is a text and a file.', { [MANIFEST]: SMALL, [FILE]: ['F0CART'] }),
    answer('workload-check-file', 'A manifest is handed in as a file.', () =>
      answerTo({ [FILE]: ['F0CART'] }, asFile(SMALL)),
    ),
    refusal('workload-check-too-large', 'It takes more memory than a check may.', () =>
      handedIn({ [MANIFEST]: SMALL }, { isTooMuch: true }),
    ),
    unreadableFile('file', 'is indented by a tab', 'kind: workload\nspec:\n\ttimeoutSeconds: 5'),
  ],
};
