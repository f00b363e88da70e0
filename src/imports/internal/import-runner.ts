import type { Engine } from '#engine/engine'
import { isEmpty } from '#events/event'
import { type Sql, sql, string, strings, uint, uuids } from '#engine/sql'
import type { EventDeletion } from '#ingest/event-tally'
import { withoutImport } from '#persons/apply-event'
import { mirrorToEngine } from '#persons/mirror-to-engine'
import { findNumbersOfPersons } from '#persons/person-aliases'
import { forgetPersons, personsSetByImport, savePersons } from '#persons/store'
import { identitiesChanged } from '#persons/splits/split-applier'
import type { Job } from '#jobs/jobs'
import type { PersonsTransaction, Store } from '#store/store'
import type { World } from '#world/world'
import type { Import } from '../import'
import { saveImport, waitingImports } from '../store'

interface ImportRunnerDependencies {
  store: Store
  world: World
  engine: Engine
  history: { settle(withinMs: number): Promise<boolean>; forget(importId: string): void }
  /** Deletes events so that no check takes them for lost. */
  deleteEvents: (deletion: EventDeletion) => Promise<void>
}

/** The job that ends and undoes imports. */
export const importJob = 'settle imports'

const settleWithinMs = 60_000
const deadlineMs = 10 * 60_000
const personsAtOnce = 20_000

/** Ends imports once their events are stored, and deletes those that were undone. An interrupted run begins again. */
export class ImportRunner {
  readonly jobs: readonly Job[] = [
    { name: importJob, everyMs: 60_000, queue: 'collection', run: () => this.run() },
  ]

  constructor(private readonly dependencies: ImportRunnerDependencies) {}

  async run(): Promise<void> {
    const { store, history } = this.dependencies
    const waiting = await waitingImports(store)
    if (waiting.length === 0) return
    // an event that is stored later would stay after an undo, and be missing in the count
    if (!(await history.settle(settleWithinMs))) return
    for (const one of waiting) {
      history.forget(one.id)
      const after = one.state === 'undoing' ? await this.undo(one) : await this.end(one)
      if (after) await saveImport(store, one, { ...after, changedAt: this.dependencies.world.now() })
    }
  }

  private async end(one: Import): Promise<Import> {
    // persons that came without an event of theirs are not in the engine yet
    if (one.profiles > 0) await mirrorToEngine(this.dependencies.store, this.dependencies.engine)
    return { ...one, state: 'done', stored: await this.countOf(one) }
  }

  /** Returns nothing if events came meanwhile, which the next run deletes. */
  private async undo(one: Import): Promise<Import | undefined> {
    await this.deleteEvents(one)
    await this.unsetProperties(one)
    const isSettled = await this.dependencies.history.settle(settleWithinMs)
    const left = await this.countOf(one)
    return isSettled && left === 0 ? { ...one, state: 'undone', stored: 0 } : undefined
  }

  /** Persons go first: which ones have no other event is known as long as the events are there. */
  private async deleteEvents(one: Import): Promise<void> {
    const { engine, deleteEvents } = this.dependencies
    for (let persons = await this.personsOfOnly(one); persons.length > 0;) {
      await this.forget(one.projectId, persons)
      persons = persons.length < personsAtOnce ? [] : await this.personsOfOnly(one, persons.at(-1))
    }
    await deleteEvents({
      name: `import ${one.id}`,
      of: isOf(one),
      run: () => engine.command(sql`delete from events where ${isOf(one)}`, { deadlineMs }),
    })
    await engine.command(sql`alter table events apply deleted mask settings mutations_sync = 2`, {
      deadlineMs,
    })
  }

  /** Persons with events of their own keep what clients have set. */
  private async unsetProperties({ projectId, id }: Import): Promise<void> {
    const { store, engine } = this.dependencies
    const unsetSome = async (transaction: PersonsTransaction) => {
      const persons = await personsSetByImport(transaction, projectId, id)
      const after = persons.map((person) => withoutImport(person, id))
      await savePersons(transaction, after)
      return after
    }
    for (;;) {
      const persons = await store.transaction(unsetSome, 'every person')
      if (persons.length === 0) break
      const bare = persons.filter(({ properties }) => isEmpty(properties)).map((person) => person.id)
      if (bare.length > 0) await this.forgetWithoutEvents(projectId, bare)
    }
    await mirrorToEngine(store, engine)
  }

  /** Forgets those of some persons who have no event: they came with a file of persons alone. */
  private async forgetWithoutEvents(projectId: number, persons: readonly string[]): Promise<void> {
    const { store, engine } = this.dependencies
    const numbers = await findNumbersOfPersons(store, projectId, persons)
    const rows = await engine.query<{ person: string }>(
      sql`
        select distinct toString(person_id) as person
        from events
        where project_id = ${uint(projectId)} and person_id in ${uuids([...numbers.values()].flat())}`,
      { lane: 'ingest', deadlineMs },
    )
    const present = new Set(rows.map(({ person }) => person))
    const absent = persons.filter((person) => !numbers.get(person)?.some((number) => present.has(number)))
    if (absent.length > 0) await this.forget(projectId, absent)
  }

  /** Returns persons all of whose events are of this import, in order, those behind `after`. */
  private async personsOfOnly(one: Import, after = ''): Promise<string[]> {
    const project = uint(one.projectId)
    const rows = await this.dependencies.engine.query<{ person: string }>(
      sql`
        with merged as (
          select from_person_id, argMax(to_person_id, version) as to_person_id
          from person_overrides
          where project_id = ${project}
          group by from_person_id
        )
        select toString(if(empty(merged.to_person_id), events.person_id, merged.to_person_id)) as person
        from events
        left join merged on merged.from_person_id = events.person_id
        where project_id = ${project}
        group by person
        having person > ${string(after)}
          and countIf(properties['$import'] = ${string(one.id)}) = count()
        order by person
        limit ${uint(personsAtOnce)}`,
      { lane: 'ingest', deadlineMs },
    )
    return rows.map(({ person }) => person)
  }

  private async forget(projectId: number, persons: readonly string[]): Promise<void> {
    const { store, engine } = this.dependencies
    await store.transaction(async (transaction) => {
      await forgetPersons(transaction, projectId, persons)
      await transaction.announce(identitiesChanged)
    }, 'every person')
    const project = uint(projectId)
    await engine.command(
      sql`delete from persons where project_id = ${project} and toString(person_id) in ${strings(persons)}`,
      { deadlineMs },
    )
    await engine.command(
      sql`
        delete from person_overrides
        where project_id = ${project}
          and (to_person_id in ${uuids(persons)} or from_person_id in ${uuids(persons)})`,
      { deadlineMs },
    )
  }

  private async countOf(one: Import): Promise<number> {
    const [row] = await this.dependencies.engine.query<{ events: number }>(
      sql`select count() as events from events where ${isOf(one)}`,
      { lane: 'ingest', deadlineMs },
    )
    return row?.events ?? 0
  }
}

const isOf = ({ id, projectId }: Import): Sql =>
  sql`project_id = ${uint(projectId)} and properties['$import'] = ${string(id)}`
