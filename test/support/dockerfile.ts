import { readFileSync } from 'node:fs';

interface Instruction {
  readonly name: string;
  readonly value: string;
}

export type Stage = readonly Instruction[];

/**
 * The stages of the Dockerfile, each with its instructions; comments gone, long lines joined. The first has the lines
 * before them.
 */
export function stagesOfImage(): Stage[] {
  const dockerfile = readFileSync(new URL('../../Dockerfile', import.meta.url), 'utf8');
  const stages: Instruction[][] = [[]];
  const lines = dockerfile.replaceAll(/^#.*\n/gm, '').replaceAll(/\\\n\s*/g, '');
  for (const line of lines.split('\n').filter((one) => one !== '')) {
    const [name = '', ...rest] = line.split(' ');
    if (name === 'FROM') stages.push([]);
    stages.at(-1)?.push({ name, value: rest.join(' ').trim() });
  }
  return stages;
}

/** The arguments of every instruction of this name. */
export const valuesOf = (stage: Stage, name: string): string[] =>
  stage.filter((one) => one.name === name).map(({ value }) => value);
