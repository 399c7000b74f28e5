import { settledWithin } from '../../lib/time.ts';
import { Refusal } from '../../lib/errors.ts';
import { ReportFailed } from '../../lib/threads.ts';
import type { Services } from '../../services.ts';
import { warningAnswer } from '../../slack/replies/reply.ts';
import { fileInput, textInput } from '../../slack/kit/inputs.ts';
import type {
  Answer,
  FormContent,
  FormRoute,
  FormValues,
  Person,
} from '../../slack/routing/routes.ts';
import { CHECK_ACTION, CHECK_ANOTHER } from './check-view.ts';
import type { CheckJob, CheckReport } from './check-report.ts';

type CheckServices = Pick<Services, 'config' | 'access' | 'readFile' | 'reports'>;

/** Slack waits this long for a form; a longer check answers later, as a message. Milliseconds. */
const FORM_TIMEOUT_MS = 1_000;

const TITLE = 'Check a manifest';
const MANIFEST = 'workload-manifest';
const FILE = 'workload-file';

/** A field takes 3,000 characters; longer manifests come as a file. */
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
export function createCheckForm(services: CheckServices): FormRoute {
  return {
    actionId: CHECK_ACTION,
    callbackId: CHECK_ACTION,
    title: TITLE,
    async fill({ person }, show) {
      await services.access.requireOrgAccess(person);
      await show(FORM);
    },
    async submit({ person, values }) {
      await services.access.requireOrgAccess(person);
      const given = readGiven(values);
      if ('error' in given) return { errors: { [MANIFEST]: given.error } };
      if ('file' in given) return { answer: () => answerToFile(services, given.file, person) };
      const checking = checkOf(services, given.text);
      if (!(await settledWithin(checking, FORM_TIMEOUT_MS))) {
        return { answer: async () => answerOf(await checking, 'manifest') };
      }
      const report = await checking;
      if ('answer' in report) return { answer: () => Promise.resolve(report.answer) };
      const { line, says } = report.unreadable;
      return { errors: { [MANIFEST]: `Line ${line} ${says}.` } };
    },
  };
}

/** @throws Refusal for a manifest that is too large */
async function checkOf({ config, reports }: CheckServices, text: string): Promise<CheckReport> {
  const job: CheckJob = { text, prefix: config.brand.prefix };
  try {
    return (await reports.run({ kind: 'check', job, bytes: text.length })) as CheckReport;
  } catch (error) {
    if (!(error instanceof ReportFailed)) throw error;
    throw error.reason === 'too-large' ? new Refusal(TOO_LARGE) : error.refusal();
  }
}

const TOO_LARGE = 'That manifest is too large to be checked at once: check a smaller part.';

/** A text that cannot be read is answered with its line. */
function answerOf(report: CheckReport, what: 'file' | 'manifest'): Answer {
  if ('answer' in report) return report.answer;
  const { line, says } = report.unreadable;
  return { ...warningAnswer(`Line ${line} of the ${what} ${says}.`), buttons: [CHECK_ANOTHER] };
}

type Given = { text: string } | { file: string } | { error: string };

function readGiven(values: FormValues): Given {
  const text = [values[MANIFEST] ?? ''].flat().join('\n');
  const [file, second] = [values[FILE] ?? []].flat();
  const isTyped = text.trim() !== '';
  if (second !== undefined) return { error: 'Only one file at a time: take the others out.' };
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

/** Reading a file may take longer than Slack waits for a form, so its problems come as an answer. */
async function answerToFile(services: CheckServices, file: string, { userId }: Person) {
  return answerOf(await checkOf(services, await services.readFile(file, userId)), 'file');
}
