import { createLogger } from '../../../src/lib/logger.ts';

export const logger = createLogger({ level: 'silent', secrets: [] });
