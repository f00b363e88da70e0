import { z } from 'zod'
import { requireRight, type Viewer } from '#projects/access'
import { recordAudit } from '#projects/audit'
import { nameFor } from '#projects/name'
import { type Outcome, parseInput, failedOutcome } from '#projects/problems'
import { newId } from '#projects/secrets'
import type { Store } from '#store/store'
import type { World } from '#world/world'
import {
  type Cohort,
  type CohortDefinition,
  cohortDefinition,
  type CohortName,
  cohortsNamedIn,
} from '../cohort'
import { addMembers, findCohort, cohortsOf, removeMember, deleteCohort, membersOf, saveCohort } from './store'

/** They travel with every question about them. */
export const maxPickedPersons = 50_000

const cohortFields = {
  name: nameFor('Name the cohort after who is in it.'),
  about: z.string().max(1000, 'Use at most 1000 characters.').default(''),
}

const persons = z
  .array(z.uuid('This is not the id of a person.'))
  .max(
    maxPickedPersons,
    `At most ${maxPickedPersons} persons can be picked. Say who they are by a property instead.`,
  )

/** With a definition, or with persons picked one by one. */
export const newCohort = z
  .strictObject({ ...cohortFields, definition: cohortDefinition.optional(), persons: persons.optional() })
  .refine(({ definition, persons: people }) => !definition || !people, {
    error: 'Give a definition or a list of persons, not both.',
  })

export const cohortChange = z.strictObject({
  name: cohortFields.name.optional(),
  about: cohortFields.about.optional(),
  definition: cohortDefinition.optional(),
})

const pickedPersonsInput = z.strictObject({ persons })

/** All cohorts of a project, as what is needed to know who is in them. */
export type CohortMembership = ReadonlyMap<string, CohortDefinition | readonly string[]>

/** Merges announce no change; cohorts follow them after this time at most. */
const membershipCacheMs = 60_000

export class Cohorts {
  private readonly cachedMemberships = new Map<number, { membership: CohortMembership; at: number }>()

  constructor(private readonly dependencies: { store: Store; world: World }) {
    dependencies.store.onChange((topic) => topic === 'cohorts' && this.cachedMemberships.clear())
  }

  async list(projectId: number, viewer: Viewer): Promise<Cohort[]> {
    requireRight('events:read', projectId, viewer)
    return await cohortsOf(this.dependencies.store, projectId)
  }

  async names(projectId: number, viewer: Viewer): Promise<CohortName[]> {
    const cohorts = await this.list(projectId, viewer)
    return cohorts.map(({ id, name }) => ({ id, name }))
  }

  async find(projectId: number, id: string, viewer: Viewer): Promise<Cohort | undefined> {
    requireRight('events:read', projectId, viewer)
    return await findCohort(this.dependencies.store, projectId, id)
  }

  async create(projectId: number, input: unknown, viewer: Viewer): Promise<Outcome<{ cohort: Cohort }>> {
    requireRight('insights:write', projectId, viewer)
    const parsed = parseInput(newCohort, input)
    if (!parsed.done) return parsed
    const { name, about, definition, persons: people = [] } = parsed.value
    const now = this.dependencies.world.now()
    const cohort: Cohort = {
      id: newId(this.dependencies.world),
      projectId,
      name,
      about,
      definition,
      createdBy: viewer.name,
      createdAt: now,
      changedAt: now,
    }
    return await this.save(cohort, viewer, { people })
  }

  async change(
    projectId: number,
    id: string,
    input: unknown,
    viewer: Viewer,
  ): Promise<Outcome<{ cohort: Cohort }>> {
    requireRight('insights:write', projectId, viewer)
    const parsed = parseInput(cohortChange, input)
    if (!parsed.done) return parsed
    const before = await findCohort(this.dependencies.store, projectId, id)
    if (!before) return cohortNotFound
    const { name = before.name, about = before.about, definition = before.definition } = parsed.value
    if (definition && !before.definition)
      return failedOutcome('The persons of this cohort were picked; it takes no definition. Make a new one.')
    const cohort = { ...before, name, about, definition, changedAt: this.dependencies.world.now() }
    return await this.save(cohort, viewer, { before })
  }

  async remove(projectId: number, id: string, viewer: Viewer): Promise<Outcome> {
    requireRight('insights:write', projectId, viewer)
    const all = await cohortsOf(this.dependencies.store, projectId)
    const cohort = all.find((one) => one.id === id)
    if (!cohort) return cohortNotFound
    const user = all.find(({ definition }) => definition && cohortsNamedIn(definition).includes(id))
    if (user) return failedOutcome(`The cohort “${user.name}” is made with this one. Change that one first.`)
    await this.dependencies.store.transaction(async (transaction) => {
      await deleteCohort(transaction, cohort)
      await transaction.announce('cohorts')
      await recordAudit(
        transaction,
        { action: 'cohort.remove', subject: cohort.name, projectId, before: auditedFields(cohort) },
        viewer,
        this.dependencies.world.now(),
      )
    })
    return { done: true }
  }

  async addPersons(projectId: number, id: string, input: unknown, viewer: Viewer): Promise<Outcome> {
    requireRight('insights:write', projectId, viewer)
    const parsed = parseInput(pickedPersonsInput, input)
    if (!parsed.done) return parsed
    const cohort = await findCohort(this.dependencies.store, projectId, id)
    if (!cohort) return cohortNotFound
    if (cohort.definition) return failedOutcome('Who is in this cohort is said by its definition.')
    return await this.save(cohort, viewer, { people: parsed.value.persons, before: cohort })
  }

  async removePerson(projectId: number, id: string, personId: string, viewer: Viewer): Promise<Outcome> {
    requireRight('insights:write', projectId, viewer)
    const cohort = await findCohort(this.dependencies.store, projectId, id)
    if (!cohort) return cohortNotFound
    if (cohort.definition) return failedOutcome('Who is in this cohort is said by its definition.')
    await this.dependencies.store.transaction(async (transaction) => {
      await removeMember(transaction, cohort, personId)
      await transaction.announce('cohorts')
    })
    return { done: true }
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

  private async save(
    cohort: Cohort,
    viewer: Viewer,
    { people = [], before }: { people?: readonly string[]; before?: Cohort },
  ): Promise<Outcome<{ cohort: Cohort }>> {
    const { store, world } = this.dependencies
    const { projectId, name } = cohort
    return await store.transaction(async (transaction): Promise<Outcome<{ cohort: Cohort }>> => {
      const problem = cohortProblem(cohort, await cohortsOf(transaction, projectId))
      if (problem) return failedOutcome(problem, 'definition')
      const memberCount = (await membersOf(transaction, projectId)).get(cohort.id)?.size ?? 0
      if (memberCount + people.length > maxPickedPersons)
        return failedOutcome(`At most ${maxPickedPersons} persons can be picked for one cohort.`, 'persons')
      await saveCohort(transaction, cohort)
      await addMembers(transaction, cohort, people)
      await transaction.announce('cohorts')
      const action = before ? 'cohort.change' : 'cohort.create'
      const entry = { action, subject: name, projectId, after: auditedFields(cohort) } as const
      await recordAudit(
        transaction,
        before ? { ...entry, before: auditedFields(before) } : entry,
        viewer,
        world.now(),
      )
      return { done: true, cohort }
    })
  }
}

const cohortNotFound = failedOutcome('There is no such cohort in this project.')

const auditedFields = ({ name, about, definition }: Cohort) => ({ name, about, definition })

/** Who is in a cohort must not depend on who is in it. */
function cohortProblem({ id, definition }: Cohort, others: readonly Cohort[]): string | undefined {
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
