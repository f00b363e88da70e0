import { isSameText } from '#collection/canonical-text'
import { failedOutcome, type InputProblem, type Outcome, parseInput } from '#projects/problems'
import type { Configuration, StoredConfiguration } from './configuration-file'
import { withReferences } from './references'
import type { Fields, Section, SectionContext, StoredDefinition } from './section'
import { type SectionName, sectionNames, sections } from './sections'

/** A field that differs, with references as names. */
export interface FieldDifference {
  field: string
  before: unknown
  after: unknown
}

/** A definition that the file and the project compare: what is to happen to it. */
export type PlannedDefinition = { section: SectionName; key: string } & (
  | { verb: 'create'; fields: Fields }
  | { verb: 'change'; stored: StoredDefinition; differences: FieldDifference[] }
  | { verb: 'keep'; stored: StoredDefinition }
  | { verb: 'remove'; stored: StoredDefinition }
  /** In the project and not in the file. */
  | { verb: 'leave'; stored: StoredDefinition }
)

/** Compares a file with a project. Nothing is planned if one definition of the file is refused. */
export function planned(
  file: Configuration,
  stored: StoredConfiguration,
  { prune = false }: { prune?: boolean } = {},
): Outcome<{ plan: PlannedDefinition[] }> {
  const ids = new PlannedIds(file, stored)
  const plan: PlannedDefinition[] = []
  const problems: InputProblem[] = []
  for (const section of sectionNames) {
    const entries = file.get(section)
    if (!entries) continue
    const known = stored.get(section) ?? []
    for (const [key, fields] of entries) {
      const before = known.find((one) => one.key === key)
      const checked = checkedFields(section, { key, fields, before }, ids)
      if (checked.done) plan.push(comparison(section, key, checked.fields, before))
      else problems.push(...checked.problems)
    }
    for (const one of known)
      if (!entries.has(one.key))
        plan.push({
          section,
          key: one.key,
          stored: one,
          verb: prune && canRemove(section) ? 'remove' : 'leave',
        })
  }
  return problems.length > 0 ? { done: false, problems } : { done: true, plan }
}

const sectionOf = (name: SectionName): Section => sections[name]

const canRemove = (name: SectionName): boolean => sectionOf(name).remove !== undefined

function comparison(
  section: SectionName,
  key: string,
  fields: Fields,
  stored: StoredDefinition | undefined,
): PlannedDefinition {
  if (!stored) return { section, key, verb: 'create', fields }
  const differences = Object.entries(fields).flatMap(([field, after]): FieldDifference[] => {
    const before = stored.fields[field]
    return isSameText(before, after) ? [] : [{ field, before, after }]
  })
  return differences.length > 0
    ? { section, key, verb: 'change', stored, differences }
    : { section, key, verb: 'keep', stored }
}

/** Checks a definition as the product would, and returns its fields in their stored form, with names as references. */
function checkedFields(
  name: SectionName,
  { key, fields, before }: { key: string; fields: Fields; before: StoredDefinition | undefined },
  ids: PlannedIds,
): Outcome<{ fields: Fields }> {
  const section = sectionOf(name)
  const place = section.isSingle ? name : `${name}.${key}`
  const unknown = Object.keys(fields).flatMap((field): InputProblem[] =>
    section.fields.includes(field)
      ? []
      : [{ field: `${place}.${field}`, message: `A file has no such field of ${section.noun}s.` }],
  )
  const withIds = (value: Fields) =>
    // references replace texts and numbers only
    withReferences(value, (target, reference, at) => {
      const id = ids.of(target, reference)
      if (id === undefined)
        unknown.push({
          field: `${place}.${at}`,
          message: `There is no ${sections[target].noun} “${reference}”, neither in the file nor in the project.`,
        })
      return id
    }) as Fields
  const resolved = withIds(fields)
  if (unknown.length > 0) return { done: false, problems: unknown }
  // an entry that is there already may be given in part
  const whole = { ...(before && withIds(wholeFields(before))), ...resolved, ...section.named(key) }
  const parsed = parseInput(section.schema, whole)
  if (!parsed.done) return placed(parsed.problems, place)
  const given = pick(Object(parsed.value), Object.keys(fields))
  const normal = section.normal?.(given) ?? { done: true as const, fields: given }
  if (!normal.done) return placed(normal.problems, place)
  return {
    done: true,
    fields: withReferences(normal.fields, (target, id) => ids.nameOf(target, id)) as Fields,
  }
}

/** The fields with the recipients that the file does not name, so that an alert for webhooks alone is whole. */
const wholeFields = ({ fields, others = {} }: StoredDefinition): Fields => ({
  ...fields,
  ...Object.fromEntries(
    Object.entries(others).map(([field, list]) => [field, [...listOf(fields[field]), ...list]]),
  ),
})

const listOf = (value: unknown): readonly unknown[] => (Array.isArray(value) ? value : [])

const placed = (problems: readonly InputProblem[], place: string): Outcome<never> => ({
  done: false,
  problems: problems.map(({ field, message }) => ({
    field: field === undefined ? place : `${place}.${field}`,
    message,
  })),
})

