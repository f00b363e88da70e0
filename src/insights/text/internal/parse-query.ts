import type { z, ZodType } from 'zod'
import type { ParsedInput } from '#projects/problems'

/** Parses like `parse`, with messages for people if a schema has none of its own. */
export function parseQuery<Value>(schema: ZodType<Value>, input: unknown): ParsedInput<Value> {
  const result = schema.safeParse(input, { error: issueInWords })
  if (result.success) return { done: true, value: result.data }
  const problems = result.error.issues.map(({ path, message }) => ({
    field: path.join('.') || undefined,
    message,
  }))
  return { done: false, problems }
}

type SchemaIssue = z.core.$ZodRawIssue

function issueInWords(issue: SchemaIssue): string {
  if (issue.code === 'invalid_type') return wrongType(issue)
  if (issue.code === 'invalid_value') return `Choose one of ${issue.values.map(String).join(', ')}.`
  if (issue.code === 'too_big')
    return `Give ${amounts[issue.origin] ?? '{}'} at most.`.replace('{}', edgeText(issue.maximum))
  if (issue.code === 'too_small')
    return `Give ${amounts[issue.origin] ?? '{}'} at least.`.replace('{}', edgeText(issue.minimum))
  if (issue.code === 'unrecognized_keys')
    return `There is no "${issue.keys.join('", "')}" here. Leave it out.`
  return 'This has none of the forms it can have. Compare it with a question that can be answered.'
}

function wrongType({ expected, input }: SchemaIssue & { code: 'invalid_type' }): string {
  const wanted = types[expected] ?? 'something else'
  return input === undefined ? `This is missing. Give ${wanted}.` : `Give ${wanted} here.`
}

const types: Partial<Record<string, string>> = {
  string: 'a text',
  number: 'a number',
  int: 'a whole number',
  boolean: 'true or false',
  array: 'a list',
  object: 'an object, such as { … },',
}

/** The units of limits. */
const amounts: Partial<Record<string, string>> = { string: '{} characters', array: '{} of them' }

const edgeText = (edge: number | bigint): string => String(edge)
