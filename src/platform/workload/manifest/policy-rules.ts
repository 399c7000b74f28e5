import { isTemplate, itemsOf } from '../node.ts';
import { isSecretPolicy, list, type Rule, unmet, value } from './facts.ts';

/** Of policies that are to reveal secrets to workloads. */
// One line for path, severity, sentence and fix, then the condition.
// prettier-ignore
export const POLICY_RULES: readonly Rule[] = [
  { path: 'bindings[].principalLinks[]', kind: 'policy', severity: 'warning', says: 'is {it}, and an identity is named with its GVC', fix: 'write `//gvc/GVC/identity/NAME`',
    when: (node, at) => isSecretPolicy(at) && value(node)?.startsWith('//identity/') === true },
  { path: 'bindings[].permissions', kind: 'policy', severity: 'warning', says: 'has neither `reveal` nor `manage`, and an identity cannot read a secret without', fix: 'add `reveal`',
    when: (node, at) =>
      isSecretPolicy(at) &&
      list(at.up[0], 'principalLinks').some((one) => /\/identity\//.test(value(one) ?? '')) &&
      !itemsOf(node).some((one) => isTemplate(one) || ['reveal', 'manage'].includes(value(one) ?? '')),
  },
  { path: 'targetKind', kind: 'policy', severity: 'warning', says: 'is secret, and `targetLinks` lacks the secret {0}, which {1} uses with an identity of this policy', fix: 'add the secret to `targetLinks`',
    when: (_, at) => isSecretPolicy(at) && unmet(at) },
];
