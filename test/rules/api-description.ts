import { expect } from 'vitest'
import { z } from 'zod'
import { type PathPattern, PathRouter } from '#http/router'

const jsonContent = z.object({ 'application/json': z.object({ schema: z.record(z.string(), z.unknown()) }) })
const operation = z.object({ responses: z.record(z.string(), z.object({ content: jsonContent })) })
const document = z.object({ paths: z.record(z.string(), z.record(z.string(), operation)) })

interface ApiAnswer {
  method: string
  /** Below /api/v1. */
  path: string
  status: number
  body: unknown
}

/** Makes a check that holds answers to the served description: every field is described, and no other is there. */
export function describedAnswers(openApi: unknown): (answer: ApiAnswer) => void {
  const { paths } = document.parse(openApi)
  const router = new PathRouter(
    // each begins with a slash, as OpenAPI asks for
    Object.entries(paths).map(([path, operations]) => ({ path: path as PathPattern, operations })),
  )
  const schemas = new Map<object, z.ZodType>()
  const schemaOf = (described: z.infer<typeof jsonContent>) => {
    const { schema } = described['application/json']
    const known = schemas.get(schema) ?? z.fromJSONSchema(withoutUnicodePatterns(schema))
    schemas.set(schema, known)
    return known
  }
  return ({ method, path, status, body }) => {
    const found = router.find(path, ({ operations }) => method.toLowerCase() in operations)
    const responses = found?.entry.operations[method.toLowerCase()]?.responses
    const response = responses?.[status] ?? (status < 300 ? undefined : responses?.['default'])
    if (!response) {
      expect([404, 405]).toContain(status)
      return
    }
    const parsed = schemaOf(response.content).safeParse(body)
    const problems = parsed.error && z.prettifyError(parsed.error)
    expect(problems, `${method} ${path} answers with ${status} as it is described`).toBeUndefined()
  }
}

type JsonSchema = z.infer<typeof jsonContent>['application/json']['schema']

/** JSON Schema reads patterns with the flag `u`; zod reads them without it, and then knows no `\p`. */
const withoutUnicodePatterns = (schema: JsonSchema): JsonSchema =>
  JSON.parse(JSON.stringify(schema), (key, value: unknown) =>
    key === 'pattern' && String(value).includes(String.raw`\p{`) ? undefined : value,
  ) as JsonSchema // a copy, without some of its texts
