export * from './blocks.ts';
export * from './escape.ts';
export * from './limits.ts';
