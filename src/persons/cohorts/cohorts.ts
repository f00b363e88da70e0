import { z } from 'zod'
import { collectionClass, declareCollection } from '#collection/collection'
import type { CollectionDependencies } from '#collection/declaration'
import { shownAs } from '#collection/entry-shape'
import { requireRight, type Viewer } from '#projects/access'
import { type FailedOutcome, type Outcome, parseInput, failedOutcome } from '#projects/problems'
import type { StoreTransaction } from '#store/store'
import { type Cohort, type CohortDefinition, cohortSchema, type CohortName, cohortsNamedIn } from '../cohort'
import { addMembers, findCohort, cohortsOf, removeMember, deleteCohort, membersOf, saveCohort } from './store'

/** The limit of picked persons, who travel with every query about them. */
export const maxPickedPersons = 50_000

const cohortFields = cohortSchema.pick({ name: true, about: true, definition: true })

const persons = z
  .array(z.uuid('This is not the id of a person.'))
  .max(
    maxPickedPersons,
    `At most ${maxPickedPersons} persons can be picked. Say who they are by a property instead.`,
  )

/** A new cohort with a definition, or with persons picked one by one. */
const newCohort = cohortFields
  .extend({ about: cohortFields.shape.about.default(''), persons: persons.optional() })
  .refine(({ definition, persons: people }) => !definition || !people, {
    error: 'Give a definition or a list of persons, not both.',
  })

const pickedPersonsInput = z.strictObject({ persons })

export const cohortCollection = declareCollection({
  name: 'cohort',
  rights: { read: 'events:read', write: 'insights:write' },
  newEntry: newCohort,
  change: cohortFields.partial(),
  table: { list: cohortsOf, find: findCohort, save: saveCohort, remove: deleteCohort },
  idOf: ({ id }) => id,
  audit: {
    subject: ({ name }) => name,
    fields: ({ name, about, definition }) => ({ name, about, definition }),
  },
  applyNew: ({ name, about, definition }, { created, existing }) =>
    checked({ ...created, name, about, definition, changedAt: created.createdAt }, existing),
  applyChange: async (before, change, _viewer, { projectId, transaction, now: changedAt }) => {
    const { name = before.name, about = before.about, definition = before.definition } = change
    return definition && !before.definition
      ? failedOutcome('The persons of this cohort were picked; it takes no definition. Make a new one.')
      : checked({ ...before, name, about, definition, changedAt }, await cohortsOf(transaction, projectId))
  },
  afterSave: async (transaction, cohort, { input }) => {
    if (input && 'persons' in input) await addMembers(transaction, cohort, input.persons ?? [])
  },
  refuseRemoval: async ({ id }, transaction, projectId) => {
    const all = await cohortsOf(transaction, projectId)
    const user = all.find(({ definition }) => definition && cohortsNamedIn(definition).includes(id))
    return user && failedOutcome(`The cohort “${user.name}” is made with this one. Change that one first.`)
  },
  topic: 'cohorts',
  api: {
    summaries: {
      list: 'List cohorts',
      create: 'Make a cohort, by a definition or of picked persons',
      change: 'Change a cohort',
      remove: 'Remove a cohort',
    },
    ...shownAs('Cohort', cohortSchema.omit({ projectId: true })),
  },
})

/** All cohorts of a project, as what is needed to know who is in them. */
export type CohortMembership = ReadonlyMap<string, CohortDefinition | readonly string[]>

/** Merges announce no change; cohorts follow them after this time at most. */
const membershipCacheMs = 60_000

export class Cohorts extends collectionClass(cohortCollection) {
  private readonly cachedMemberships = new Map<number, { membership: CohortMembership; at: number }>()

  constructor(dependencies: CollectionDependencies) {
    super(dependencies)
    dependencies.store.onChange((topic) => topic === 'cohorts' && this.cachedMemberships.clear())
  }

