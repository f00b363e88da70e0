import { requireRight, type Viewer } from '#projects/access'
import type { Store } from '#store/store'
import { openTables } from '#store/tables'

type FormKind = 'insight' | 'dashboard' | 'action'

/** The fields of PostHog's that a client sent of an entry, by their names. */
export type SentForm = Readonly<Record<string, unknown>>

interface SentFormTables {
  posthogForms: { projectId: number; kind: FormKind; entryId: string; form: SentForm }
}

const open = openTables<SentFormTables>({ json: ['form'] })

/**
 * Keeps what clients of PostHog's API sent of an insight, a dashboard or an action, as far as Tilth has it in another form or has no
 * place for it. Terraform compares what it reads with what it sent, and fails where a field is gone.
 */
export class SentForms {
  constructor(private readonly dependencies: { store: Store }) {}

  /** Returns the forms by the ids of their entries. */
  async list(projectId: number, kind: FormKind, viewer: Viewer): Promise<ReadonlyMap<string, SentForm>> {
    requireRight('events:read', projectId, viewer)
    const rows = await open(this.dependencies.store)
      .selectFrom('posthogForms')
      .select(['entryId', 'form'])
      .where('projectId', '=', projectId)
      .where('kind', '=', kind)
      .execute()
    return new Map(rows.map(({ entryId, form }) => [entryId, form]))
  }

  async keep(
    projectId: number,
    { kind, entryId, form }: { kind: FormKind; entryId: string; form: SentForm },
    viewer: Viewer,
  ): Promise<void> {
    requireRight('insights:write', projectId, viewer)
    await open(this.dependencies.store)
      .insertInto('posthogForms')
      .values({ projectId, kind, entryId, form })
      .onConflict((conflict) => conflict.columns(['projectId', 'kind', 'entryId']).doUpdateSet({ form }))
      .execute()
  }
}
