import { z } from 'zod'
import { requireRight, type Viewer } from '../projects/access'
import { record } from '../projects/audit'
import { nameFor } from '../projects/name'
import { type Outcome, parse, undone } from '../projects/problems'
import { newId } from '../projects/secrets'
import type { Store } from '../store/store'
import type { World } from '../world/world'
import {
  type Cohort,
  type CohortDefinition,
  cohortDefinition,
  type CohortName,
  cohortsNamedIn,
} from './cohort'
import {
  addMembers,
  cohortNumbered,
  cohortsOf,
  dropMember,
  forgetCohort,
  membersOf,
  saveCohort,
} from './cohorts/store'

/** They travel with every question about them. */
export const mostPicked = 50_000

const told = {
  name: nameFor('Name the cohort after who is in it.'),
  about: z.string().max(1000, 'Use at most 1000 characters.').default(''),
}

const persons = z
  .array(z.uuid('This is not the id of a person.'))
  .max(mostPicked, `At most ${mostPicked} persons can be picked. Say who they are by a property instead.`)

/** With a definition, or with persons picked one by one. */
export const newCohort = z
  .strictObject({ ...told, definition: cohortDefinition.optional(), persons: persons.optional() })
  .refine(({ definition, persons: people }) => !definition || !people, {
    error: 'Give a definition or a list of persons, not both.',
  })

export const cohortChange = z.strictObject({
  name: told.name.optional(),
  about: told.about.optional(),
  definition: cohortDefinition.optional(),
})

const picked = z.strictObject({ persons })

/** All cohorts of a project, as what is needed to know who is in them. */
export type Membership = ReadonlyMap<string, CohortDefinition | readonly string[]>

/** Merges change who somebody is without a word; this much later at most it counts for cohorts, too. */
const goodForMs = 60_000

export class Cohorts {
  private readonly kept = new Map<number, { membership: Membership; at: number }>()

  constructor(private readonly ground: { store: Store; world: World }) {
    ground.store.onChange((topic) => topic === 'cohorts' && this.kept.clear())
  }

  async list(projectId: number, viewer: Viewer): Promise<Cohort[]> {
    requireRight('events:read', projectId, viewer)
    return await cohortsOf(this.ground.store, projectId)
  }

  async names(projectId: number, viewer: Viewer): Promise<CohortName[]> {
    const cohorts = await this.list(projectId, viewer)
    return cohorts.map(({ id, name }) => ({ id, name }))
  }

  async find(projectId: number, id: string, viewer: Viewer): Promise<Cohort | undefined> {
    requireRight('events:read', projectId, viewer)
    return await cohortNumbered(this.ground.store, projectId, id)
  }

