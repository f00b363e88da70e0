import type { Selectable } from 'kysely'
import type { z } from 'zod'
import { partOf } from '#collection/change-of'
import { dateOrUndefined, isoOrNull } from '#store/rows'
import type { Store } from '#store/store'
import type { Conclusion, Experiment, ExperimentKind } from './experiment'
import { experimentSchema } from './experiment-schema'

interface ExperimentTables {
  experiments: {
    id: string
    project_id: number
    name: string
    flag: string
    definition: string
    started_at: string | null
    ended_at: string | null
    archived_at: string | null
    created_by: string
    created_at: string
    changed_at: string
  }
}

type StoreOrTransaction = Pick<Store, 'tables'>

const open = (store: StoreOrTransaction) => store.tables<ExperimentTables>()

/** Everything of an experiment that has no column. */
const definition = experimentSchema.omit({
  id: true,
  projectId: true,
  name: true,
  flag: true,
  startedAt: true,
  endedAt: true,
  archivedAt: true,
  createdBy: true,
  createdAt: true,
  changedAt: true,
})

/** JSON has no dates, and experiments had no kinds at first. */
type StoredDefinition = Omit<Pick<Experiment, keyof z.infer<typeof definition>>, 'conclusion' | 'kind'> & {
  kind?: ExperimentKind
  conclusion?: Omit<Conclusion, 'at'> & { at: string }
}

function toExperiment(row: Selectable<ExperimentTables['experiments']>): Experiment {
  // only `saveExperiment` writes it
  const { kind = 'fixed', conclusion, ...stored } = JSON.parse(row.definition) as StoredDefinition
  return {
    ...stored,
    kind,
    conclusion: conclusion && { ...conclusion, at: new Date(conclusion.at) },
    id: row.id,
    projectId: row.project_id,
    name: row.name,
    flag: row.flag,
    startedAt: dateOrUndefined(row.started_at),
    endedAt: dateOrUndefined(row.ended_at),
    archivedAt: dateOrUndefined(row.archived_at),
    createdBy: row.created_by,
    createdAt: new Date(row.created_at),
    changedAt: new Date(row.changed_at),
  }
}

/** By age, archived ones among them. */
export async function experimentsOf(store: StoreOrTransaction, projectId: number): Promise<Experiment[]> {
  const rows = await open(store)
    .selectFrom('experiments')
    .selectAll()
    .where('project_id', '=', projectId)
    .orderBy('created_at')
    .orderBy('id')
    .execute()
  return rows.map(toExperiment)
}

/** The experiments of all projects that have neither ended nor been archived. */
export async function openExperimentsOf(store: StoreOrTransaction): Promise<Experiment[]> {
  const rows = await open(store)
    .selectFrom('experiments')
    .selectAll()
    .where('ended_at', 'is', null)
    .where('archived_at', 'is', null)
    .orderBy('created_at')
    .orderBy('id')
    .execute()
  return rows.map(toExperiment)
}

export async function saveExperiment(store: StoreOrTransaction, experiment: Experiment): Promise<void> {
  const columns = {
    name: experiment.name,
    flag: experiment.flag,
    definition: JSON.stringify(partOf(definition, experiment)),
    started_at: isoOrNull(experiment.startedAt),
    ended_at: isoOrNull(experiment.endedAt),
    archived_at: isoOrNull(experiment.archivedAt),
    changed_at: experiment.changedAt.toISOString(),
  }
  await open(store)
    .insertInto('experiments')
    .values({
      id: experiment.id,
      project_id: experiment.projectId,
      created_by: experiment.createdBy,
      created_at: experiment.createdAt.toISOString(),
      ...columns,
    })
    .onConflict((conflict) => conflict.column('id').doUpdateSet(columns))
    .execute()
}
