import { z } from 'zod'
import { float, type Sql, sql } from '#engine/sql'
import { type DistinctCount, exactDistinct } from './internal/distinct'
import type { Events } from './internal/events'
import { type MathName, mathNames, mathWords } from '../measures/maths'
import { asNumber } from './internal/properties'

/** The property that a measure aggregates. */
const measuredProperty = z.object({
  type: z.enum(['event', 'person', 'session', 'group']),
  key: z.string().min(1, 'Name the property.').max(200),
  /** The group's type if `type` is 'group'. */
  group: z.string().min(1).max(200).optional(),
})

/** The way in which events become a number. */
export const measure = z
  .object({
    math: z.enum(mathNames, { error: `Choose one of ${mathNames.join(', ')}.` }).default('total'),
    property: measuredProperty.optional(),
    /** The type of the counted groups. */
    group: z.string().min(1).max(200).optional(),
  })
  .superRefine(({ math, property, group }, context) => {
    const { needs, label } = mathWords(math)
    if (needs === 'property' && !property)
      context.addIssue({ code: 'custom', path: ['property'], message: `Say of which property: ${label}.` })
    if (needs === 'group' && !group)
      context.addIssue({ code: 'custom', path: ['group'], message: 'Say which type of groups to count.' })
    if (property?.type === 'group' && !property.group)
      context.addIssue({
        code: 'custom',
        path: ['property', 'group'],
        message: 'Say of which type of group.',
      })
  })
export type Measure = z.infer<typeof measure>

/** The parts of an aggregate: expressions on the columns of `events.rows()`. */
interface AggregateParts {
  /** The rows that count. */
  when: Sql
  /** A number, or null. */
  amount: Sql
  /** The key of a group, or an empty text. */
  group: Sql
  /** The submission of a survey, or the event where there is none. */
  submission: Sql
  /** Counts persons. */
  ofPersons: DistinctCount
}

const noSession = sql`toUUID('00000000-0000-0000-0000-000000000000')`

/** The number by which an entity is counted once, and the rows in which it counts. */
interface MeasuredEntity {
  who: Sql
  isThere: Sql
}

/** Counting numbers of 64 bits takes half the time of counting ids and texts (decision 9). */
const entities = {
  persons: () => ({ who: sql`cityHash64(person)`, isThere: sql`true` }),
  visitors: () => ({ who: sql`cityHash64(distinct_id)`, isThere: sql`true` }),
  sessions: () => ({ who: sql`cityHash64(session_id)`, isThere: sql`session_id != ${noSession}` }),
  groups: (group: Sql) => ({ who: sql`cityHash64(${group})`, isThere: sql`${group} != ''` }),
} as const satisfies Partial<Record<MathName, (group: Sql) => MeasuredEntity>>

const distinct =
  (name: keyof typeof entities) =>
  ({ when, group, ofPersons }: AggregateParts): Sql => {
    const { who, isThere } = entities[name](group)
    return countOf(name, ofPersons).where(who, sql`${when} and ${isThere}`)
  }

/** Sessions and groups are always counted one by one. */
const countOf = (name: keyof typeof entities, ofPersons: DistinctCount): DistinctCount =>
  personsMaths.has(name) ? ofPersons : exactDistinct

/** The measures that count persons, or divide by their number. */
const personsMaths: ReadonlySet<MathName> = new Set(['persons', 'visitors', 'per_person'])
export const countsPersons = ({ math }: Measure): boolean => personsMaths.has(math)

const percentile =
  (level: number) =>
  ({ when, amount }: AggregateParts): Sql =>
    sql`quantileExactInclusiveIf(${float(level)})(${amount}, ${when})`

const persons = distinct('persons')

interface RatingShare {
  least: number
  most: number
}

/**
 * Counts submissions by their ratings. An answer that is sent with each further one counts once; ratings outside of the
 * scale do not count.
 */
const ratedWithin =
  ({ least, most }: RatingShare) =>
  ({ when, amount, submission }: AggregateParts): Sql =>
    sql`uniqExactIf(${submission}, ${when} and ${amount} >= ${float(least)} and ${amount} <= ${float(most)})`

