import { z } from 'zod'
import { entrySchema } from '#collection/entry-shape'
import { filter, type Filter } from '#filters/filter'
import { nameFor } from '#projects/name'

export interface CohortName {
  id: string
  name: string
}

/** The rule for membership in a cohort. */
export type CohortDefinition =
  | { all: CohortDefinition[] }
  | { any: CohortDefinition[] }
  | { not: CohortDefinition }
  /** Members by their properties. */
  | { is: Filter }
  /** Members by their events, and how often. */
  | { did: CohortEvent; times?: CohortEventCount | undefined; within?: CohortPeriod | undefined }
  /** Members by an event that first happened within the period. */
  | { first: CohortEvent; within: CohortPeriod }
  | { in: string }

export interface CohortEvent {
  /** The name of the event; any event when null. */
  event: string | null
  filter?: Filter | undefined
}

export interface CohortEventCount {
  at: 'least' | 'most' | 'exactly'
  count: number
}

/** The last days including today, or a range of days, both included. All time if absent. */
export type CohortPeriod = { days: number } | { from: string; to: string }

const cohortLimits = { depth: 6, conditions: 50 }

const day = z.iso.date({ error: 'Write a day like 2026-11-21.' })

const within = z.union(
  [
    z.strictObject({
      days: z
        .number({ error: 'Give the days as a whole number.' })
        .int('Give the days as a whole number.')
        .min(1, 'Use at least a day.')
        .max(3650, 'Use at most 3650 days.'),
    }),
    z
      .strictObject({ from: day, to: day })
      .refine(({ from, to }) => from <= to, { error: 'The last day is before the first.', path: ['to'] }),
  ],
  { error: 'Say when: { "days": 30 } or { "from": "2026-01-01", "to": "2026-01-31" }.' },
)

const matcher = z.strictObject({
  event: z
    .string({ error: 'Name an event, or null for any.' })
    .min(1, 'Name an event, or null for any.')
    .max(200, 'No event has a name over 200 characters.')
    .nullable(),
  filter: filter.optional(),
})

const times = z.strictObject({
  at: z.enum(['least', 'most', 'exactly'], { error: 'Say "least", "most" or "exactly".' }),
  count: z
    .number({ error: 'Give the times as a whole number.' })
    .int('Give the times as a whole number.')
    .min(0, 'Nothing happens less than 0 times.')
    .max(1_000_000, 'Use at most a million times.'),
})

const aboutPersons = filter.refine(isAboutPersons, {
  error: 'Describe persons by properties of persons and by cohorts; use "did" for events.',
})

const conditionShapeHint =
  'A condition is { "is": … }, { "did": … }, { "first": … }, { "in": cohort }, { "not": … }, { "all": […] } or { "any": […] }.'

const anyDefinition: z.ZodType<CohortDefinition> = z.lazy(() =>
  z.union(
    [
      z.strictObject({ all: z.array(anyDefinition).min(1, 'Add at least one condition.') }),
      z.strictObject({ any: z.array(anyDefinition).min(1, 'Add at least one condition.') }),
      z.strictObject({ not: anyDefinition }),
      z.strictObject({ is: aboutPersons }),
      z.strictObject({ did: matcher, times: times.optional(), within: within.optional() }),
      z.strictObject({ first: matcher, within }),
      z.strictObject({ in: z.string().min(1, 'Choose a cohort.').max(100) }),
    ],
    { error: conditionShapeHint },
  ),
)

/** Definitions as they come from outside. */
// the result of the preprocessing is parsed by `anyDefinition`
export const cohortDefinition = z.preprocess(
  withinBounds,
  anyDefinition,
) as unknown as z.ZodType<CohortDefinition>

/** Several persons under one name: picked one by one, or all that currently match a definition. */
export const cohortSchema = entrySchema({
  name: nameFor('Name the cohort after who is in it.'),
  about: z.string().max(1000, 'Use at most 1000 characters.'),
  definition: cohortDefinition.optional().meta({ description: 'Absent where its persons were picked' }),
  changedAt: z.date(),
})
export type Cohort = z.infer<typeof cohortSchema>

/** Runs before parsing, so that endlessly nested input is not parsed to its end. */
function withinBounds(value: unknown, { issues }: { issues: z.core.$ZodRawIssue[] }): unknown {
  const trouble = isTooDeep(value, cohortLimits.depth)
    ? `Conditions are nested deeper than ${cohortLimits.depth} times. Make a cohort of some of them, and name that.`
    : countIn(value) > cohortLimits.conditions &&
      `A cohort has at most ${cohortLimits.conditions} conditions.`
  if (trouble) issues.push({ code: 'custom', message: trouble, input: value, continue: false })
  return value
}

const isTooDeep = (value: unknown, levels: number): boolean => {
  const parts = partsOf(value)
  return parts.length > 0 && (levels === 0 || parts.some((part) => isTooDeep(part, levels - 1)))
}

const countIn = (value: unknown): number => {
  const parts = partsOf(value)
  return parts.length === 0 ? 1 : parts.reduce<number>((sum, part) => sum + countIn(part), 0)
}

function partsOf(value: unknown): readonly unknown[] {
  if (typeof value !== 'object' || value === null) return []
  if ('not' in value) return [value.not]
  const parts = 'all' in value ? value.all : 'any' in value ? value.any : []
  return Array.isArray(parts) ? parts : []
}

function isAboutPersons(one: Filter): boolean {
  if ('all' in one) return one.all.every(isAboutPersons)
  if ('any' in one) return one.any.every(isAboutPersons)
  return one.type === 'person' || one.type === 'cohort'
}

/** The cohorts that a definition refers to, at any depth. */
export function cohortsNamedIn(definition: CohortDefinition): string[] {
  if ('all' in definition) return definition.all.flatMap(cohortsNamedIn)
  if ('any' in definition) return definition.any.flatMap(cohortsNamedIn)
  if ('not' in definition) return cohortsNamedIn(definition.not)
  if ('in' in definition) return [definition.in]
  if ('is' in definition) return cohortsInFilter(definition.is)
  return cohortsInFilter('did' in definition ? definition.did.filter : definition.first.filter)
}

function cohortsInFilter(one: Filter | undefined): string[] {
  if (!one) return []
  if ('all' in one) return one.all.flatMap(cohortsInFilter)
  if ('any' in one) return one.any.flatMap(cohortsInFilter)
  return one.type === 'cohort' ? [one.cohort] : []
}
