import { z } from 'zod'
import { columnOf } from '#events/taxonomy'
import { failedOutcome, type Outcome } from '#projects/problems'
import type { Project } from '#projects/project'
import { periodFrom } from './internal/periods'
import { relativePeriod } from './relative-periods'

const hogqlFilters = z.looseObject({
  dateRange: z.looseObject({ date_from: z.string().nullish(), date_to: z.string().nullish() }).nullish(),
  properties: z.array(z.unknown()).nullish(),
  filterTestAccounts: z.boolean().nullish(),
})

const hogqlQuery = z.looseObject({
  query: z.string({ error: 'Write the query as text.' }),
  values: z.record(z.string(), z.unknown()).nullish(),
  variables: z.record(z.string(), z.unknown()).nullish(),
  filters: hogqlFilters.nullish(),
})

interface HogqlContext {
  project: Pick<Project, 'timeZone' | 'answers'>
  now: Date
}

/**
 * Translates a HogQLQuery to Tilth's query in SQL. Its filters count where the text says {filters}, and nowhere else, as
 * in PostHog (posthog/hogql/filters.py).
 */
export function sqlQueryFrom(
  given: unknown,
  context: HogqlContext,
): Outcome<{ question: Record<string, unknown> }> {
  const read = hogqlQuery.safeParse(given)
  if (!read.success)
    return failedOutcome(`The query is not readable: ${z.prettifyError(read.error)}`, 'query')
  const { query, values, variables, filters } = read.data
  if ([values, variables].some((one) => one && Object.keys(one).length > 0))
    return failedOutcome('Tilth fills in no values. Write them into the query.', 'query')
  const isFiltered = hasFilters(query)
  const period = isFiltered ? periodOf(filters, context) : { done: true as const, period: undefined }
  if (!period.done) return period
  const condition = period.period === undefined ? 'true' : '(timestamp >= {{from}} and timestamp < {{until}})'
  // the names of the period are no placeholders of HogQL's
  const sql = sqlFromHogql(query.replaceAll(filtersPlace, (piece) => (isPlace(piece) ? filtersMark : piece)))
  if (!sql.done) return sql
  const text = sql.text.replaceAll(filtersMark, condition)
  return {
    done: true,
    question: { kind: 'sql', text, ...(period.period !== undefined && { period: period.period }) },
  }
}

/** A text, or the place of the filters outside of texts. */
const filtersPlace = /'(?:[^'\\]|\\.|'')*'|\{\s*filters\s*\}/gi
const filtersMark = '/*tilth: filters*/'
const isPlace = (piece: string): boolean => piece.startsWith('{')
const hasFilters = (query: string): boolean => (query.match(filtersPlace) ?? []).some(isPlace)

function periodOf(
  filters: z.infer<typeof hogqlFilters> | null | undefined,
  { project: { timeZone, answers }, now }: HogqlContext,
): Outcome<{ period: string | undefined }> {
  if (filters?.properties && filters.properties.length > 0)
    return failedOutcome('Write conditions on properties into the query.', 'query.filters')
  if (filters?.filterTestAccounts && answers['testAccounts'] !== undefined)
    return failedOutcome('SQL counts test accounts. Write the condition into the query.', 'query.filters')
  const { date_from: from, date_to: to } = filters?.dateRange ?? {}
  if (!from) return { done: true, period: undefined }
  const moving = relativePeriod(from, to ?? undefined).period
  return moving === undefined
    ? periodFrom({ date_from: from, date_to: to }, timeZone, now)
    : { done: true, period: moving }
}

/** Texts, quoted names and comments, which are left as they are, or a property that is read with a dot. */
const pieces =
  /'(?:[^'\\]|\\.|'')*'|`[^`]*`|"(?:[^"\\]|\\.)*"|--[^\n]*|\/\*[\s\S]*?\*\/|\b(person\.)?properties\.(`[^`]+`|"[^"]+"|[A-Za-z_$][\w$]*)/g

/**
 * Converts HogQL to Tilth's SQL as far as they differ: properties are read with a dot there, those that have a column are
 * read from it. Everything else is the same dialect of SQL, checked where it is run.
 */
function sqlFromHogql(text: string): Outcome<{ text: string }> {
  if (/\{[a-z_]\w*\}/i.test(text.replaceAll(/'(?:[^'\\]|\\.|'')*'/g, "''")))
    return failedOutcome('Tilth fills in no {placeholders}. Write the value into the query.', 'query')
  let usesPerson = false
  const converted = text.replaceAll(pieces, (whole, person: string | undefined, name: string | undefined) => {
    if (name === undefined) return whole
    if (person !== undefined) usesPerson = true
    return propertyIn(name)
  })
  return usesPerson
    ? failedOutcome('Tilth has no person.properties on events. Join the table persons on person_id.', 'query')
    : { done: true, text: converted }
}

function propertyIn(quoted: string): string {
  const name = quoted.replace(/^[`"](.*)[`"]$/, '$1')
  const column = columnOf(name)
  return column ?? `properties['${name.replaceAll(/['\\]/g, String.raw`\$&`)}']`
}
