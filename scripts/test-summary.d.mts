export interface TestRun {
  files: readonly {
    name: string;
    status: string;
    message?: string;
    assertionResults: readonly {
      fullName: string;
      status: string;
      failureMessages?: readonly string[];
    }[];
  }[];
  isWell: boolean;
  node: string;
  unsteady?: readonly string[];
}

export function failedFilesOf(run: TestRun): string[];

export function mergedWith(first: TestRun, second: TestRun): TestRun;

export function summaryOf(
  runs: readonly TestRun[],
  isStrict: boolean,
): { skipped: string[]; unsteady: string[]; failed: string[]; line: string; isRed: boolean };
