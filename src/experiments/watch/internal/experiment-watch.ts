import type { JobTurn } from '#jobs/jobs'
import { operator } from '#projects/access'
import type { Store, StoreTransaction } from '#store/store'
import type { World } from '#world/world'
import { type Experiment, statusOf } from '../../experiment'
import { watchedExperimentsOf } from '../../internal/store'
import type { ExperimentResult, ExperimentResults } from '../../results/experiment-results'
import { answerRowsOf, type KeptAnswer, type KeptAnswerKind } from '../../results/internal/answer-store'
import { leastRows } from '../../results/internal/kept-answers'
import { noteTold } from './store'
import { type ExperimentNotice, noticesIn } from '../notices'

export interface ExperimentWatchDependencies {
  store: Store
  world: World
  results: Pick<ExperimentResults, 'result' | 'course' | 'exposures'>
  /** Tells the project of a notice, with the transaction that notes that it was told. */
  notify: (transaction: StoreTransaction, experiment: Experiment, notice: ExperimentNotice) => Promise<void>
}

export const watchJob = 'look at experiments'

const minuteMs = 60_000
/** Jobs run a little early or late: what is due in the next moment would otherwise wait for another minute. */
const inexact = 0.9
const hourMs = 60 * minuteMs
/** The answers beside the result are computed this often, where they take long. */
const detailsEveryMs = 6 * hourMs

/** An experiment of few events is looked at every minute, one of many every hour: a look costs what it reads. */
const lookEveryMs = ({ rowsRead }: Pick<KeptAnswer, 'rowsRead'>): number =>
  Math.min(hourMs, Math.max(minuteMs, (rowsRead / leastRows) * hourMs)) * inexact

const watcher = operator('experiment watch')

/** Looks at each running experiment at least every hour, so that its page has an answer at once, and tells what became known. */
export class ExperimentWatch {
  constructor(private readonly dependencies: ExperimentWatchDependencies) {}

  async run(turn: JobTurn): Promise<void> {
    const problems: unknown[] = []
    for (const experiment of await watchedExperimentsOf(this.dependencies.store)) {
      if (!(await turn.extend())) return
      await this.look(experiment).catch((problem: unknown) => problems.push(problem))
    }
    if (problems.length > 0) throw problems[0]
  }

  private async look(experiment: Experiment): Promise<void> {
    const { results } = this.dependencies
    const { id, projectId } = experiment
    const inBackground = { isInBackground: true }
    if (await this.isDue(experiment, 'results')) {
      const outcome = await results.result(projectId, id, watcher, inBackground)
      if (outcome.done) await this.tell(experiment, outcome.result)
    }
    if (await this.isDue(experiment, 'course')) await results.course(projectId, id, watcher, inBackground)
    if (await this.isDue(experiment, 'exposures'))
      await results.exposures(projectId, id, {}, watcher, inBackground)
  }

  private async isDue(experiment: Experiment, about: KeptAnswerKind): Promise<boolean> {
    const rows = await answerRowsOf(this.dependencies.store, experiment.id)
    const row = rows.find((one) => one.about === about)
    if (row?.wantedAt) return true
    if (statusOf(experiment) !== 'running') return false
    const isLarge = rows.some(({ kept }) => kept && kept.rowsRead >= leastRows)
    if (about !== 'results' && !isLarge) return false
    if (!row?.triedAt) return true
    const resultEveryMs = row.kept ? lookEveryMs(row.kept) : hourMs
    const everyMs = about === 'results' ? resultEveryMs : detailsEveryMs
    return this.dependencies.world.now().getTime() - row.triedAt.getTime() >= everyMs
  }

  /** A rollout is told of by its guard, which acts on it. */
  private async tell(experiment: Experiment, result: ExperimentResult): Promise<void> {
    if (statusOf(experiment) !== 'running' || result.isBehind) return
    const notices = noticesIn(result, experiment.analysis.level)
    const told = experiment.kind === 'rollout' ? notices.filter(({ kind }) => kind === 'split') : notices
    if (told.length === 0) return
    const { store, world, notify } = this.dependencies
    await store.transaction(async (transaction) => {
      for (const notice of told) {
        const { about } = notice
        const isNew = await noteTold(transaction, { experimentId: experiment.id, about, at: world.now() })
        if (isNew) await notify(transaction, experiment, notice)
      }
    })
  }
}
