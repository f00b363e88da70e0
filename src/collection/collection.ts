import type { ZodType } from 'zod'
import { requireRight, type Right, type Viewer } from '#projects/access'
import { recordAudit } from '#projects/audit'
import type { AuditAction } from '#projects/audit-actions'
import { type FailedOutcome, failedOutcome, type Outcome, parseInput } from '#projects/problems'
import { newId } from '#projects/secrets'
import type { Store, StoreTransaction } from '#store/store'
import type { World } from '#world/world'

/** Names with an audit action for each of the three changes. */
export type CollectionName = NameIn<'create'> & NameIn<'change'> & NameIn<'remove'>
type NameIn<Verb extends string> = AuditAction extends infer Action
  ? Action extends `${infer Name}.${Verb}`
    ? Name
    : never
  : never

/** The outcome of a change: the entry under the collection's name, as in `{ done: true, goal }`. */
export type EntryOutcome<Name extends CollectionName, Entry> = Outcome<Record<Name, Entry>>

/** Reads and writes the entries of one project. */
export interface CollectionTable<Entry> {
  list: (source: Pick<Store, 'tables'>, projectId: number) => Promise<Entry[]>
  /** Inserts the entry, or replaces the one with its id. */
  save: (
    transaction: StoreTransaction,
    entry: Entry,
    saving: { projectId: number; now: Date },
  ) => Promise<void>
  remove: (transaction: StoreTransaction, entry: Entry, projectId: number) => Promise<void>
}

/** The fields of an entry that its creation decides. */
export interface CreatedFields {
  id: string
  projectId: number
  createdBy: string
  createdAt: Date
}

interface CreateContext<Entry> {
  created: CreatedFields
  viewer: Viewer
  existing: readonly Entry[]
}

/**
 * Declares entries of which a project has many. `collectionClass` makes the class of it, and `collectionEndpoints` of
 * the API the endpoints.
 */
export interface CollectionDeclaration<Name extends CollectionName, Entry extends object, NewEntry, Change> {
  /** The key of an outcome, the first part of audit actions, and with an “s” the path of the API. */
  name: Name
  rights: { read: Right; write: Right }
  newEntry: ZodType<NewEntry>
  change: ZodType<Change>
  limit?: { count: number; message: string }
  table: CollectionTable<Entry>
  idOf: (entry: Entry) => string | number
  /** What of an entry the audit log shows. */
  audit: { subject: (entry: Entry) => string; fields: (entry: Entry) => object }
  /** Whether the viewer may see the entry; every entry is visible where it is left out. */
  isVisible?: (entry: Entry, viewer: Viewer) => boolean
  applyNew: (input: NewEntry, context: CreateContext<Entry>) => NoInfer<Entry> | FailedOutcome
  applyChange: (before: Entry, change: Change, viewer: Viewer) => NoInfer<Entry> | FailedOutcome
  /** Says why the entry must stay. */
  refuseRemoval?: (
    entry: Entry,
    transaction: StoreTransaction,
    projectId: number,
  ) => Promise<FailedOutcome | undefined>
  /** The topic that other processes hear after a change. */
  topic?: string
  api: {
    summaries: { list: string; create: string; change: string; remove: string }
    shape: ZodType
    show: (entry: Entry) => object
  }
}

/** Infers the types of a declaration from its schemas and its table. */
export const declareCollection = <Name extends CollectionName, Entry extends object, NewEntry, Change>(
  declaration: CollectionDeclaration<Name, Entry, NewEntry, Change>,
): CollectionDeclaration<Name, Entry, NewEntry, Change> => declaration

export interface CollectionDependencies {
  store: Store
  world: World
  /** Awaited after a change is committed and before its outcome is returned. */
  afterCommit?: () => Promise<void>
}

/** Lists, creates, changes and removes the entries of a project, each after its right is checked. */
export class Collection<Name extends CollectionName, Entry extends object, NewEntry, Change> {
  constructor(
    private readonly declaration: CollectionDeclaration<Name, Entry, NewEntry, Change>,
    private readonly dependencies: CollectionDependencies,
  ) {}

  async list(projectId: number, viewer: Viewer): Promise<Entry[]> {
    requireRight(this.declaration.rights.read, projectId, viewer)
    return await this.visibleTo(viewer, projectId, this.dependencies.store)
  }

