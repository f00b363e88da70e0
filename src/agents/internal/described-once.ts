import type { StandardSchemaWithJSON } from '@modelcontextprotocol/server'

/**
 * Returns a schema that makes its JSON Schema once in each form. The server asks for those of all tools at each list of them, which
 * took 16 ms in one turn of the event loop.
 */
export function describedOnce<Input, Output>(
  schema: StandardSchemaWithJSON<Input, Output>,
): StandardSchemaWithJSON<Input, Output> {
  const { jsonSchema, ...standard } = schema['~standard']
  const known = new Map<string, Record<string, unknown>>()
  const once = (of: keyof typeof jsonSchema): typeof jsonSchema.input => {
    return (options) => {
      const form = `${of} ${options.target}`
      const made = known.get(form) ?? jsonSchema[of](options)
      known.set(form, made)
      return made
    }
  }
  return {
    '~standard': {
      ...standard,
      jsonSchema: { input: once('input'), output: once('output') },
    },
  }
}
