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
}

export function summaryOf(
  runs: readonly TestRun[],
  isStrict: boolean,
): { skipped: string[]; failed: string[]; line: string; isRed: boolean };
