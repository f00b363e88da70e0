import type { ColumnType } from 'kysely'
import { partOf } from '#collection/change-of'
import type { Store, TableSource } from '#store/store'
import { openTables, rowOf, type RowsOf } from '#store/tables'
import type { AnalysisSettings, Conclusion, Experiment, ExperimentKind } from '../experiment'
import { experimentSchema } from './experiment-schema'

const columnsOnly = {
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
} as const
const columns = experimentSchema.pick(columnsOnly).keyof().options

/** Everything of an experiment that has no column. */
const definition = experimentSchema.omit(columnsOnly)
type Definition = Omit<Experiment, keyof typeof columnsOnly>

/** JSON has no dates, and experiments had no kinds, rule of decision and recipients at first. */
type StoredDefinition = Omit<
  Definition,
  'conclusion' | 'kind' | 'analysis' | 'sizeReachedAt' | 'recipients'
> & {
  kind?: ExperimentKind
  analysis: Omit<AnalysisSettings, 'decision'> & Partial<Pick<AnalysisSettings, 'decision'>>
  sizeReachedAt?: string
  recipients?: Experiment['recipients']
  conclusion?: Omit<Conclusion, 'at'> & { at: string }
}

type Row<Defined> = Pick<Experiment, keyof typeof columnsOnly> & { definition: Defined }

interface ExperimentTables {
  experiments: RowsOf<Omit<Row<Definition>, 'definition'>> & {
    definition: ColumnType<StoredDefinition, Definition, Definition>
  }
  experimentAnswers: { experimentId: string; wantedAt: Date | null }
}

const open = openTables<ExperimentTables>({ json: ['definition'] })

const anyTime = { rule: 'any-time' } as const

function toExperiment({ definition: defined, ...row }: Row<StoredDefinition>): Experiment {
  const { kind = 'fixed', recipients = [], analysis, conclusion, sizeReachedAt, ...stored } = defined
  return {
    ...stored,
    kind,
    recipients,
    analysis: { decision: anyTime, ...analysis },
    sizeReachedAt: sizeReachedAt === undefined ? undefined : new Date(sizeReachedAt),
    conclusion: conclusion && { ...conclusion, at: new Date(conclusion.at) },
    ...row,
  }
}

/** Returns experiments by age, archived ones among them. */
export async function experimentsOf(store: TableSource, projectId: number): Promise<Experiment[]> {
  const rows = await open(store)
    .selectFrom('experiments')
    .selectAll()
    .where('projectId', '=', projectId)
    .orderBy('createdAt')
    .orderBy('id')
    .execute()
  return rows.map(toExperiment)
}

export const findExperiment = async (
  store: TableSource,
  projectId: number,
  id: string,
): Promise<Experiment | undefined> => (await experimentsOf(store, projectId)).find((one) => one.id === id)

/** The experiments of all projects that have neither ended nor been archived. */
export async function openExperimentsOf(store: TableSource): Promise<Experiment[]> {
  const rows = await open(store)
    .selectFrom('experiments')
    .selectAll()
    .where('endedAt', 'is', null)
    .where('archivedAt', 'is', null)
    .orderBy('createdAt')
    .orderBy('id')
    .execute()
  return rows.map(toExperiment)
}

/** The running experiments of all projects, and others of which a newer answer is wanted. */
export async function watchedExperimentsOf(store: TableSource): Promise<Experiment[]> {
  const rows = await open(store)
    .selectFrom('experiments')
    .selectAll()
    .where('startedAt', 'is not', null)
    .where((where) =>
      where.or([
        where.and([where.eb('endedAt', 'is', null), where.eb('archivedAt', 'is', null)]),
        where.eb(
          'id',
          'in',
          where.selectFrom('experimentAnswers').select('experimentId').where('wantedAt', 'is not', null),
        ),
      ]),
    )
    .orderBy('createdAt')
    .orderBy('id')
    .execute()
  return rows.map(toExperiment)
}

export async function saveExperiment(store: TableSource, experiment: Experiment): Promise<void> {
  const row = { ...rowOf(columns, experiment), definition: partOf(definition, experiment) }
  await open(store)
    .insertInto('experiments')
    .values(row)
    .onConflict((conflict) => conflict.column('id').doUpdateSet(row))
    .execute()
}

/** Keeps when the planned size was first seen: by what was known then the experiment is decided. */
export async function keepSizeReached(
  store: Store,
  { projectId, id }: Pick<Experiment, 'projectId' | 'id'>,
  at: Date,
): Promise<void> {
  await store.transaction(async (transaction) => {
    const experiment = (await experimentsOf(transaction, projectId)).find((one) => one.id === id)
    if (experiment?.analysis.decision.rule !== 'planned-size' || experiment.sizeReachedAt) return
    await saveExperiment(transaction, { ...experiment, sizeReachedAt: at })
  })
}
