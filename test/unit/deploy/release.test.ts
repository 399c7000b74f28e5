import { spawnSync } from 'node:child_process';
import { mkdtempSync, readdirSync, readFileSync, rmSync } from 'node:fs';
import { tmpdir } from 'node:os';
import { join } from 'node:path';
import { fileURLToPath } from 'node:url';
import { afterAll, beforeAll, describe, expect, test } from 'vitest';
import { parse } from 'yaml';

const repository = fileURLToPath(new URL('../../../', import.meta.url));
const read = (path: string) => readFileSync(join(repository, path), 'utf8');
const { version } = JSON.parse(read('package.json')) as { version: string };

const names = readdirSync(join(repository, '.github/workflows'));

interface Step {
  uses?: string;
  run?: string;
  with?: Record<string, unknown>;
}

interface Job {
  needs?: string;
  permissions?: Record<string, string>;
  strategy?: { matrix: { node?: number[] } };
  steps: Step[];
}

interface Workflow {
  on: Record<string, unknown>;
  permissions: Record<string, string>;
  jobs: Record<string, Job>;
}

const workflowOf = (name: string) => parse(read(`.github/workflows/${name}`)) as Workflow;

const release = (...words: string[]) =>
  spawnSync(process.execPath, ['scripts/release.mjs', ...words], {
    cwd: repository,
    encoding: 'utf8',
  });