  async create(projectId: number, input: unknown, viewer: Viewer): Promise<EntryOutcome<Name, Entry>> {
    const { rights, newEntry, limit, table, applyNew } = this.declaration
    requireRight(rights.write, projectId, viewer)
    const parsed = parseInput(newEntry, input)
    if (!parsed.done) return parsed
    return await this.commit(async (transaction) => {
      const existing = await table.list(transaction, projectId)
      if (limit && existing.length >= limit.count) return failedOutcome(limit.message)
      const { world } = this.dependencies
      const created = { id: newId(world), projectId, createdBy: viewer.name, createdAt: world.now() }
      const entry = applyNew(parsed.value, { created, viewer, existing })
      return isFailed(entry) ? entry : await this.save(transaction, projectId, viewer, entry)
    })
  }

  async change(
    projectId: number,
    id: string | number,
    input: unknown,
    viewer: Viewer,
  ): Promise<EntryOutcome<Name, Entry>> {
    requireRight(this.declaration.rights.write, projectId, viewer)
    const parsed = parseInput(this.declaration.change, input)
    if (!parsed.done) return parsed
    return await this.commit(async (transaction) => {
      const before = await this.find(viewer, projectId, id, transaction)
      if (!before) return this.missing()
      const entry = this.declaration.applyChange(before, parsed.value, viewer)
      return isFailed(entry) ? entry : await this.save(transaction, projectId, viewer, entry, before)
    })
  }

  async remove(projectId: number, id: string | number, viewer: Viewer): Promise<Outcome> {
    const { rights, table, refuseRemoval } = this.declaration
    requireRight(rights.write, projectId, viewer)
    return await this.commit(async (transaction) => {
      const before = await this.find(viewer, projectId, id, transaction)
      if (!before) return this.missing()
      const refused = await refuseRemoval?.(before, transaction, projectId)
      if (refused) return refused
      await table.remove(transaction, before, projectId)
      await this.record('remove', transaction, projectId, viewer, { before })
      return { done: true }
    })
  }

  private missing(): FailedOutcome {
    return failedOutcome(`There is no such ${this.declaration.name} in this project.`)
  }

  private async visibleTo(
    viewer: Viewer,
    projectId: number,
    source: Pick<Store, 'tables'>,
  ): Promise<Entry[]> {
    const { table, isVisible } = this.declaration
    const entries = await table.list(source, projectId)
    return isVisible ? entries.filter((entry) => isVisible(entry, viewer)) : entries
  }

  private async find(
    viewer: Viewer,
    projectId: number,
    id: string | number,
    source: Pick<Store, 'tables'>,
  ): Promise<Entry | undefined> {
    const entries = await this.visibleTo(viewer, projectId, source)
    return entries.find((entry) => String(this.declaration.idOf(entry)) === String(id))
  }

  private async commit<Done>(
    work: (transaction: StoreTransaction) => Promise<Outcome<Done>>,
  ): Promise<Outcome<Done>> {
    const outcome = await this.dependencies.store.transaction(work)
    if (outcome.done) await this.dependencies.afterCommit?.()
    return outcome
  }

  private async save(
    transaction: StoreTransaction,
    projectId: number,
    viewer: Viewer,
    entry: Entry,
    before?: Entry,
  ): Promise<EntryOutcome<Name, Entry>> {
    await this.declaration.table.save(transaction, entry, { projectId, now: this.dependencies.world.now() })
    await this.record(before ? 'change' : 'create', transaction, projectId, viewer, { before, after: entry })
    // a computed key widens to string; it is the declaration's name, so this is the one entry of the outcome
    const named = { [this.declaration.name]: entry } as Record<Name, Entry>
    return { done: true, ...named }
  }

  private async record(
    verb: 'create' | 'change' | 'remove',
    transaction: StoreTransaction,
    projectId: number,
    viewer: Viewer,
    { before, after }: { before?: Entry | undefined; after?: Entry },
  ): Promise<void> {
    const { name, audit, topic } = this.declaration
    if (topic) await transaction.announce(topic)
    const entry = after ?? before
    const action: `${CollectionName}.${typeof verb}` = `${name}.${verb}`
    const auditRecord = {
      action,
      subject: entry ? audit.subject(entry) : '',
      projectId,
      ...(before && { before: audit.fields(before) }),
      ...(after && { after: audit.fields(after) }),
    }
    await recordAudit(transaction, auditRecord, viewer, this.dependencies.world.now())
  }
}

/** Makes the class of a declaration; it takes only the dependencies. */
export const collectionClass = <Name extends CollectionName, Entry extends object, NewEntry, Change>(
  declaration: CollectionDeclaration<Name, Entry, NewEntry, Change>,
) =>
  class extends Collection<Name, Entry, NewEntry, Change> {
    constructor(dependencies: CollectionDependencies) {
      super(declaration, dependencies)
    }
  }

const isFailed = (result: object): result is FailedOutcome => 'done' in result && 'problems' in result
