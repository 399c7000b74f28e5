export interface TestRun {
  files: readonly {
    name: string;
    status: string;
    assertionResults: readonly { fullName: string; status: string }[];
  }[];
  isWell: boolean;
}

export function summaryOf(
  runs: readonly TestRun[],
  isStrict: boolean,
): { skipped: string[]; line: string; isRed: boolean };
