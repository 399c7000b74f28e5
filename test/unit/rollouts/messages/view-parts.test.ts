import { describe, expect, it } from 'vitest';
import { plainCause } from '../../../../src/rollouts/engine/explain.ts';

describe('a cause in plain words', () => {
  it.each([
    ['container main: 3 restarts (OOMKilled, exit code 137)', 'out of memory'],
    ['Container main exceeded its memory limit of 512MiB', 'out of memory'],
    ['exec /app/server: exec format error', 'the image is built for another kind of processor'],
    ['Back-off pulling image "x": ErrImagePull: not found', 'the image cannot be pulled'],
    ['The secret db no longer exists.', 'a secret is missing'],
    ['CreateContainerConfigError', 'a setting of a container is wrong'],
    [
      'exec: "serve": executable file not found in $PATH',
      'the command of a container is not in its image',
    ],
    ['Liveness probe failed: timeout', 'the liveness check fails'],
    ['Startup probe failed: timeout', 'the start-up check fails'],
    ['Readiness probe failed: HTTP probe failed with statuscode: 503', 'the readiness check fails'],
    ['Back-off restarting failed container main', 'a container keeps stopping'],
    ['container main: 1 restart (Completed, exit code 0)', 'a container keeps stopping'],
    ['0/4 nodes are available: 4 Insufficient cpu.', 'there is no room for its replicas'],
    ['FailedMount: volume data', 'a volume cannot be mounted'],
    ['the deployment did not converge', 'the location is not converging on the expected version'],
    ['ProgressDeadlineExceeded', 'it did not come up in the time allowed'],
    ['the moon is full', ''],
  ])('%s', (cause, plain) => {
    expect(plainCause(cause)).toBe(plain);
  });

  it('is found in no time, however long the message is', () => {
    expect(plainCause(`secret ${'a '.repeat(50_000)}`)).toBe('');
  });
});
