import { z } from 'zod'
import { querySchema } from '#insights/ask'
import { queryInput } from '#insights/query-input'
import type { InputProblem } from '#projects/problems'
import { nearestName } from '#projects/nearest-name'

/** Names each field of the input that its schema does not know, at any depth. Schemas themselves leave such fields out. */
export function unknownFields(schema: z.core.$ZodType, input: unknown): InputProblem[] {
  return isWithinBounds(input) ? fieldsWithin(schema, input, []) : []
}

/** Names each query parameter that an endpoint does not know. */
export const unknownParameters = (
  schema: z.ZodObject | undefined,
  query: URLSearchParams,
): InputProblem[] => {
  const known = Object.keys(schema?.shape ?? {})
  return [...new Set(query.keys())]
    .filter((name) => !known.includes(name))
    .map((name) => ({ field: name, message: unknownMessage('query parameter', name, known) }))
}

type SchemaDef = z.core.$ZodTypes['_zod']['def']

/** Returns the definition of a schema, which every schema of zod's main package has. */
const defOf = (schema: z.core.$ZodType): SchemaDef => (schema as unknown as { def: SchemaDef }).def

type Path = readonly (string | number)[]
type FieldWalk = (schema: z.core.$ZodType, input: unknown, path: Path) => InputProblem[]

const fieldsWithin: FieldWalk = (schema, input, path) => {
  if (schema === queryInput) return ofQuery(input, path)
  const def = defOf(schema)
  if ('innerType' in def) return fieldsWithin(def.innerType, input, path)
  switch (def.type) {
    case 'object':
      return ofObject(def, input, path)
    case 'array':
      return Array.isArray(input)
        ? input.flatMap((member, i) => fieldsWithin(def.element, member, [...path, i]))
        : []
    case 'record':
      return isObject(input)
        ? Object.entries(input).flatMap(([key, member]) =>
            fieldsWithin(def.valueType, member, [...path, key]),
          )
        : []
    case 'union':
      return ofUnion(def.options, input, path)
    case 'intersection':
      return ofIntersection(def, input, path)
    case 'lazy':
      return fieldsWithin(def.getter(), input, path)
    case 'pipe':
      // of a preprocessed value only what comes after is an object of known fields
      return fieldsWithin(isTransform(def.in) ? def.out : def.in, input, path)
    default:
      return []
  }
}

/** A query has the fields of its kind. */
function ofQuery(input: unknown, path: Path): InputProblem[] {
  const schema = isObject(input) ? querySchema(input['kind']) : undefined
  return schema ? fieldsWithin(schema, input, path) : []
}

function ofObject({ shape, catchall }: z.core.$ZodObjectDef, input: unknown, path: Path): InputProblem[] {
  if (!isObject(input)) return []
  const takesAny = catchall !== undefined && defOf(catchall).type !== 'never'
  return Object.entries(input).flatMap(([name, member]) => {
    const known = Object.hasOwn(shape, name) ? shape[name] : undefined
    if (known) return fieldsWithin(known, member, [...path, name])
    if (takesAny) return []
    return [{ field: [...path, name].join('.'), message: unknownMessage('field', name, Object.keys(shape)) }]
  })
}

/** An input that fits no option is left to the parser, which says why. */
function ofUnion(options: readonly z.core.$ZodType[], input: unknown, path: Path): InputProblem[] {
  const [fewest = []] = options
    .filter((option) => fitsWithoutUnknown(option, input))
    .map((option) => fieldsWithin(option, input, path))
    .toSorted((one, other) => one.length - other.length)
  return fewest
}

function fitsWithoutUnknown(option: z.core.$ZodType, input: unknown): boolean {
  const result = z.safeParse(option, input)
  return result.success || result.error.issues.every(({ code }) => code === 'unrecognized_keys')
}

/** A field is known if either side knows it. */
function ofIntersection(
  { left, right }: z.core.$ZodIntersectionDef,
  input: unknown,
  path: Path,
): InputProblem[] {
  const unknownOnTheRight = new Set(fieldsWithin(right, input, path).map(({ field }) => field))
  return fieldsWithin(left, input, path).filter(({ field }) => unknownOnTheRight.has(field))
}

const most = { depth: 30, values: 20_000 }

/** Whether the input is small enough to be walked. Anything larger is left to the parsers, which have limits of their own. */
function isWithinBounds(input: unknown): boolean {
  let level = [input]
  for (let depth = 0, values = 0; level.length > 0; depth++) {
    values += level.length
    if (depth > most.depth || values > most.values) return false
    level = level.flatMap((value) =>
      typeof value === 'object' && value !== null ? Object.values(value) : [],
    )
  }
  return true
}

const isTransform = (schema: z.core.$ZodType): boolean => defOf(schema).type === 'transform'

const isObject = (value: unknown): value is Record<string, unknown> =>
  typeof value === 'object' && value !== null && !Array.isArray(value)

const mostNames = 12

function unknownMessage(what: string, name: string, known: readonly string[]): string {
  const unknown = `There is no ${what} "${name.slice(0, 100)}" here.`
  const nearest = nearestName(name, known)
  if (nearest) return `${unknown} Did you mean "${nearest}"?`
  if (known.length === 0) return `${unknown} Leave it out.`
  return known.length <= mostNames ? `${unknown} Known: ${known.join(', ')}.` : unknown
}
