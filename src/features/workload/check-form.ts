import { Refusal } from '../../lib/refusal.ts';
import type { Brand } from '../../platform/workload/brand.ts';
import { checkManifest } from '../../platform/workload/check.ts';
import { fileInput, textInput } from '../../slack/kit/index.ts';
import type { ReadFile } from '../../slack/read-file.ts';
import type { FormContent, FormRoute, FormValues, Person } from '../../slack/routes.ts';
import { CHECK_ACTION, checkAnswer } from './check-view.ts';

export interface CheckFormDeps {
  brand: Brand;
  /** Whether a person may ask what needs org permissions. @throws Refusal */
  requireOrgAccess: (person: Person) => Promise<void>;
  readFile: ReadFile;
}

const TITLE = 'Check a manifest';
const MANIFEST = 'workload-manifest';
const FILE = 'workload-file';

/** What Slack takes in a field; what is longer comes as a file. */
const FORM: FormContent = {
  title: TITLE,
  submit: 'Check',
  state: '',
  blocks: [
    textInput({
      id: MANIFEST,
      label: 'Manifest',
      hint: 'YAML or JSON, at most 3,000 characters: a longer one goes in as a file. Purser keeps neither.',
      multiline: true,
      optional: true,
    }),
    fileInput({
      id: FILE,
      label: 'File',
      hint: 'In place of the text above, at most 512 KB.',
      filetypes: ['yaml', 'yml', 'json', 'txt'],
      maxFiles: 1,
      optional: true,
    }),
  ],
};

/** `/workload check`: a manifest, pasted or as a file, against spec 2.13, 2.16 and 8. */
export function createCheckForm(deps: CheckFormDeps): FormRoute {
  return {
    actionId: CHECK_ACTION,
    callbackId: CHECK_ACTION,
    title: TITLE,
    async fill({ person }, show) {
      await deps.requireOrgAccess(person);
      await show(FORM);
    },
    async submit({ person, values }) {
      await deps.requireOrgAccess(person);
      const { prefix } = deps.brand;
      const given = readGiven(values);
      if ('error' in given) return { errors: { [MANIFEST]: given.error } };
      if ('file' in given) return { answer: () => answerToFile(deps, given.file, person) };
      const checked = checkManifest(given.text, prefix);
      if ('unreadable' in checked) {
        const { line, says } = checked.unreadable;
        return { errors: { [MANIFEST]: `Line ${line} ${says}.` } };
      }
      return { answer: () => Promise.resolve(checkAnswer({ checked, prefix })) };
    },
  };
}

type Given = { text: string } | { file: string } | { error: string };

function readGiven(values: FormValues): Given {
  const text = [values[MANIFEST] ?? ''].flat().join('\n');
  const [file, second] = [values[FILE] ?? []].flat();
  const isTyped = text.trim() !== '';
  if (second !== undefined) return { error: 'One file at a time is checked: take the others out.' };
  if (file === undefined) {
    return isTyped ? { text } : { error: 'Paste a manifest here, or choose a file below.' };
  }
  if (isTyped) {
    return {
      error: 'There is a manifest here and a file below: empty this field, or take the file out.',
    };
  }
  return { file };
}

/** Slack waits for a form, and not as long as a file may take: what is wrong with it is an answer. */
async function answerToFile({ readFile, brand }: CheckFormDeps, file: string, { userId }: Person) {
  const checked = checkManifest(await readFile(file, userId), brand.prefix);
  if ('unreadable' in checked) {
    const { line, says } = checked.unreadable;
    throw new Refusal(`Line ${line} of the file ${says}. Mend it, and check it again.`);
  }
  return checkAnswer({ checked, prefix: brand.prefix });
}
