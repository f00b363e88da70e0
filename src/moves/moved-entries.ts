import { requireEvery, type Viewer } from '#projects/access'
import type { Store } from '#store/store'
import { openTables } from '#store/tables'
import type { EntryKind } from './entries/entry-report'

interface MovedEntryTables {
  movedEntries: { projectId: number; kind: EntryKind; theirId: string; ourId: string }
}

const open = openTables<MovedEntryTables>()

/** Remembers what was made of entries of PostHog's, so that a second import makes none of them again. */
export class MovedEntries {
  constructor(private readonly dependencies: { store: Store }) {}

  /** Returns our ids by theirs. */
  async list(projectId: number, kind: EntryKind, viewer: Viewer): Promise<ReadonlyMap<string, string>> {
    requireEvery(['insights:write'], projectId, viewer)
    const rows = await open(this.dependencies.store)
      .selectFrom('movedEntries')
      .select(['theirId', 'ourId'])
      .where('projectId', '=', projectId)
      .where('kind', '=', kind)
      .execute()
    return new Map(rows.map(({ theirId, ourId }) => [theirId, ourId]))
  }

  async add(
    projectId: number,
    { kind, theirId, ourId }: { kind: EntryKind; theirId: string; ourId: string },
    viewer: Viewer,
  ): Promise<void> {
    requireEvery(['insights:write'], projectId, viewer)
    await open(this.dependencies.store)
      .insertInto('movedEntries')
      .values({ projectId, kind, theirId, ourId })
      .onConflict((conflict) => conflict.columns(['projectId', 'kind', 'theirId']).doNothing())
      .execute()
  }
}
