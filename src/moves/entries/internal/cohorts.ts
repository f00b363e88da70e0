import { z } from 'zod'
import { filterFrom } from '#api/posthog/property-filters'
import { failedOutcome, type Outcome } from '#projects/problems'
import { type EntryMove, idIn, makeEach, textIn, type TheirEntry, type Translated } from './entry-move'

type DefinitionOutcome = Outcome<{ definition: object; notes: readonly string[] }>

/** Makes cohorts that are described by rules; one that is made of another comes after it. */
export async function moveCohorts(move: EntryMove): Promise<void> {
  const all = (await move.client.list('cohorts/')).filter((one) => one['deleted'] !== true)
  await makeEach(move, 'cohorts', inOrder(all), {
    nameOf: (entry) => textIn(entry, 'name') || `cohort ${idIn(entry)}`,
    translate: (entry) => cohortFrom(entry, move),
    create: async (input) => {
      const outcome = await move.product.people.cohorts.create(move.project.id, input, move.viewer)
      return outcome.done ? { done: true, id: outcome.cohort.id } : outcome
    },
    made: (entry, ourId) => void move.cohortIds.set(idIn(entry), ourId),
  })
}

/** Sorts cohorts: those that name no other cohort come first, then those that name these. */
export function inOrder(all: readonly TheirEntry[]): TheirEntry[] {
  const ids = new Set(all.map(idIn))
  const placed = new Set<string>()
  const ordered: TheirEntry[] = []
  for (let before = -1; before !== ordered.length;) {
    before = ordered.length
    for (const entry of all) {
      const needed = cohortsIn(entry['filters']).filter((id) => ids.has(id))
      if (placed.has(idIn(entry)) || !needed.every((id) => placed.has(id))) continue
      placed.add(idIn(entry))
      ordered.push(entry)
    }
  }
  return [...ordered, ...all.filter((entry) => !placed.has(idIn(entry)))]
}

function cohortsIn(given: unknown): string[] {
  if (Array.isArray(given)) return given.flatMap(cohortsIn)
  if (typeof given !== 'object' || given === null) return []
  if ('type' in given && given.type === 'cohort' && 'value' in given) return [String(given.value)]
  return Object.values(given).flatMap(cohortsIn)
}

const filters = z.looseObject({ properties: z.unknown() })

export function cohortFrom(
  entry: TheirEntry,
  { groupTypes, cohortIds }: Pick<EntryMove, 'groupTypes' | 'cohortIds'>,
): Translated {
  if (entry['is_static'] === true)
    return failedOutcome(
      'Its persons were picked one by one. Say who they are by a property, or pick them again.',
    )
  const read = filters.safeParse(entry['filters'])
  if (!read.success || !read.data.properties)
    return failedOutcome('PostHog keeps it in an old form. Save it there once more.')
  const defined = definitionFrom(read.data.properties, { groupTypes, cohortIds })
  if (!defined.done) return defined
  const { definition, notes } = defined
  return {
    done: true,
    notes,
    input: {
      name: textIn(entry, 'name') || `Cohort ${idIn(entry)}`,
      about: textIn(entry, 'description').slice(0, 1000),
      definition,
    },
  }
}

type CohortContext = Pick<EntryMove, 'groupTypes' | 'cohortIds'>

const group = z.looseObject({ type: z.enum(['AND', 'OR']), values: z.array(z.unknown()) })
const leaf = z.looseObject({ type: z.string(), negation: z.boolean().nullish() })

function definitionFrom(given: unknown, context: CohortContext): DefinitionOutcome {
  const read = group.safeParse(given)
  if (!read.success) return leafFrom(given, context)
  const parts: object[] = []
  const notes: string[] = []
  for (const one of read.data.values) {
    const part = definitionFrom(one, context)
    if (!part.done) return part
    parts.push(part.definition)
    notes.push(...part.notes)
  }
  const [first] = parts
  if (!first) return failedOutcome('It has no conditions.')
  const joined = parts.length === 1 ? first : { [read.data.type === 'AND' ? 'all' : 'any']: parts }
  return { done: true, definition: joined, notes }
}

/** A negation is taken off the condition and put around it. */
function leafFrom(given: unknown, context: CohortContext): DefinitionOutcome {
  const read = leaf.safeParse(given)
  if (!read.success) return failedOutcome('It has a condition in a form that is unknown here.')
  const { negation, ...rest } = read.data
  const translate = leaves[rest.type]
  if (!translate)
    return failedOutcome(`It has a condition of the kind “${rest.type}”, which cohorts here do not have.`)
  const part = translate(rest, context)
  if (!part.done || negation !== true) return part
  return { ...part, definition: { not: part.definition } }
}

type Leaf = Omit<z.infer<typeof leaf>, 'negation'>

const leaves: Readonly<
  Record<string, ((given: Leaf, context: CohortContext) => DefinitionOutcome) | undefined>