const npsScale = ratedWithin({ least: 0, most: 10 })
const promoters = ratedWithin({ least: 9, most: 10 })
const detractors = ratedWithin({ least: 0, most: 6 })
const csatScale = ratedWithin({ least: 1, most: 5 })
const satisfied = ratedWithin({ least: 4, most: 5 })

const aggregates = {
  total: ({ when }) => sql`countIf(${when})`,
  persons,
  visitors: distinct('visitors'),
  sessions: distinct('sessions'),
  groups: distinct('groups'),
  daily_actives: persons,
  weekly_actives: persons,
  monthly_actives: persons,
  sum: ({ when, amount }) => sql`ifNull(sumIf(${amount}, ${when}), 0)`,
  average: ({ when, amount }) => sql`avgIf(${amount}, ${when})`,
  median: percentile(0.5),
  p75: percentile(0.75),
  p90: percentile(0.9),
  p95: percentile(0.95),
  p99: percentile(0.99),
  min: ({ when, amount }) => sql`minIf(${amount}, ${when})`,
  max: ({ when, amount }) => sql`maxIf(${amount}, ${when})`,
  nps: (of) =>
    sql`100 * (toInt64(${promoters(of)}) - toInt64(${detractors(of)})) / nullIf(${npsScale(of)}, 0)`,
  csat: (of) => sql`100 * ${satisfied(of)} / nullIf(${csatScale(of)}, 0)`,
  per_person: ({ when, amount, ofPersons }) =>
    sql`sumIf(${amount}, ${when}) / nullIf(${ofPersons.where(sql`cityHash64(person)`, sql`${when} and ${amount} is not null`)}, 0)`,
} as const satisfies Record<MathName, (of: AggregateParts) => Sql>

const everyRow = sql`true`

/**
 * A measure as an aggregate on the columns of `events.rows()`; call it before `rows`. With `when`, it covers only the
 * matching rows. For active persons, pass the rows of all days that they cover.
 */
export function aggregateOf({ math, property, group }: Measure, events: Events, when: Sql = everyRow): Sql {
  return aggregates[math]({
    when,
    amount: property ? amountOf(property, events) : sql`toNullable(1.0)`,
    group: groupKey(group, events),
    submission: countsSubmissions(math) ? submissionOf(events) : sql`uuid`,
    ofPersons: events.distinct,
  })
}

/** An aggregate of small groups of rows, and of these groups. */
export interface MergeableAggregate {
  state: Sql
  merged: (state: Sql) => Sql
}

/** Returns a measure of distinct entities in two steps; undefined for others, which it does not make faster. */
export function mergeableAggregateOf(of: Measure, events: Events): MergeableAggregate | undefined {
  if (!countsEntities(of.math)) return undefined
  const { who, isThere } = entities[of.math](groupKey(of.group, events))
  const count = countOf(of.math, events.distinct)
  return { state: count.state(who, isThere), merged: count.merged }
}

const countsSubmissions = (math: MathName): boolean => math === 'nps' || math === 'csat'

function submissionOf(events: Events): Sql {
  const { text } = events.property({ type: 'event', key: '$survey_submission_id' })
  return sql`if(${text} != '', ${text}, toString(uuid))`
}

/** Returns the entity that a measure counts; undefined if it does not count distinct ones. */
export function entityOf({ math, group }: Measure, events: Events): MeasuredEntity | undefined {
  return countsEntities(math) ? entities[math](groupKey(group, events)) : undefined
}

const countsEntities = (math: MathName): math is keyof typeof entities => Object.hasOwn(entities, math)

const groupKey = (group: string | undefined, events: Events): Sql =>
  group === undefined ? sql`''` : events.property({ type: 'group', group, key: '$group_key' }).text

/** Excludes infinity, which comes only from parsing a text. */
function amountOf(property: z.infer<typeof measuredProperty>, events: Events): Sql {
  const number = asNumber(events.property(property))
  return sql`if(isFinite(${number}), ${number}, null)`
}

/** Returns the unit of a measure. */
export const unitOfMeasure = ({ property }: Measure): 'money' | 'number' =>
  property?.type === 'event' && property.key === '$revenue' ? 'money' : 'number'
