import { secretVariables, variables } from './config-variables.ts';
import type { VariableName } from './config-variables.ts';

export type Environment = Readonly<Record<string, string | undefined>>;
export type ReadFile = (path: string) => string;
/** The variables that are set, as they were written. */
export type Texts = Partial<Record<VariableName, string>>;

export interface Problem {
  readonly name: VariableName;
  readonly message: string;
}

export const variableNames = Object.keys(variables) as VariableName[];

/** Collects what is set: variables, and the files that `NAME_FILE` names for secrets. */
export function readTexts(
  env: Environment,
  readFile: ReadFile,
): { texts: Texts; problems: Problem[] } {
  const texts: Texts = {};
  const problems: Problem[] = [];
  for (const name of variableNames) {
    const text = env[name];
    if (text) texts[name] = text;
  }

  for (const name of secretVariables) {
    const path = env[`${name}_FILE`];
    if (!path) continue;
    if (texts[name] !== undefined) {
      problems.push({ name, message: `is set together with ${name}_FILE: keep one of them` });
      continue;
    }
    const text = readSecretFile(path, readFile);
    if (text) texts[name] = text;
    else problems.push({ name, message: `${name}_FILE must name a readable file with the value` });
  }
  return { texts, problems };
}

/** Undefined when it cannot be read; editors end a file with a line break that is not meant. */
function readSecretFile(path: string, readFile: ReadFile): string | undefined {
  try {
    return readFile(path).replace(/(?:\r?\n)+$/, '');
  } catch {
    return undefined;
  }
}

/** Each variable by its own rule. A value that breaks it is left out; `known` as below. */
