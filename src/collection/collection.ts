import { requireRight, type Viewer } from '#projects/access'
import type { Outcome } from '#projects/problems'
import type { CollectionDeclaration, CollectionDependencies, CollectionName, EntryName } from './declaration'
import { EntryWriter } from './entry-writer'

export { declareCollection } from './declaration'

/** Lists, creates, changes and removes the entries of a project, each after its right is checked. */
class Collection<
  Name extends CollectionName,
  Entry extends object,
  NewEntry,
  Change,
  Dependencies extends CollectionDependencies,
  Prepared,
> extends EntryWriter<Name, Entry, NewEntry, Change, Dependencies, Prepared> {
  async list(projectId: number, viewer: Viewer): Promise<Entry[]> {
    requireRight(this.declaration.rights.read, projectId, viewer)
    const entries = await this.visibleTo(viewer, projectId)
    return entries.map((entry) => this.shown(entry, projectId, viewer))
  }

  async remove(projectId: number, id: string | number, viewer: Viewer): Promise<Outcome> {
    const { rights, table, refuseRemoval } = this.declaration
    requireRight(rights.write, projectId, viewer)
    return await this.commit(async (transaction) => {
      const before = await this.lookUp(viewer, projectId, id, transaction)
      if (!before) return this.missing()
      const refused = await refuseRemoval?.(before, transaction, projectId)
      if (refused) return refused
      await table.remove?.(transaction, before, projectId)
      await this.record(transaction, this.action('remove'), projectId, viewer, { before })
      return { done: true }
    })
  }
}

/** Makes the class of a declaration; it takes only the dependencies. */
export const collectionClass = <
  Name extends CollectionName,
  Entry extends object,
  NewEntry,
  Change,
  Dependencies extends CollectionDependencies,
  Prepared,
>(
  declaration: CollectionDeclaration<Name, Entry, NewEntry, Change, Dependencies, Prepared>,
) =>
  class extends Collection<Name, Entry, NewEntry, Change, Dependencies, Prepared> {
    constructor(dependencies: Dependencies) {
      super(declaration, dependencies)
    }
  }

/** Makes the writer of entries that are listed in another way, or archived instead of removed. */
export const writerClass = <
  Name extends EntryName,
  Entry extends object,
  NewEntry,
  Change,
  Dependencies extends CollectionDependencies,
  Prepared,
>(
  declaration: CollectionDeclaration<Name, Entry, NewEntry, Change, Dependencies, Prepared>,
) =>
  class extends EntryWriter<Name, Entry, NewEntry, Change, Dependencies, Prepared> {
    constructor(dependencies: Dependencies) {
      super(declaration, dependencies)
    }
  }
