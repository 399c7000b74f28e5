// The decisions of setup.mjs as pure functions: nothing here touches the machine.

const OLDEST_NODE = [20, 19];

/** Where promtool is unpacked, below the repository. */
export const PROMTOOL = '.tmp/promtool/usr/bin/promtool';

/** Programs that Purser needs beside Node, and where they come from. */
export const tools = {
  redis: {
    name: 'Redis',
    variable: 'REDIS_URL',
    programs: ['redis-server', 'valkey-server'],
    packages: {
      'apt-get': ['redis-server', 'valkey-server'],
      dnf: ['valkey', 'redis'],
      apk: ['redis', 'valkey'],
      brew: ['redis'],
    },
    remedy: 'install redis-server or valkey-server, or set REDIS_URL to a server of yours',
  },
  chromium: {
    name: 'Chromium',
    variable: 'CHROMIUM_PATH',
    // The one without windows loads a page in half the time.
    programs: [
      'chromium-headless-shell',
      'chromium',
      'chromium-browser',
      'google-chrome',
      '/Applications/Chromium.app/Contents/MacOS/Chromium',
      '/Applications/Google Chrome.app/Contents/MacOS/Google Chrome',
    ],
    packages: {
      'apt-get': ['chromium-headless-shell', 'chromium', 'chromium-browser'],
      dnf: ['chromium'],
      apk: ['chromium'],
      brew: ['chromium'],
    },
    remedy: 'install chromium or google-chrome, or set CHROMIUM_PATH to a browser of yours',
  },
};

const managers = {
  'apt-get': {
    refresh: ['apt-get', 'update', '-qq'],
    install: [
      'env',
      'DEBIAN_FRONTEND=noninteractive',
      'apt-get',
      'install',
      '-y',
      '-qq',
      '--no-install-recommends',
    ],
    needsRoot: true,
  },
  dnf: { install: ['dnf', 'install', '-y', '-q'], needsRoot: true },
  apk: { install: ['apk', 'add', '--no-cache', '-q'], needsRoot: true },
  brew: { install: ['brew', 'install', '--quiet'], needsRoot: false },
};

/** One sentence when this Node is too old to run Purser, else nothing. */
export function nodeProblem(version) {
  const [major = 0, minor = 0] = version.split('.').map(Number);
  const [oldestMajor, oldestMinor] = OLDEST_NODE;
  if (major > oldestMajor || (major === oldestMajor && minor >= oldestMinor)) return undefined;
  return `Purser needs Node ${OLDEST_NODE.join('.')} or newer, and this is Node ${version}.`;
}

/**
 * Whether `npm ci` has to run: compares package-lock.json with npm's own record of what it installed
 * (node_modules/.package-lock.json). Optional packages may be missing, since npm leaves out those of
 * other platforms, except the ones that the project itself names.
 */
export function packagesAreOutdated(lock, installed) {
  if (!installed) return true;
  const named = lock.packages['']?.optionalDependencies ?? {};
  return Object.entries(lock.packages).some(([path, wanted]) => {
    if (path === '') return false;
    const present = installed.packages[path];
    if (present)
      return present.version !== wanted.version || present.integrity !== wanted.integrity;
    return !wanted.optional || path.replace('node_modules/', '') in named;
  });
}

/**
 * How to install a tool that is missing: the commands to try in order until one works, or undefined
 * when this machine has no way. `machine` is `{ has(program), isRoot, isInteractive }`.
 */
export function installPlan(tool, machine) {
  const name = Object.keys(managers).find((program) => machine.has(program));
  if (!name) return undefined;
  const { refresh, install, needsRoot } = managers[name];
  const rootless = needsRoot && !machine.isRoot;
  if (rootless && !machine.has('sudo')) return undefined;
  // Without a terminal no one can type a password: sudo has to refuse instead of waiting.
  const prefix = rootless ? ['sudo', ...(machine.isInteractive ? [] : ['-n'])] : [];
  return {
    announcement: `Installing ${tool.name} with ${[...prefix, name].join(' ')} ...`,
    ...(refresh && { refresh: [...prefix, ...refresh] }),
    attempts: tool.packages[name].map((pkg) => [...prefix, ...install, pkg]),
  };
}

/** The error for a tool that is neither there nor to be had: every way out, in one sentence. */
export function missingMessage(tool) {
  return (
    `${tool.name} is missing and could not be installed: ${tool.remedy}, ` +
    `or run this again as root or with sudo and a package manager (apt-get, dnf, apk, brew).`
  );
}
