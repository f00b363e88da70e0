import { z } from 'zod'
import { float, type Sql, sql } from '../engine/sql'
import type { Events } from './events'
import { type MathName, mathNames, mathWords } from './maths'
import { asNumber } from './properties'

/** A property that is measured. */
export const measured = z.object({
  type: z.enum(['event', 'person', 'session', 'group']),
  key: z.string().min(1, 'Name the property.').max(200),
  /** The group's type, where `type` is 'group'. */
  group: z.string().min(1).max(200).optional(),
})

/** What of the events becomes a number. */
export const measure = z
  .object({
    math: z.enum(mathNames, { error: `Choose one of ${mathNames.join(', ')}.` }).default('total'),
    property: measured.optional(),
    /** Which type of groups are counted. */
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

/** What an aggregate is made of: expressions on the columns of `events.rows()`. */
export interface Ingredients {
  /** Which rows count. */
  when: Sql
  /** A number, or null where there is none. */
  amount: Sql
  /** The key of a group; empty where there is none. */
  group: Sql
}

const noSession = sql`toUUID('00000000-0000-0000-0000-000000000000')`

/** Who or what is counted once, however often it appears, and where it does. */
interface Entity {
  who: Sql
  isThere: Sql
}

const person: Entity = { who: sql`person`, isThere: sql`true` }

const entities = {
  persons: () => person,
  visitors: () => ({ who: sql`distinct_id`, isThere: sql`true` }),
  sessions: () => ({ who: sql`session_id`, isThere: sql`session_id != ${noSession}` }),
  groups: (group: Sql) => ({ who: group, isThere: sql`${group} != ''` }),
} as const satisfies Partial<Record<MathName, (group: Sql) => Entity>>

const distinct =
  (entity: (group: Sql) => Entity) =>
  ({ when, group }: Ingredients): Sql => {
    const { who, isThere } = entity(group)
    return sql`uniqExactIf(${who}, ${when} and ${isThere})`
  }

const percentile =
  (level: number) =>
  ({ when, amount }: Ingredients): Sql =>
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
} as const satisfies Record<MathName, (of: Ingredients) => Sql>

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

/** What a measure counts once each; undefined where it does not count so. */
export function entityOf({ math, group }: Measure, events: Events): Entity | undefined {
  return countsEntities(math) ? entities[math](groupKey(group, events)) : undefined
}

const countsEntities = (math: MathName): math is keyof typeof entities => Object.hasOwn(entities, math)

const groupKey = (group: string | undefined, events: Events): Sql =>
  group === undefined ? sql`''` : events.property({ type: 'group', group, key: '$group_key' }).text

/** Infinity is what an engine makes of a text, and nothing that anybody measured. */
function amountOf(property: z.infer<typeof measured>, events: Events): Sql {
  const number = asNumber(events.property(property))
  return sql`if(isFinite(${number}), ${number}, null)`
}

/** How a measure is written for people. */
export const writtenAs = ({ property }: Measure): 'money' | 'number' =>
  property?.type === 'event' && property.key === '$revenue' ? 'money' : 'number'
