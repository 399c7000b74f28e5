import { expect, it } from 'vitest';
import { errorOf, plainError, PlatformError } from '../../../src/platform/errors.ts';

it.each([true, false])(
  'an error that crosses to another thread still says whether its call was not sent: %s',
  (isUnsent) => {
    const error = new PlatformError('timeout', 'too late', { isUnsent });

    const crossed = errorOf(structuredClone(plainError(error)));

    expect(crossed).toBeInstanceOf(PlatformError);
    expect(crossed).toMatchObject({ reason: 'timeout', message: 'too late', isUnsent });
  },
);
