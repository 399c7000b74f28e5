import { envAnswer } from '../../../../src/features/workload/env-view.ts';
import { tagsAnswer } from '../../../../src/features/workload/tags-view.ts';
import type { Brand } from '../../../../src/platform/workload/addresses.ts';
import type { Answer } from '../../../../src/slack/routing/routes.ts';

const SVC: Brand = { prefix: 'svc', orgEndpointPrefixes: new Map() };

/** What `/workload tags [WORD]` says, line by line. */
export function tagLines(word?: string, brand: Partial<Brand> = {}): string[] {
  return linesOf(tagsAnswer({ brand: { ...SVC, ...brand }, word }));
}

/** What `/workload env [WORD]` says, line by line. */
export function envLines(word?: string, brand: Partial<Brand> = {}): string[] {
  return linesOf(envAnswer({ brand: { ...SVC, ...brand }, word }));
}

/** What a person reads of one tag: its line in the list of all, and all about it. */
export function tag(name: string): string[] {
  const inList = tagLines().filter((line) => line.startsWith(`• \`svc/${name}\` `));
  return [...inList, ...tagLines(`svc/${name}`)].filter((line) => !line.startsWith('Also '));
}

/** With what a button opens. */
function linesOf({ blocks, rest }: Answer): string[] {
  return textsIn([...blocks, ...(rest?.blocks ?? [])]).flatMap((text) => text.split('\n'));
}

function textsIn(value: unknown): string[] {
  if (Array.isArray(value)) return value.flatMap(textsIn);
  if (typeof value !== 'object' || value === null) return [];
  if ('type' in value && value.type === 'mrkdwn' && 'text' in value) return [String(value.text)];
  return Object.values(value).flatMap(textsIn);
}
