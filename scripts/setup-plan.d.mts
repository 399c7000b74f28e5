export interface Tool {
  name: string;
  variable: string;
  programs: string[];
  packages: Record<'apt-get' | 'dnf' | 'apk' | 'brew', string[]>;
  remedy: string;
}

export interface Lockfile {
  packages: Record<
    string,
    {
      version?: string;
      integrity?: string;
      optional?: boolean;
      optionalDependencies?: Record<string, string>;
    }
  >;
}

export interface Machine {
  has: (program: string) => boolean;
  isRoot: boolean;
  isInteractive: boolean;
}

export interface InstallPlan {
  announcement: string;
  refresh?: string[];
  attempts: string[][];
}

export const PROMTOOL: string;
export const tools: { redis: Tool; chromium: Tool };
export function nodeProblem(version: string): string | undefined;
export function packagesAreOutdated(lock: Lockfile, installed: Lockfile | undefined): boolean;
export function installPlan(tool: Tool, machine: Machine): InstallPlan | undefined;
export function missingMessage(tool: Tool): string;
