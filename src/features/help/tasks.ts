import { MONEY_TASKS } from './money-tasks.ts';
import type { TaskGroup } from './task.ts';
import { WORK_TASKS } from './work-tasks.ts';

/** What people come with, in the order in which they mostly do (design section 3). */
export const TASK_GROUPS: readonly TaskGroup[] = [...MONEY_TASKS, ...WORK_TASKS];