describe.each(names)('the workflow %s', (name) => {
  const text = read(`.github/workflows/${name}`);
  const { permissions, jobs } = workflowOf(name);
  const steps = Object.values(jobs).flatMap((job) => job.steps);

  test('names its actions by commits, with the tag beside each', () => {
    const used = text.match(/uses: .*/g) ?? [];

    expect(used).toHaveLength(steps.filter(({ uses }) => uses).length);
    for (const one of used) expect(one).toMatch(/^uses: [\w/-]+@[\da-f]{40} # v\d+\.\d+\.\d+$/);
  });

  test('may read the repository and no more, unless a job states it', () => {
    expect(permissions).toEqual({ contents: 'read' });
  });

  test('keeps no credentials after the checkout', () => {
    const checkouts = steps.filter(({ uses }) => uses?.startsWith('actions/checkout@'));

    expect(checkouts.length).toBeGreaterThan(0);
    for (const { with: given } of checkouts) expect(given?.['persist-credentials']).toBe(false);
  });

  test('puts nothing from outside into the words of a shell', () => {
    expect(steps.filter(({ run }) => run?.includes('${{'))).toEqual([]);
  });
});

test('an action has one commit in all workflows', () => {
  const used = names.flatMap((name) => read(`.github/workflows/${name}`).match(/uses: .*/g) ?? []);
  const actions = [...new Set(used)].map((one) => one.replace(/@.*/, ''));

  expect(actions.filter((one, index) => actions.indexOf(one) !== index)).toEqual([]);
});

describe('release.yml', () => {
  const { on, jobs } = workflowOf('release.yml');
  const stepOf = (job: string, action: string) =>
    jobs[job]?.steps.findLast(({ uses }) => uses?.startsWith(`${action}@`));
  const shellOf = (job: string) => jobs[job]?.steps.map(({ run }) => run).join('\n');

  test('begins with a tag, and tests it on each supported Node before anything is pushed', () => {
    expect(on).toEqual({ push: { tags: ['v[0-9]+.[0-9]+.[0-9]+'] } });
    expect(jobs['tests']?.strategy?.matrix.node).toEqual([20, 22, 24]);
    expect(shellOf('tests')).toContain('TEST_NODE=$(command -v node) .ci/run');
    expect(jobs['image']?.needs).toBe('tests');
    expect(jobs['release']?.needs).toBe('image');
  });

  test('builds the image for two platforms, with SBOM and provenance', () => {
    expect(stepOf('image', 'docker/build-push-action')?.with).toMatchObject({
      push: true,
      platforms: 'linux/amd64,linux/arm64',
      sbom: true,
      provenance: 'mode=max',
    });
    expect(stepOf('image', 'actions/attest')).toBeDefined();
  });

  test('scans before it pushes', () => {
    const order = jobs['image']?.steps.flatMap(({ uses, with: given }) => {
      if (uses?.startsWith('aquasecurity/trivy-action@')) return ['scan'];
      return given?.['push'] === true ? ['push'] : [];
    });

    expect(order).toEqual(['scan', 'push']);
    expect(stepOf('image', 'aquasecurity/trivy-action')?.with).toMatchObject({ 'exit-code': '1' });
  });

  test('signs the image and the files by the identity of the workflow', () => {
    expect(shellOf('image')).toContain('cosign sign --yes "$IMAGE"');
    expect(shellOf('release')).toContain('cosign sign-blob --yes --bundle checksums.sigstore.json');
    for (const job of ['image', 'release']) {
      expect(jobs[job]?.permissions).toMatchObject({ 'id-token': 'write' });
    }
  });

  test('gives each job only the rights that it needs', () => {
    const writes = Object.entries(jobs).map(([name, { permissions = {} }]) => [
      name,
      Object.keys(permissions).filter((each) => permissions[each] === 'write'),
    ]);

    expect(Object.fromEntries(writes)).toEqual({
      tests: [],
      image: ['packages', 'id-token', 'attestations'],
      release: ['contents', 'id-token'],
    });
  });
});

test('CodeQL reads the code and the workflows, and the image is scanned each week', () => {
  const codeql = read('.github/workflows/codeql.yml');
  const image = workflowOf('image.yml');

  expect(codeql).toContain('language: [javascript-typescript, actions]');
  expect(image.on).toHaveProperty('schedule');
  expect(image.jobs['scan']?.steps.some(({ uses }) => uses?.includes('trivy-action'))).toBe(true);
});

describe('renovate.json', () => {
  const {
    extends: presets,
    kubernetes,
    packageRules,
  } = JSON.parse(read('renovate.json')) as {
    extends: string[];
    kubernetes: { managerFilePatterns: string[] };
    packageRules: { matchPackageNames: string[]; allowedVersions?: string }[];
  };

  test('keeps the digests of images and the commits of actions', () => {
    expect(presets).toEqual(
      expect.arrayContaining(['docker:pinDigests', 'helpers:pinGitHubActionDigestsToSemver']),
    );
    const [pattern = ''] = kubernetes.managerFilePatterns;
    expect('deploy/kubernetes/redis/redis.yaml').toMatch(new RegExp(pattern.slice(1, -1)));
  });

  test('holds back packages that need a newer Node', () => {
    const { devDependencies } = JSON.parse(read('package.json')) as {
      devDependencies: Record<string, string>;
    };
    for (const name of ['kubernetes-models', '@kubernetes-models/prometheus-operator']) {
      const rule = packageRules.find(({ matchPackageNames }) => matchPackageNames.includes(name));
      expect(rule?.allowedVersions).toBe(`<=${devDependencies[name]}`);
    }
  });
});

describe('scripts/release.mjs', () => {
  const image = `ghcr.io/acme/purser@sha256:${'a'.repeat(64)}`;
  let folder: string;

  beforeAll(() => {
    folder = mkdtempSync(join(tmpdir(), 'purser-release-'));
  });

  afterAll(() => rmSync(folder, { recursive: true }));

  test('fills the digest into the manifests that are installed', () => {
    expect(release('manifests', image, folder)).toMatchObject({ status: 0, stderr: '' });

    const files = readdirSync(folder, { recursive: true, encoding: 'utf8' });
    const texts = files
      .filter((path) => path.endsWith('.yaml'))
      .map((path) => readFileSync(join(folder, path), 'utf8'));
    const images = texts.flatMap((text) => text.match(/image: .*/g) ?? []);
    expect(images.filter((one) => one === `image: ${image}`)).toHaveLength(4);
    expect(images.every((one) => one.includes('@sha256:'))).toBe(true);
    expect(texts.join('\n')).not.toContain('build: .');
    expect(files).toEqual(expect.arrayContaining(['deploy/kubernetes/monitoring', '.env.example']));
  });

  test('refuses an image without a digest', () => {
    expect(release('manifests', 'ghcr.io/acme/purser:1.0.0', folder).status).toBe(1);
  });

  test('stops a tag that is not that of package.json', () => {
    const { status, stderr } = release('check', 'v9.9.9');

    expect(status).toBe(1);
    expect(stderr).toContain(`The tag is v9.9.9, and package.json has ${version}`);
  });

  test('takes the tag when its section of the changelog has a date', () => {
    const isDated = new RegExp(`^## \\[${version}\\] - \\d{4}-\\d\\d-\\d\\d$`, 'm');

    expect(release('check', `v${version}`).status).toBe(isDated.test(read('CHANGELOG.md')) ? 0 : 1);
  });
});

test('the version of package.json is that of the image, wherever it is named', () => {
  expect(read('Dockerfile')).toContain(`\nARG VERSION=${version}\n`);
  for (const path of ['deploy/platform/purser.yaml', 'deploy/kubernetes/app.yaml']) {
    expect(new Set(read(path).match(/purser:\d\S*/g))).toEqual(new Set([`purser:${version}`]));
  }
});

test('the changelog begins with a release, which may not be out yet', () => {
  const [first] = read('CHANGELOG.md').match(/^## .*/gm) ?? [];

  expect(first).toMatch(/^## \[\d+\.\d+\.\d+\] - (unreleased|\d{4}-\d\d-\d\d)$/);
});