> = {
  person: (given, { groupTypes }) => {
    const filtered = filterFrom(given, groupTypes)
    if (!filtered.done) return filtered
    return filtered.filter
      ? { done: true, definition: { is: filtered.filter }, notes: [] }
      : failedOutcome('It has an empty condition.')
  },
  cohort: (given, { cohortIds }) => {
    const posthogId = String(given['value'])
    const ours = cohortIds.get(posthogId)
    if (ours === undefined)
      return failedOutcome(`It is made with the cohort ${posthogId} of PostHog, which is not here.`)
    const isIn = { in: ours }
    return { done: true, definition: given['operator'] === 'not_in' ? { not: isIn } : isIn, notes: [] }
  },
  behavioral: behaviourFrom,
}

const behaviour = z.looseObject({
  key: z.union([z.string(), z.number()]),
  value: z.string(),
  event_type: z.string().nullish(),
  event_filters: z.array(z.unknown()).nullish(),
  time_value: z.union([z.number(), z.string()]).nullish(),
  time_interval: z.string().nullish(),
  explicit_datetime: z.string().nullish(),
  explicit_datetime_to: z.string().nullish(),
  operator: z.string().nullish(),
  operator_value: z.union([z.number(), z.string()]).nullish(),
})
type Behaviour = z.infer<typeof behaviour>

function behaviourFrom(given: Leaf, { groupTypes }: CohortContext): DefinitionOutcome {
  const read = behaviour.safeParse(given)
  if (!read.success) return failedOutcome('It has a condition on events in a form that is unknown here.')
  const { key, event_type, event_filters } = read.data
  if (event_type === 'actions')
    return failedOutcome('It asks for an action. Tilth has events: describe the action by its event.')
  const filtered = filterFrom(event_filters ?? [], groupTypes)
  if (!filtered.done) return filtered
  const span = spanOf(read.data)
  if (!span.done) return span
  const event = { event: String(key), ...(filtered.filter && { filter: filtered.filter }) }
  const within = span.days === undefined ? undefined : { days: span.days }
  const definition = eventMatcherOf(event, within, read.data)
  return definition.done ? { done: true, definition: definition.definition, notes: span.notes } : definition
}

const timesBy: Readonly<Record<string, ((count: number) => { at: string; count: number }) | undefined>> = {
  gte: (count) => ({ at: 'least', count }),
  gt: (count) => ({ at: 'least', count: count + 1 }),
  lte: (count) => ({ at: 'most', count }),
  lt: (count) => ({ at: 'most', count: count - 1 }),
  eq: (count) => ({ at: 'exactly', count }),
  exact: (count) => ({ at: 'exactly', count }),
}

function eventMatcherOf(
  event: object,
  within: { days: number } | undefined,
  { value, operator, operator_value }: Behaviour,
): Outcome<{ definition: object }> {
  const did = { did: event, ...(within && { within }) }
  if (value === 'performed_event') return { done: true, definition: did }
  if (value === 'performed_event_first_time')
    return within
      ? { done: true, definition: { first: event, within } }
      : failedOutcome('It asks for a first time without a period.')
  const times = timesBy[operator ?? 'gte']?.(Number(operator_value ?? Number.NaN))
  if (value !== 'performed_event_multiple' || !times || Number.isNaN(times.count))
    return failedOutcome(`It asks for “${value.replaceAll('_', ' ')}”, which cohorts here do not have.`)
  const counted = { ...did, times }
  // PostHog counts persons who have the event at all
  return { done: true, definition: times.at === 'most' ? { all: [did, counted] } : counted }
}

const daysIn: Readonly<Record<string, number | undefined>> = {
  d: 1,
  day: 1,
  w: 7,
  week: 7,
  m: 30,
  month: 30,
  y: 365,
  year: 365,
}

type Span = Outcome<{ days: number | undefined; notes: readonly string[] }>

/** The last days that a condition is about; undefined for all time. */
function spanOf({ time_value, time_interval, explicit_datetime, explicit_datetime_to }: Behaviour): Span {
  if (explicit_datetime_to) return failedOutcome('It asks for a period with an end.')
  if (!explicit_datetime)
    return time_interval
      ? lastDays(Number(time_value), time_interval)
      : { done: true, days: undefined, notes: [] }
  const [, amount, letter] = /^-(\d+)([a-z])/.exec(explicit_datetime) ?? []
  return letter === undefined
    ? failedOutcome(`It asks for events since “${explicit_datetime}”; a cohort here has the last days.`)
    : lastDays(Number(amount), letter)
}

function lastDays(count: number, unit: string): Span {
  const days = daysIn[unit]
  if (days === undefined || Number.isNaN(count))
    return failedOutcome(`It asks for the last ${count} ${unit}; a cohort here has days.`)
  return {
    done: true,
    days: Math.max(1, Math.round(count * days)),
    notes: days >= 30 ? [`A ${days === 30 ? 'month' : 'year'} of its period is ${days} days here.`] : [],
  }
}
