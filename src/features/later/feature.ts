import type { CommandHelp } from '../../slack/routes.ts';
import type { Feature } from '../feature.ts';
import { COMING, notThereYet } from '../not-there-yet.ts';

/** Commands of the manifest whose feature is not built yet, and what they will be for. */
const LATER: readonly { command: string; summary: string }[] = [
  { command: '/workload', summary: 'Addresses, variables, tags, rollout plans, manifest checks.' },
];

/** One friendly line instead of silence. */
export function createLaterFeature(): Feature {
  return {
    name: 'later',
    commands: LATER.map(({ command, summary }) => ({
      help: helpOf(command, summary),
      run: () => {
        throw notThereYet(command, '/purser help');
      },
    })),
  };
}

function helpOf(command: string, summary: string): CommandHelp {
  return {
    command,
    summary: `${summary} Not there yet: ${COMING}.`,
    usages: [{ text: `${command} help`, does: 'this line' }],
    later: true,
    examples: ['/purser help'],
  };
}
