import { z } from 'zod'
import { instant } from '#collection/entry-shape'
import type { Right } from '#projects/access'
import { inputProblem } from '#projects/problem-schema'
import { rightsOf, type Endpoint } from './endpoint'

const problemShape = z
  .object({
    error: z.object({
      code: z.string(),
      message: z.string(),
      problems: z.array(inputProblem).optional(),
    }),
  })
  .meta({ id: 'Error' })

/** Describes the API from the list that the router uses, so that the two cannot differ. */
export function describe(endpoints: readonly Endpoint[]): unknown {
  return {
    openapi: '3.1.0',
    info: {
      title: 'Tilth management API',
      version: '1',
      description: 'What the studio can do. Authorize with a secret key of a project: Settings → Keys.',
    },
    servers: [{ url: '/api/v1' }],
    security: [{ secretKey: [] }],
    components: { securitySchemes: { secretKey: { type: 'http', scheme: 'bearer' } } },
    paths: pathsOf(endpoints),
  }
}

function pathsOf(endpoints: readonly Endpoint[]): Record<string, Record<string, unknown>> {
  const paths: Record<string, Record<string, unknown>> = {}
  for (const endpoint of endpoints) {
    const methods = (paths[endpoint.path] ??= {})
    methods[endpoint.method.toLowerCase()] = operation(endpoint)
  }
  return paths
}

const neededScopes = (rights: readonly Right[]): string =>
  `Needs the scope${rights.length > 1 ? 's' : ''} ${rights.map((right) => `\`${right}\``).join(' and ')}.`

const operation = (endpoint: Endpoint) => ({
  summary: endpoint.summary,
  ...(endpoint.right ? { description: neededScopes(rightsOf(endpoint)) } : {}),
  parameters: [...partsOf(endpoint), ...queryOf(endpoint)],
  ...(endpoint.input ? { requestBody: { required: true, content: json(endpoint.input, 'input') } } : {}),
  responses: {
    [endpoint.status ?? 200]: {
      description: 'Done',
      content: {
        ...json(endpoint.responseSchema, 'output'),
        ...Object.fromEntries((endpoint.otherContentTypes ?? []).map((type) => [type, textContent])),
      },
    },
    default: { description: 'Not done, and why', content: json(problemShape, 'output') },
  },
})

const partsOf = ({ path }: Endpoint) =>
  [...path.matchAll(/\{(\w+)\}/g)].map(([, name]) => ({
    name,
    in: 'path',
    required: true,
    schema: { type: 'string' },
  }))

const queryOf = ({ query }: Endpoint) =>
  Object.entries(query?.shape ?? {}).map(([name, schema]) => ({
    name,
    in: 'query',
    schema: schemaOf(schema, 'input'),
  }))

const textContent = { schema: { type: 'string' } }

const json = (schema: z.ZodType, io: 'input' | 'output') => ({
  'application/json': { schema: schemaOf(schema, io) },
})

/** JSON has no dates: an answer has them as texts. */
const instantText = z.toJSONSchema(instant)

const schemaOf = (schema: z.core.$ZodType, io: 'input' | 'output') =>
  z.toJSONSchema(schema, {
    io,
    unrepresentable: 'any',
    reused: 'inline',
    override: ({ zodSchema, jsonSchema }) => {
      if (io === 'output' && zodSchema instanceof z.ZodDate)
        Object.assign(jsonSchema, { ...instantText, $schema: undefined, ...jsonSchema })
    },
  })
