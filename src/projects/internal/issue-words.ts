import type { z } from 'zod'

type SchemaIssue = z.core.$ZodRawIssue

/** The sentence for an input that fits none of several forms, unless their schema has one. */
export const fitsNoForm = 'This has none of the forms that it can have here.'

/** Says what is wrong with a value where its schema has no sentence of its own. */
export function issueInWords(issue: SchemaIssue): string {
  const missing = issue.input === undefined ? 'This is missing. ' : ''
  switch (issue.code) {
    case 'invalid_type':
      return `${missing}Give ${types[issue.expected] ?? 'another kind of value'}${missing ? '' : ' here'}.`
    case 'invalid_value':
      return `${missing}${choice(issue.values)}`
    case 'too_big':
      return limitInWords(issue, issue.maximum, issue.inclusive === false ? 'less than {}' : '{} at most')
    case 'too_small':
      return limitInWords(issue, issue.minimum, issue.inclusive === false ? 'more than {}' : '{} at least')
    case 'invalid_union':
      return Array.isArray(issue['options']) ? `${missing}${choice(issue['options'])}` : fitsNoForm
    default:
      return formInWords(issue)
  }
}

function formInWords(issue: SchemaIssue): string {
  switch (issue.code) {
    case 'not_multiple_of':
      return `Use steps of ${limitText(issue.divisor)}.`
    case 'invalid_format':
      return formats[issue.format] ?? 'This is not written in the form that it has here.'
    case 'unrecognized_keys':
      return `There is no "${issue.keys.join('", "')}" here. Leave it out.`
    case 'invalid_key':
      return `This name cannot be used here: ${issue.issues[0]?.message ?? 'choose another.'}`
    default:
      return 'This value cannot be used here.'
  }
}

const choice = (values: readonly unknown[]): string =>
  values.length === 1 ? `Only ${String(values[0])} can stand here.` : `Choose one of ${values.join(', ')}.`

/** "Use 200 characters at most", "Use more than 0". */
function limitInWords({ origin }: { origin: string }, limit: number | bigint, words: string): string {
  const [one, several] = units[origin] ?? []
  const unit = Number(limit) === 1 ? one : several
  return `Use ${words.replace('{}', unit === undefined ? limitText(limit) : `${limitText(limit)} ${unit}`)}.`
}

/** The units of limits; those of numbers have none. */
const units: Partial<Record<string, [one: string, several: string]>> = {
  string: ['character', 'characters'],
  array: ['entry', 'entries'],
  set: ['entry', 'entries'],
}

const limitText = (limit: number | bigint): string =>
  limit.toLocaleString('en', { maximumFractionDigits: 10 })

const types: Partial<Record<string, string>> = {
  string: 'a text',
  number: 'a number',
  int: 'a whole number',
  boolean: 'true or false',
  array: 'a list',
  tuple: 'a list',
  object: 'an object, such as { … },',
  record: 'an object, such as { … },',
}

const formats: Partial<Record<string, string>> = {
  datetime: 'Write an instant like 2026-03-01T10:00:00Z.',
  date: 'Write a date like 2026-03-01.',
  email: 'Write an e-mail address, such as ana@example.com.',
  url: 'Write an address that begins with "https://".',
}
