import { stripControl, truncate } from '../lib/text.ts';

/** An entry of `LINKS`: the label of its button, and its address with placeholders. */
interface ConfiguredLink {
  readonly name: string;
  readonly template: string;
}

const PLACEHOLDER = /\{([^{}]*)\}/g;
const PLACEHOLDERS = ['org', 'gvc', 'workload', 'location', 'version', 'start', 'end'];
const KNOWN = PLACEHOLDERS.map((word) => `{${word}}`).join(' ');

/** More buttons than these hide the message. */
const MAX_LINKS = 5;
/** Characters on a button. */
const NAME_LENGTH = 75;
/** Slack takes addresses of 3,000 characters; the rest is for the values. */
const TEMPLATE_LENGTH = 2_000;

/**
 * Reads `LINKS`, a JSON object of names and https addresses. Problems go to `problem` with the name of the link; no
 * address is quoted, since it may contain a key.
 */
export function parseLinks(text: string, problem: (message: string) => void): ConfiguredLink[] {
  const entries = toEntries(text);
  if (entries === undefined) {
    problem(
      'give a JSON object of names and https addresses, {"Logs":"https://logs.example.com/{gvc}/{workload}?from={start}&to={end}"}',
    );
    return [];
  }
  if (entries.length > MAX_LINKS) {
    problem(`has ${entries.length} links: keep at most ${MAX_LINKS}`);
  }
  return entries.flatMap(([name, template]) => {
    const problems = [...nameProblems(name), ...templateProblems(template)];
    const quoted = JSON.stringify(truncate(name, 30));
    for (const message of problems) problem(`${quoted}: ${message}`);
    return typeof template === 'string' ? [{ name, template }] : [];
  });
}

function toEntries(text: string): [string, unknown][] | undefined {
  try {
    const read: unknown = JSON.parse(text);
    const isObject = typeof read === 'object' && read !== null && !Array.isArray(read);
    return isObject ? Object.entries(read) : undefined;
  } catch {
    return undefined;
  }
}

function nameProblems(name: string): string[] {
  if (stripControl(name).trim() === '') return ['give it a name, which is the label of its button'];
  return name.length > NAME_LENGTH
    ? [`its name has ${name.length} characters, and a button has room for ${NAME_LENGTH}`]
    : [];
}

function templateProblems(template: unknown): string[] {
  if (typeof template !== 'string') return ['give a text with its address'];
  const host = /^https:\/\/([^/?#\\]+)/i.exec(template)?.[1];
  if (host === undefined) {
    return ['its address has to begin with https:// and the name of a host'];
  }
  const words = new Set([...template.matchAll(PLACEHOLDER)].map(([, word = '']) => word));
  const unknown = [...words].filter((word) => !PLACEHOLDERS.includes(word));
  const mistakes: [isMade: boolean, problem: string][] = [
    [
      /[{}]/.test(host),
      'the host of its address is always the same: put placeholders behind the / after it',
    ],
    [
      host.includes('@'),
      'its address has a user name or a password, which everybody could read: leave them out',
    ],
    [
      /[{}]/.test(template.replace(PLACEHOLDER, '')),
      'its address has a brace without its other half: write a brace of the address as %7B or %7D',
    ],
    ...unknown.map((word): [boolean, string] => [
      true,
      `{${truncate(word, 30)}} is no placeholder, choose from ${KNOWN}`,
    ]),
    [
      /[\s\\]/.test(template),
      'its address has a space, a line break or a backslash: write them as %20, %0A, %5C',
    ],
    [
      /%(?![\da-f]{2})/i.test(template),
      'its address has a % without two digits behind it: write it as %25',
    ],
    [
      template.length > TEMPLATE_LENGTH,
      `its address has ${template.length} characters: keep at most ${TEMPLATE_LENGTH}, so that the values have room`,
    ],
  ];
  const problems = mistakes.flatMap(([isMade, problem]) => (isMade ? [problem] : []));
  if (problems.length > 0 || URL.canParse(template.replace(PLACEHOLDER, 'sample'))) return problems;
  return ['a browser cannot open its address: check host and port'];
}
