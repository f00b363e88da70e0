import { requireEvery, type Viewer } from '#projects/access'
import type { Store } from '#store/store'
import type { EntryKind } from './entries/entry-report'

interface MovedEntryTables {
  moved_entries: { project_id: number; kind: EntryKind; their_id: string; our_id: string }
}

/** Remembers what was made of entries of PostHog's, so that a second import makes none of them again. */
export class MovedEntries {
  constructor(private readonly dependencies: { store: Store }) {}

  /** Returns our ids by theirs. */
  async list(projectId: number, kind: EntryKind, viewer: Viewer): Promise<ReadonlyMap<string, string>> {
    requireEvery(['insights:write'], projectId, viewer)
    const rows = await this.dependencies.store
      .tables<MovedEntryTables>()
      .selectFrom('moved_entries')
      .select(['their_id', 'our_id'])
      .where('project_id', '=', projectId)
      .where('kind', '=', kind)
      .execute()
    return new Map(rows.map(({ their_id, our_id }) => [their_id, our_id]))
  }

  async add(
    projectId: number,
    { kind, theirId, ourId }: { kind: EntryKind; theirId: string; ourId: string },
    viewer: Viewer,
  ): Promise<void> {
    requireEvery(['insights:write'], projectId, viewer)
    await this.dependencies.store
      .tables<MovedEntryTables>()
      .insertInto('moved_entries')
      .values({ project_id: projectId, kind, their_id: theirId, our_id: ourId })
      .onConflict((conflict) => conflict.columns(['project_id', 'kind', 'their_id']).doNothing())
      .execute()
  }
}
