import { AjvCompiler } from '@fastify/ajv-compiler';

const pool = AjvCompiler();
const compiled = new Map<string, ReturnType<ReturnType<typeof pool>>>();

/**
 * Fastify's validators of the schemas of routes, compiled once in a process: tests start hundreds of
 * stand-ins with the same routes, and most of the time of a start was this.
 */
export const buildValidator: typeof pool = (schemas, options) => {
  const compile = pool(schemas, options);
  return (schema, isMeta) => {
    const key = JSON.stringify(schema);
    const known = compiled.get(key) ?? compile(schema, isMeta);
    compiled.set(key, known);
    return known;
  };
};
