import { requireRight, type Viewer } from '#projects/access'
import {
  type FailedOutcome,
  failedOutcome,
  missingOutcome,
  type Outcome,
  parseInput,
} from '#projects/problems'
import { newId } from '#projects/secrets'
import type { StoreTransaction, TableSource } from '#store/store'
import type {
  ActionOf,
  Applied,
  CollectionDeclaration,
  CollectionDependencies,
  EntryName,
  EntryOutcome,
  WriteContext,
} from './declaration'
import { recordChange } from './versions'

/** Creates and changes the entries of a project, each after its right is checked. */
export class EntryWriter<
  Name extends EntryName,
  Entry extends object,
  NewEntry,
  Change,
  Dependencies extends CollectionDependencies,
  Prepared,
> {
  constructor(
    protected readonly declaration: CollectionDeclaration<
      Name,
      Entry,
      NewEntry,
      Change,
      Dependencies,
      Prepared
    >,
    protected readonly dependencies: Dependencies,
  ) {}

  async create(projectId: number, input: unknown, viewer: Viewer): Promise<EntryOutcome<Name, Entry>> {
    const { rights, newEntry, prepareNew } = this.declaration
    requireRight(rights.write, projectId, viewer)
    const parsed = parseInput(newEntry, input)
    if (!parsed.done) return parsed
    const context = this.contextOf(projectId, viewer)
    // the limit comes first: nothing is looked up for an entry that has no place
    const prepared =
      prepareNew && ((await this.refuseBeyondLimit(projectId)) ?? (await prepareNew(parsed.value, context)))
    if (isFailed(prepared)) return prepared
    return await this.commit((transaction) =>
      this.insert(transaction, parsed.value, { ...context, prepared }),
    )
  }

  /** Writes a new entry in a transaction that may hold other changes. */
  protected async insert(
    transaction: StoreTransaction,
    input: NewEntry,
    { prepared, ...context }: WriteContext<Dependencies> & { prepared: Prepared | undefined },
  ): Promise<EntryOutcome<Name, Entry>> {
    const { table, applyNew } = this.declaration
    const { projectId, viewer } = context
    const existing = await table.list(transaction, projectId)
    const refused = this.refuseNextAfter(existing.length)
    if (refused) return refused
    const { world } = this.dependencies
    const created = { id: newId(world), projectId, createdBy: viewer.name, createdAt: world.now() }
    const applying = { ...context, transaction, created, existing, prepared: this.preparedBy(prepared) }
    const entry = await applyNew(input, applying)
    return isFailed(entry)
      ? entry
      : await this.save(transaction, this.action('create'), entry, { ...context, input })
  }

  async change(
    projectId: number,
    id: string | number,
    input: unknown,
    viewer: Viewer,
  ): Promise<EntryOutcome<Name, Entry>> {
    const { rights, prepareChange, applyChange, change: schema } = this.declaration
    requireRight(rights.write, projectId, viewer)
    const parsed = parseInput(schema, input)
    if (!parsed.done) return parsed
    const context = this.contextOf(projectId, viewer)
    const known = prepareChange && (await this.lookUp(viewer, projectId, id))
    if (prepareChange && !known) return this.missing()
    const prepared = known && (await prepareChange?.(known, parsed.value, context))
    if (isFailed(prepared)) return prepared
    const apply = (before: Entry, transaction: StoreTransaction) =>
      applyChange(before, parsed.value, viewer, {
        ...context,
        transaction,
        now: this.dependencies.world.now(),
        prepared: this.preparedBy(prepared),
      })
    return await this.alter(this.action('change'), projectId, id, viewer, apply, parsed.value)
  }

  /** Changes an entry by a verb of the collection's own, such as archiving. */
  protected async alter(
    action: ActionOf<Name>,
    projectId: number,
    id: string | number,
    viewer: Viewer,
    apply: (before: Entry, transaction: StoreTransaction) => Applied<Entry>,
    input?: Change,
  ): Promise<EntryOutcome<Name, Entry>> {
    requireRight(this.declaration.rights.write, projectId, viewer)
    return await this.commit(async (transaction) => {
      const before = await this.lookUp(viewer, projectId, id, transaction)
      if (!before) return this.missing()
      const entry = await apply(before, transaction)
      return isFailed(entry)
        ? entry
        : await this.save(transaction, action, entry, { ...this.contextOf(projectId, viewer), before, input })
    })
  }

  /** Reads an entry as the viewer may see it. */
  protected async read(projectId: number, id: string, viewer: Viewer): Promise<Entry | undefined> {
    requireRight(this.declaration.rights.read, projectId, viewer)
    const entry = await this.lookUp(viewer, projectId, id)
    return entry && this.shown(entry, projectId, viewer)
  }

  protected missing(): FailedOutcome {
    const { name, noun = name } = this.declaration
    return missingOutcome(`There is no such ${noun} in this project.`)
  }

  protected async visibleTo(
    viewer: Viewer,
    projectId: number,
    source: TableSource = this.dependencies.store,
  ): Promise<Entry[]> {
    const { table, isVisible } = this.declaration
    const entries = await table.list(source, projectId)
    return isVisible ? entries.filter((entry) => isVisible(entry, viewer)) : entries
  }

  protected async lookUp(
    viewer: Viewer,
    projectId: number,
    id: string | number,
    source: TableSource = this.dependencies.store,
  ): Promise<Entry | undefined> {
    const { table, idOf, isVisible } = this.declaration
    if (table.find) {
      const entry = await table.find(source, projectId, String(id))
      return entry && (isVisible?.(entry, viewer) ?? true) ? entry : undefined
    }
    const entries = await this.visibleTo(viewer, projectId, source)
    return entries.find((entry) => String(idOf(entry)) === String(id))
  }

  protected shown(entry: Entry, projectId: number, viewer: Viewer): Entry {
    return this.declaration.showTo?.(entry, this.contextOf(projectId, viewer)) ?? entry
  }

  protected async commit<Done>(
    work: (transaction: StoreTransaction) => Promise<Outcome<Done>>,
  ): Promise<Outcome<Done>> {
    const outcome = await this.dependencies.store.transaction(work)
    if (outcome.done) await this.dependencies.afterCommit?.()
    return outcome
  }

  protected async save(
    transaction: StoreTransaction,
    action: ActionOf<Name>,
    entry: Entry,
    saving: Pick<WriteContext<Dependencies>, 'projectId' | 'viewer'> & {
      before?: Entry
      input?: NewEntry | Change | undefined
    },
  ): Promise<EntryOutcome<Name, Entry>> {
    const { name, table, refuseSave, afterSave } = this.declaration
    const { projectId, viewer, before, input } = saving
    const context = { ...this.contextOf(projectId, viewer), before }
    const refused = await refuseSave?.(transaction, entry, context)
    if (refused) return refused
    await table.save(transaction, entry, { projectId, now: this.dependencies.world.now() })
    await afterSave?.(transaction, entry, { ...context, input })
    await this.record(transaction, action, projectId, viewer, { before, after: entry })
    // a computed key widens to string; it is the declaration's name, so this is the one entry of the outcome
    const named = { [name]: this.shown(entry, projectId, viewer) } as Record<Name, Entry>
    return { done: true, ...named }
  }

  protected async record(
    transaction: StoreTransaction,
    action: ActionOf<Name>,
    projectId: number,
    viewer: Viewer,
    { before, after }: { before?: Entry | undefined; after?: Entry },
  ): Promise<void> {
    const { audit, topic } = this.declaration
    const entry = after ?? before
    const change = {
      action,
      topic,
      subject: entry ? audit.subject(entry) : '',
      projectId,
      before: before && audit.fields(before),
      after: after && audit.fields(after),
    }
    await recordChange(transaction, change, viewer, this.dependencies.world.now())
  }

  /** Names have these actions by their type: `EntryName` and `CollectionName`. */
  protected action(verb: 'create' | 'change' | 'remove'): ActionOf<Name> {
    return `${this.declaration.name}.${verb}` as ActionOf<Name>
  }

  protected contextOf(projectId: number, viewer: Viewer): WriteContext<Dependencies> {
    return { projectId, viewer, dependencies: this.dependencies }
  }

  /** Without a `prepare…` hook the type of what was prepared is undefined. */
  private preparedBy(prepared: Prepared | undefined): Prepared {
    return prepared as Prepared
  }

  private async refuseBeyondLimit(projectId: number): Promise<FailedOutcome | undefined> {
    if (!this.declaration.limit) return undefined
    const existing = await this.declaration.table.list(this.dependencies.store, projectId)
    return this.refuseNextAfter(existing.length)
  }

  private refuseNextAfter(count: number): FailedOutcome | undefined {
    const { limit } = this.declaration
    return limit && count >= limit.count ? failedOutcome(limit.message) : undefined
  }
}

const isFailed = (result: unknown): result is FailedOutcome =>
  typeof result === 'object' && result !== null && 'done' in result && 'problems' in result