  async create(projectId: number, input: unknown, viewer: Viewer): Promise<Outcome<{ cohort: Cohort }>> {
    requireRight('insights:write', projectId, viewer)
    const parsed = parse(newCohort, input)
    if (!parsed.done) return parsed
    const { name, about, definition, persons: people = [] } = parsed.value
    const now = this.ground.world.now()
    const cohort: Cohort = {
      id: newId(this.ground.world),
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
    const parsed = parse(cohortChange, input)
    if (!parsed.done) return parsed
    const before = await cohortNumbered(this.ground.store, projectId, id)
    if (!before) return missing
    const { name = before.name, about = before.about, definition = before.definition } = parsed.value
    if (definition && !before.definition)
      return undone('The persons of this cohort were picked; it takes no definition. Make a new one.')
    const cohort = { ...before, name, about, definition, changedAt: this.ground.world.now() }
    return await this.save(cohort, viewer, { before })
  }

  async remove(projectId: number, id: string, viewer: Viewer): Promise<Outcome> {
    requireRight('insights:write', projectId, viewer)
    const all = await cohortsOf(this.ground.store, projectId)
    const cohort = all.find((one) => one.id === id)
    if (!cohort) return missing
    const user = all.find(({ definition }) => definition && cohortsNamedIn(definition).includes(id))
    if (user) return undone(`The cohort “${user.name}” is made with this one. Change that one first.`)
    await this.ground.store.transaction(async (transaction) => {
      await forgetCohort(transaction, cohort)
      await transaction.announce('cohorts')
      await record(
        transaction,
        { action: 'cohort.remove', subject: cohort.name, projectId, before: shown(cohort) },
        viewer,
        this.ground.world.now(),
      )
    })
    return { done: true }
  }

  async addPersons(projectId: number, id: string, input: unknown, viewer: Viewer): Promise<Outcome> {
    requireRight('insights:write', projectId, viewer)
    const parsed = parse(picked, input)
    if (!parsed.done) return parsed
    const cohort = await cohortNumbered(this.ground.store, projectId, id)
    if (!cohort) return missing
    if (cohort.definition) return undone('Who is in this cohort is said by its definition.')
    return await this.save(cohort, viewer, { people: parsed.value.persons, before: cohort })
  }

  async removePerson(projectId: number, id: string, personId: string, viewer: Viewer): Promise<Outcome> {
    requireRight('insights:write', projectId, viewer)
    const cohort = await cohortNumbered(this.ground.store, projectId, id)
    if (!cohort) return missing
    if (cohort.definition) return undone('Who is in this cohort is said by its definition.')
    await this.ground.store.transaction(async (transaction) => {
      await dropMember(transaction, cohort, personId)
      await transaction.announce('cohorts')
    })
    return { done: true }
  }

  /** For whoever compiles questions; it asks nobody who they are. */
  async membership(projectId: number): Promise<Membership> {
    const known = this.kept.get(projectId)
    if (known && performance.now() - known.at < goodForMs) return known.membership
    const cohorts = await cohortsOf(this.ground.store, projectId)
    const isPicked = cohorts.some(({ definition }) => !definition)
    const members = isPicked ? await membersOf(this.ground.store, projectId) : new Map<string, Set<string>>()
    const membership = new Map(
      cohorts.map(({ id, definition }) => [id, definition ?? [...(members.get(id) ?? [])]]),
    )
    this.kept.set(projectId, { membership, at: performance.now() })
    return membership
  }

  private async save(
    cohort: Cohort,
    viewer: Viewer,
    { people = [], before }: { people?: readonly string[]; before?: Cohort },
  ): Promise<Outcome<{ cohort: Cohort }>> {
    const { store, world } = this.ground
    const { projectId, name } = cohort
    return await store.transaction(async (transaction): Promise<Outcome<{ cohort: Cohort }>> => {
      const objection = objectionTo(cohort, await cohortsOf(transaction, projectId))
      if (objection) return undone(objection, 'definition')
      const there = (await membersOf(transaction, projectId)).get(cohort.id)?.size ?? 0
      if (there + people.length > mostPicked)
        return undone(`At most ${mostPicked} persons can be picked for one cohort.`, 'persons')
      await saveCohort(transaction, cohort)
      await addMembers(transaction, cohort, people)
      await transaction.announce('cohorts')
      const action = before ? 'cohort.change' : 'cohort.create'
      const entry = { action, subject: name, projectId, after: shown(cohort) } as const
      await record(transaction, before ? { ...entry, before: shown(before) } : entry, viewer, world.now())
      return { done: true, cohort }
    })
  }
}

const missing = undone('There is no such cohort in this project.')

const shown = ({ name, about, definition }: Cohort) => ({ name, about, definition })

/** Who is in a cohort must not depend on who is in it. */
function objectionTo({ id, definition }: Cohort, others: readonly Cohort[]): string | undefined {
  if (!definition) return undefined
  const all = new Map(others.map((one) => [one.id, one]))
  const named = cohortsNamedIn(definition)
  const unknown = named.find((one) => !all.has(one) && one !== id)
  if (unknown !== undefined) return `There is no cohort “${unknown}” in this project.`
  const through = named.find((one) => one === id || leadsTo(id, one, all, new Set()))
  if (through === undefined) return undefined
  return through === id
    ? 'A cohort cannot be made with itself.'
    : `The cohort “${all.get(through)?.name ?? through}” is made with this one, so this one cannot be made with it.`
}

function leadsTo(wanted: string, from: string, all: ReadonlyMap<string, Cohort>, seen: Set<string>): boolean {
  if (from === wanted) return true
  if (seen.has(from)) return false
  seen.add(from)
  const definition = all.get(from)?.definition
  return definition !== undefined && cohortsNamedIn(definition).some((one) => leadsTo(wanted, one, all, seen))
}
