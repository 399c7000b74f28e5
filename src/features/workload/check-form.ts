import { settledWithin } from '../../lib/patience.ts';
import { Refusal } from '../../lib/refusal.ts';
import type { Brand } from '../../platform/workload/brand.ts';
import { fileInput, textInput } from '../../slack/kit/index.ts';
import type { ReadFile } from '../../slack/read-file.ts';
import type { Answer, FormContent, FormRoute, FormValues, Person } from '../../slack/routes.ts';
import { ReportFailed } from '../report-failed.ts';
import type { CheckJob, CheckReport } from './check-report.ts';
import { CHECK_ACTION } from './check-view.ts';

export interface CheckFormDeps {
  brand: Brand;
  /** Whether a person may ask what needs org permissions. @throws Refusal */
  requireOrgAccess: (person: Person) => Promise<void>;
  readFile: ReadFile;
  /** Checks a manifest, in another thread. @throws ReportFailed */
  check: (job: CheckJob) => Promise<CheckReport>;
}

/** A form has to be taken at once; what a longer check finds is an answer of its own. Milliseconds. */
const FORM_WAITS_MS = 1_000;

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
      const given = readGiven(values);
      if ('error' in given) return { errors: { [MANIFEST]: given.error } };
      if ('file' in given) return { answer: () => answerToFile(deps, given.file, person) };
      const checking = checkOf(deps, given.text);
      if (!(await settledWithin(checking, FORM_WAITS_MS))) {
        return { answer: async () => answerOf(await checking, 'manifest') };
      }
      const report = await checking;
      if ('answer' in report) return { answer: () => Promise.resolve(report.answer) };
      const { line, says } = report.unreadable;
      return { errors: { [MANIFEST]: `Line ${line} ${says}.` } };
    },
  };
}

/** @throws Refusal when it is too much to be checked */
async function checkOf({ check, brand }: CheckFormDeps, text: string): Promise<CheckReport> {
  try {
    return await check({ text, prefix: brand.prefix });
  } catch (error) {
    if (!(error instanceof ReportFailed)) throw error;
    throw error.reason === 'too-large' ? new Refusal(TOO_LARGE) : error.refusal();
  }
}

const TOO_LARGE = 'That manifest is more than can be checked at once: check a part of it.';

/** @throws Refusal with the line that cannot be read */
function answerOf(report: CheckReport, what: 'file' | 'manifest'): Answer {
  if ('answer' in report) return report.answer;
  const { line, says } = report.unreadable;
  throw new Refusal(`Line ${line} of the ${what} ${says}. Mend it, and check it again.`);
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
async function answerToFile(deps: CheckFormDeps, file: string, { userId }: Person) {
  return answerOf(await checkOf(deps, await deps.readFile(file, userId)), 'file');
}
