import { checkManifest } from '../../../../src/platform/workload/check.ts';
import type { Finding } from '../../../../src/platform/workload/finding.ts';

/** The findings in a manifest that can be read. */
export function checked(text: string, prefix = 'svc') {
  const result = checkManifest(text, prefix);
  if ('unreadable' in result)
    throw new Error(`Line ${result.unreadable.line} ${result.unreadable.says}`);
  return result;
}

/** The findings below a path of a workload with these lines below `spec:`. */
export function inSpec(path: string, ...spec: readonly string[]): string[] {
  const text = ['name: web', 'spec:', ...spec.map((line) => `  ${line}`)];
  return said(checked(text.join('\n')).findings.filter((one) => one.path.startsWith(path)));
}

/** The findings at the tags of a workload with these lines below `tags:`. */
export function inTags(...tags: readonly string[]): string[] {
  const text = ['name: web', 'tags:', ...tags.map((line) => `  ${line}`)];
  return said(checked(text.join('\n')).findings);
}

/** Each finding as `severity what → fix`. */
function said(findings: readonly Finding[]): string[] {
  return findings.map(
    ({ severity, what, fix }) => `${severity} ${what}${fix === undefined ? '' : ` → ${fix}`}`,
  );
}
