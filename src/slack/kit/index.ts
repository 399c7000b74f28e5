export * from './blocks.ts';
export * from './choices.ts';
export * from './escape.ts';
export * from './file-input.ts';
export * from './inputs.ts';
export * from './limits.ts';
export * from './rich-text.ts';
export * from './pages.ts';
