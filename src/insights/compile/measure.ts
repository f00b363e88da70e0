import { z } from 'zod'
import { float, type Sql, sql } from '#engine/sql'
import type { Events } from './events'
import { type MathName, mathNames, mathWords } from '../measures/maths'
import { asNumber } from './properties'

/** The property that a measure aggregates. */
export const measuredProperty = z.object({
  type: z.enum(['event', 'person', 'session', 'group']),
  key: z.string().min(1, 'Name the property.').max(200),
  /** The group's type if `type` is 'group'. */
  group: z.string().min(1).max(200).optional(),
})

/** How events become a number. */
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
export interface AggregateParts {
  /** The rows that count. */
  when: Sql
  /** A number, or null. */
  amount: Sql
  /** The key of a group, or an empty text. */
  group: Sql
}

const noSession = sql`toUUID('00000000-0000-0000-0000-000000000000')`

/** An entity that is counted once, and the rows in which it counts. */
interface MeasuredEntity {
  who: Sql
  isThere: Sql
}

const person: MeasuredEntity = { who: sql`person`, isThere: sql`true` }

const entities = {
  persons: () => person,
  visitors: () => ({ who: sql`distinct_id`, isThere: sql`true` }),
  sessions: () => ({ who: sql`session_id`, isThere: sql`session_id != ${noSession}` }),
  groups: (group: Sql) => ({ who: group, isThere: sql`${group} != ''` }),
} as const satisfies Partial<Record<MathName, (group: Sql) => MeasuredEntity>>

const distinct =
  (entity: (group: Sql) => MeasuredEntity) =>
  ({ when, group }: AggregateParts): Sql => {
    const { who, isThere } = entity(group)
    return sql`uniqExactIf(${who}, ${when} and ${isThere})`
  }

const percentile =
  (level: number) =>
  ({ when, amount }: AggregateParts): Sql =>
    sql`quantileExactInclusiveIf(${float(level)})(${amount}, ${when})`

const persons = distinct(entities.persons)

const aggregates = {
  total: ({ when }) => sql`countIf(${when})`,
  persons,
  visitors: distinct(entities.visitors),
  sessions: distinct(entities.sessions),
  groups: distinct(entities.groups),
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
  per_person: ({ when, amount }) =>
    sql`sumIf(${amount}, ${when}) / nullIf(uniqExactIf(person, ${when} and ${amount} is not null), 0)`,
} as const satisfies Record<MathName, (of: AggregateParts) => Sql>

const everyRow = sql`true`

/**
 * A measure as an aggregate on the columns of `events.rows()`; call it before `rows`. With `when`, only of the rows for
 * which that holds. Actives are the persons of the rows: give it those of the days they look back over.
 */
export function aggregateOf({ math, property, group }: Measure, events: Events, when: Sql = everyRow): Sql {
  return aggregates[math]({
    when,
    amount: property ? amountOf(property, events) : sql`toNullable(1.0)`,
    group: groupKey(group, events),
  })
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
