import { MONEY_TASKS } from './money-tasks.ts';
import type { Place, TaskGroup } from './task.ts';
import { WORK_TASKS } from './work-tasks.ts';

/** What people come with, in the order in which they mostly do (design section 3). */
export const TASK_GROUPS: readonly TaskGroup[] = [...MONEY_TASKS, ...WORK_TASKS];

export const PLACES: readonly Place[] = [
  {
    place: 'Purser under Apps, Home',
    wish: 'what waits for you, at one look',
    words: 'home tab app overview dashboard start me mine my roles requests spend watches',
  },
];