  async names(projectId: number, viewer: Viewer): Promise<CohortName[]> {
    const cohorts = await this.list(projectId, viewer)
    return cohorts.map(({ id, name }) => ({ id, name }))
  }

  async find(projectId: number, id: string, viewer: Viewer): Promise<Cohort | undefined> {
    return await this.read(projectId, id, viewer)
  }

  async addPersons(projectId: number, id: string, input: unknown, viewer: Viewer): Promise<Outcome> {
    requireRight('insights:write', projectId, viewer)
    const parsed = parseInput(pickedPersonsInput, input)
    if (!parsed.done) return parsed
    return await this.alter('cohort.change', projectId, id, viewer, (cohort, transaction) =>
      withMembers(transaction, cohort, parsed.value.persons),
    )
  }

  async removePerson(projectId: number, id: string, personId: string, viewer: Viewer): Promise<Outcome> {
    requireRight('insights:write', projectId, viewer)
    return await this.commit(async (transaction) => {
      const cohort = await findCohort(transaction, projectId, id)
      if (!cohort) return this.missing()
      if (cohort.definition) return isDefined
      await removeMember(transaction, cohort, personId)
      await transaction.announce('cohorts')
      return { done: true }
    })
  }

  /** Returns the cohorts for the compilation of queries. Does not check access. */
  async membership(projectId: number): Promise<CohortMembership> {
    const known = this.cachedMemberships.get(projectId)
    if (known && performance.now() - known.at < membershipCacheMs) return known.membership
    const cohorts = await cohortsOf(this.dependencies.store, projectId)
    const isPicked = cohorts.some(({ definition }) => !definition)
    const members = isPicked
      ? await membersOf(this.dependencies.store, projectId)
      : new Map<string, Set<string>>()
    const membership = new Map(
      cohorts.map(({ id, definition }) => [id, definition ?? [...(members.get(id) ?? [])]]),
    )
    this.cachedMemberships.set(projectId, { membership, at: performance.now() })
    return membership
  }
}

const isDefined = failedOutcome('Who is in this cohort is said by its definition.')

async function withMembers(
  transaction: StoreTransaction,
  cohort: Cohort,
  people: readonly string[],
): Promise<Cohort | FailedOutcome> {
  if (cohort.definition) return isDefined
  const memberCount = (await membersOf(transaction, cohort.projectId)).get(cohort.id)?.size ?? 0
  if (memberCount + people.length > maxPickedPersons)
    return failedOutcome(`At most ${maxPickedPersons} persons can be picked for one cohort.`, 'persons')
  await addMembers(transaction, cohort, people)
  return cohort
}

function checked(cohort: Cohort, others: readonly Cohort[]): Cohort | FailedOutcome {
  const problem = definitionProblem(cohort, others)
  return problem === undefined ? cohort : failedOutcome(problem, 'definition')
}

/** Refuses a cohort whose members depend on itself. */
function definitionProblem({ id, definition }: Cohort, others: readonly Cohort[]): string | undefined {
  if (!definition) return undefined
  const all = new Map(others.map((one) => [one.id, one]))
  const named = cohortsNamedIn(definition)
  const unknown = named.find((one) => !all.has(one) && one !== id)
  if (unknown !== undefined) return `There is no cohort “${unknown}” in this project.`
  const through = named.find((one) => one === id || refersTo(id, one, all, new Set()))
  if (through === undefined) return undefined
  return through === id
    ? 'A cohort cannot be made with itself.'
    : `The cohort “${all.get(through)?.name ?? through}” is made with this one, so this one cannot be made with it.`
}

function refersTo(
  wanted: string,
  from: string,
  all: ReadonlyMap<string, Cohort>,
  seen: Set<string>,
): boolean {
  if (from === wanted) return true
  if (seen.has(from)) return false
  seen.add(from)
  const definition = all.get(from)?.definition
  return (
    definition !== undefined && cohortsNamedIn(definition).some((one) => refersTo(wanted, one, all, seen))
  )
}