const pick = (value: Fields, names: readonly string[]): Fields =>
  // as JSON: a date of a schema is a text in the file
  JSON.parse(JSON.stringify(Object.fromEntries(names.map((name) => [name, value[name]])))) as Fields

/** The ids of definitions by their names, those that are planned included. */
class PlannedIds {
  private readonly ids = new Map<string, string | number>()
  private readonly names = new Map<string, string>()

  constructor(file: Configuration, stored: StoredConfiguration) {
    for (const [section, entries] of stored) for (const { key, id } of entries) this.add(section, key, id)
    let count = 0
    for (const [section, entries] of file)
      for (const key of entries.keys())
        if (this.of(section, key) === undefined) this.add(section, key, placeholderOf(section, ++count))
  }

  of(section: SectionName, name: string | number): string | number | undefined {
    return this.ids.get(`${section} ${name}`)
  }

  nameOf(section: SectionName, id: string | number): string | undefined {
    return this.names.get(`${section} ${id}`)
  }

  private add(section: SectionName, key: string, id: string | number): void {
    this.ids.set(`${section} ${key}`, id)
    this.names.set(`${section} ${id}`, key)
  }
}

/** The id of a definition that is not there yet, as far as schemas ask for one. */
const placeholderOf = (section: SectionName, number: number): string | number =>
  section === 'holdouts' || section === 'layers' ? 1_000_000_000 + number : `planned-${number}`

/**
 * Writes a plan by the product's own methods. What needs another definition waits until that is written; what is refused
 * does not stop the rest.
 */
export async function applied(
  plan: readonly PlannedDefinition[],
  stored: StoredConfiguration,
  context: SectionContext,
): Promise<Outcome> {
  const ids = new Map<string, string | number>()
  for (const [section, entries] of stored) for (const { key, id } of entries) ids.set(`${section} ${key}`, id)
  const removals = plan.filter(({ verb }) => verb === 'remove').toReversed()
  let waiting = [...plan.filter(({ verb }) => verb === 'create' || verb === 'change'), ...removals]
  let problems: InputProblem[] = []
  for (let before = Infinity; waiting.length > 0 && waiting.length < before;) {
    before = waiting.length
    problems = []
    const left: PlannedDefinition[] = []
    for (const one of waiting) {
      const outcome = await written(one, ids, context)
      if (outcome.done) continue
      left.push(one)
      problems.push(...placed(outcome.problems, `${one.section}.${one.key}`).problems)
    }
    waiting = left
  }
  return waiting.length > 0 ? { done: false, problems } : { done: true }
}

async function written(
  one: PlannedDefinition,
  ids: Map<string, string | number>,
  context: SectionContext,
): Promise<Outcome> {
  const section = sectionOf(one.section)
  if (one.verb === 'remove') return (await section.remove?.(context, one.stored)) ?? { done: true }
  const fields =
    one.verb === 'create'
      ? one.fields
      : one.verb === 'change'
        ? changeOf(section, one.stored, one.differences)
        : {}
  let missing: string | undefined
  const input = withReferences(fields, (target, name) => {
    const id = ids.get(`${target} ${name}`)
    if (id === undefined) missing = `It needs the ${sections[target].noun} “${name}”, which is not there.`
    return id
  }) as Fields
  if (missing !== undefined) return failedOutcome(missing)
  if (one.verb === 'change') return await section.change(context, one.stored, input)
  const outcome = await section.create(context, { ...input, ...section.named(one.key) })
  if (!outcome.done) return outcome
  const created = (await section.list(context)).find(({ key }) => key === one.key)
  if (created) ids.set(`${one.section} ${one.key}`, created.id)
  return outcome
}

/** The input of a change: the fields that differ, with null where one of their objects has less than before. */
function changeOf(
  { completed = [] }: Section,
  stored: StoredDefinition,
  differences: readonly FieldDifference[],
): Fields {
  // recipients that the file does not name stay
  const kept = (field: string): readonly unknown[] => stored.others?.[field] ?? []
  return Object.fromEntries(
    differences.map(({ field, before, after }) => [
      field,
      kept(field).length > 0
        ? [...listOf(after), ...kept(field)]
        : withNulls(before, after, field, completed),
    ]),
  )
}

function withNulls(before: unknown, after: unknown, path: string, completed: readonly string[]): unknown {
  if (!isObject(before) || !isObject(after)) return after
  const isCompleted = completed.some((pattern) => fits(pattern, path))
  const gone = isCompleted ? Object.keys(before).filter((name) => !Object.hasOwn(after, name)) : []
  const own = Object.entries(after).map(([name, value]): [string, unknown] => [
    name,
    withNulls(before[name], value, `${path}.${name}`, completed),
  ])
  return Object.fromEntries([...own, ...gone.map((name): [string, unknown] => [name, null])])
}

function fits(pattern: string, path: string): boolean {
  const [wanted, given] = [pattern.split('.'), path.split('.')]
  return wanted.length === given.length && wanted.every((part, i) => part === '*' || part === given[i])
}

const isObject = (value: unknown): value is Record<string, unknown> =>
  typeof value === 'object' && value !== null && !Array.isArray(value)
