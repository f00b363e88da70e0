import type { ZodType } from 'zod'
import type { Right, Viewer } from '#projects/access'
import type { AuditAction } from '#projects/audit-actions'
import type { FailedOutcome, Outcome } from '#projects/problems'
import type { Store, StoreTransaction, TableSource } from '#store/store'
import type { World } from '#world/world'

/** Names with audit actions for creating and changing an entry. */
export type EntryName = NameIn<'create'> & NameIn<'change'>
/** Names with an audit action for each of the three changes. */
export type CollectionName = EntryName & NameIn<'remove'>
type NameIn<Verb extends string> = AuditAction extends infer Action
  ? Action extends `${infer Name}.${Verb}`
    ? Name
    : never
  : never

/** The audit actions of one collection, its own verbs included. */
export type ActionOf<Name extends string> = Extract<AuditAction, `${Name}.${string}`>

/** The outcome of a change: the entry under the collection's name, as in `{ done: true, goal }`. */
export type EntryOutcome<Name extends EntryName, Entry> = Outcome<Record<Name, Entry>>

/** Reads and writes the entries of one project. */
interface CollectionTable<Entry> {
  list: (source: TableSource, projectId: number) => Promise<Entry[]>
  /** Reads one entry; where it is left out, the entry is looked up in the list. */
  find?: (source: TableSource, projectId: number, id: string) => Promise<Entry | undefined>
  /** Inserts the entry, or replaces the one with its id. */
  save: (
    transaction: StoreTransaction,
    entry: Entry,
    saving: { projectId: number; now: Date },
  ) => Promise<void>
  remove?: (transaction: StoreTransaction, entry: Entry, projectId: number) => Promise<void>
}

/** The fields of an entry that its creation decides. */
interface CreatedFields {
  id: string
  projectId: number
  createdBy: string
  createdAt: Date
}

export interface CollectionDependencies {
  store: Store
  world: World
  /** Awaited after a change is committed and before its outcome is returned. */
  afterCommit?: () => Promise<void>
}

/** The author of a change, and what the collection depends on. */
export interface WriteContext<Dependencies> {
  projectId: number
  viewer: Viewer
  dependencies: Dependencies
}

interface ApplyContext<Dependencies, Prepared> extends WriteContext<Dependencies> {
  transaction: StoreTransaction
  /** The result of `prepareNew` or `prepareChange`. */
  prepared: Prepared
}

interface CreateContext<Entry, Dependencies, Prepared> extends ApplyContext<Dependencies, Prepared> {
  created: CreatedFields
  existing: readonly Entry[]
}

interface ChangeContext<Dependencies, Prepared> extends ApplyContext<Dependencies, Prepared> {
  now: Date
}

type MaybePromise<Value> = Value | Promise<Value>

/** The entry to save, or why it is not saved. */
export type Applied<Entry> = MaybePromise<Entry | FailedOutcome>

/**
 * Declares entries of which a project has many. `collectionClass` or `writerClass` makes the class of it, and
 * `collectionEndpoints` of the API the endpoints.
 */
export interface CollectionDeclaration<
  Name extends EntryName,
  Entry extends object,
  NewEntry,
  Change,
  Dependencies extends CollectionDependencies = CollectionDependencies,
  Prepared = undefined,
> {
  /** The key of an outcome, the first part of audit actions, and with an “s” the path of the API. */
  name: Name
  /** The word for a missing entry, where that is not the name. */
  noun?: string
  rights: { read: Right; write: Right }
  newEntry: ZodType<NewEntry>
  change: ZodType<Change>
  limit?: { count: number; message: string }
  table: CollectionTable<Entry>
  idOf: (entry: Entry) => string | number
  /** The subject and the fields of an entry in the audit log. */
  audit: { subject: (entry: Entry) => string; fields: (entry: Entry) => object }
  /** Whether the viewer may see the entry; every entry is visible where it is left out. */
  isVisible?: (entry: Entry, viewer: Viewer) => boolean
  /** Looks up what the new entry needs from elsewhere, before the transaction; or says why it is refused. */
  prepareNew?: (input: NewEntry, context: WriteContext<Dependencies>) => Promise<Prepared | FailedOutcome>
  /** Looks up the same for a change. */
  prepareChange?: (
    before: Entry,
    change: Change,
    context: WriteContext<Dependencies>,
  ) => Promise<Prepared | FailedOutcome>
  applyNew: (
    input: NewEntry,
    context: CreateContext<Entry, Dependencies, Prepared>,
  ) => Applied<NoInfer<Entry>>
  applyChange: (
    before: Entry,
    change: Change,
    viewer: Viewer,
    context: ChangeContext<Dependencies, Prepared>,
  ) => Applied<NoInfer<Entry>>
  /** Says why the new state is not saved, whichever change made it. */
  refuseSave?: (
    transaction: StoreTransaction,
    entry: Entry,
    context: WriteContext<Dependencies> & { before: Entry | undefined },
  ) => Promise<FailedOutcome | undefined>
  /** Saves what belongs to the entry, such as its versions, in the transaction and before the audit entry. */
  afterSave?: (
    transaction: StoreTransaction,
    entry: Entry,
    context: WriteContext<Dependencies> & { before: Entry | undefined; input: NewEntry | Change | undefined },
  ) => Promise<void>
  /** Says why the entry must stay. */
  refuseRemoval?: (
    entry: Entry,
    transaction: StoreTransaction,
    projectId: number,
  ) => Promise<FailedOutcome | undefined>
  /** Hides from the viewer what only some may see; the entry itself is shown where it is left out. */
  showTo?: (entry: Entry, context: WriteContext<Dependencies>) => Entry
  /** The topic that other processes hear after a change. */
  topic?: string
  api: CollectionApi<NoInfer<Entry>>
}

/** The API's description and representation of the entries. */
export interface CollectionApi<Entry> {
  summaries: { list: string; create: string; change: string; find?: string; remove?: string }
  shape: ZodType
  show: (entry: Entry) => object
}

/**
 * Infers the types of a declaration from its schemas, its table and its hooks.
 *
 * @example
 * const goalCollection = declareCollection({ name: 'goal', newEntry: goalFields, table: entryTable('goals', savedGoal), … })
 * class Goals extends collectionClass(goalCollection) {} // list, create, change, remove
 */
export const declareCollection = <
  Name extends EntryName,
  Entry extends object,
  NewEntry,
  Change,
  Dependencies extends CollectionDependencies = CollectionDependencies,
  Prepared = undefined,
>(
  declaration: CollectionDeclaration<Name, Entry, NewEntry, Change, Dependencies, Prepared>,
): CollectionDeclaration<Name, Entry, NewEntry, Change, Dependencies, Prepared> => declaration
