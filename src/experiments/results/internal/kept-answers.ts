import { EngineError } from '#engine/engine'
import type { AnswerByKind } from '#insights/answered-query'
import type { Insights } from '#insights/ask'
import type { AnswerState } from '#insights/waiting-events'
import { operator } from '#projects/access'
import { failedOutcome, type Outcome } from '#projects/problems'
import type { Store } from '#store/store'
import type { World } from '#world/world'
import type { Experiment } from '../../experiment'
import {
  type StoredAnswer,
  answerRowsOf,
  keepAnswer,
  type KeptAnswer,
  keptAnswerKinds,
  type KeptAnswerKind,
  noteTry,
  wantAnswer,
} from './answer-store'

interface KeptAnswersDependencies {
  store: Store
  world: World
  insights: Pick<Insights, 'ask' | 'keyOf'>
}

type ExperimentKind = 'experiment' | 'experiment-exposures'

export interface ExperimentAnswerState extends AnswerState {
  /** Whether a newer answer is being computed. */
  isRenewed: boolean
}

export interface AnsweringOptions {
  /** Computes an answer now, whatever is kept. */
  isFresh?: boolean
  /** Computes an answer however long that takes, and keeps it for those who ask later. */
  isInBackground?: boolean
}

interface ComputingOptions extends AnsweringOptions {
  key: string
  /** The time that computing may take; the answer is then kept whatever it read. */
  withinMs?: number
}

export type ExperimentAnswered<Kind extends ExperimentKind> = Outcome<{
  answer: AnswerByKind[Kind]
  state: ExperimentAnswerState
}>

type NamedExperiment = Pick<Experiment, 'id' | 'projectId'>

/** The topic of the change feed that says that an answer is wanted. */
export const wantedAnswersTopic = 'wanted experiment answers'

/** Answers from fewer rows are found at once on any machine, and never kept. */
export const leastRows = 1_000_000

/** An answer is as old as this for each second that it took, before a newer one is computed. */
const keptMsPerMs = 60
const longestMs = 60 * 60_000
const dayMs = 24 * longestMs

/** Less time is not worth a query. */
const shortestMs = 200

const backgroundDeadlineMs = 10 * 60_000

/** Reads with rights of its own: a key that may see experiments need not have the right to see all events. */
const reader = operator('experiment results')

/**
 * Answers queries about experiments. Those from many events are kept in the store, so that a page shows the last one at
 * once, while a newer one is computed.
 */
export class KeptAnswers {
  constructor(private readonly dependencies: KeptAnswersDependencies) {}

  /** Returns the last answer if it was expensive, whatever its age, unless the options say otherwise. */
  async ask<Kind extends ExperimentKind>(
    experiment: NamedExperiment,
    about: KeptAnswerKind,
    query: { kind: Kind },
    options: AnsweringOptions = {},
  ): Promise<ExperimentAnswered<Kind>> {
    const keyed = this.dependencies.insights.keyOf(experiment.projectId, query, reader)
    if (!keyed.done) return keyed
    const { key } = keyed
    if (options.isInBackground) {
      await noteTry(this.dependencies.store, experiment.id, about, this.dependencies.world.now())
      return await this.compute(experiment, about, query, { key, ...options })
    }
    const row = (await answerRowsOf(this.dependencies.store, experiment.id)).find(
      (one) => one.about === about,
    )
    const kept = options.isFresh ? undefined : row?.kept
    if (row && kept && holds(kept, key)) {
      const isRenewed = this.isRenewed(row) || this.isOld(kept)
      if (isRenewed) await this.want(experiment, [about], row)
      const answer = kept.answer as AnswerByKind[Kind] // the key is that of the query
      return { done: true, answer, state: stateOf(kept, isRenewed) }
    }
    try {
      return await this.compute(experiment, about, query, { key, ...options })
    } catch (problem) {
      if (!(problem instanceof EngineError) || problem.failure !== 'deadline') throw problem
      await this.want(experiment, [about], row)
      throw new EngineError('deadline', inBackground, { cause: problem })
    }
  }

  /** Asks a query that is of one look only; its answer is not kept. */
  async askOnce<Kind extends ExperimentKind>(
    projectId: number,
    query: { kind: Kind },
  ): Promise<ExperimentAnswered<Kind>> {
    const outcome = await this.dependencies.insights.ask(projectId, query, reader)
    if (!outcome.done) return outcome
    const { answer, at, ...rest } = outcome
    return { done: true, answer, state: stateOf({ ...rest, at: at.toISOString() }, false) }
  }

  /**
   * Answers about an experiment that is over, for a list of many: by what is kept, whatever it took, or by what can be
   * computed in the time. Undefined where that is too short; the answer is then computed in the background.
   */
  async askForList(
    experiment: NamedExperiment,
    query: { kind: 'experiment' },
    { until, withinMs }: { until: Date; withinMs: number },
  ): Promise<Outcome<{ answer: AnswerByKind['experiment'] | undefined }>> {
    const about = 'results'
    const { store, insights } = this.dependencies
    const keyed = insights.keyOf(experiment.projectId, query, reader)
    if (!keyed.done) return keyed
    const { key } = keyed
    const row = (await answerRowsOf(store, experiment.id)).find((one) => one.about === about)
    if (row?.kept?.key === key && !row.kept.isBehind) {
      if (this.isStaleInList(row.kept, until)) await this.want(experiment, [about], row)
      // the key is that of the query
      return { done: true, answer: row.kept.answer as AnswerByKind['experiment'] }
    }
    if (withinMs > shortestMs)
      try {
        const outcome = await this.compute(experiment, about, query, { key, withinMs })
        if (!outcome.done) return outcome
        return { done: true, answer: outcome.state.isBehind ? undefined : outcome.answer }
      } catch (problem) {
        if (!(problem instanceof EngineError)) throw problem
        // the others of the list can be answered
        if (problem.failure === 'memory') return failedOutcome(problem.message)
        if (problem.failure !== 'deadline') throw problem
      }
    await this.want(experiment, [about], row)
    return { done: true, answer: undefined }
  }

  /** Events arrive late on the first day. Later an expensive answer stays, and others are computed anew each day. */
  private isStaleInList({ at, rowsRead }: KeptAnswer, until: Date): boolean {
    const age = this.dependencies.world.now().getTime() - Date.parse(at)
    if (Date.parse(at) - until.getTime() < dayMs) return age > longestMs
    return rowsRead < leastRows && age > dayMs
  }

  private async compute<Kind extends ExperimentKind>(
    { id, projectId }: NamedExperiment,
    about: KeptAnswerKind,
    query: { kind: Kind },
    { key, isFresh = false, isInBackground = false, withinMs }: ComputingOptions,
  ): Promise<ExperimentAnswered<Kind>> {
    const { store, insights } = this.dependencies
    const outcome = await insights.ask(projectId, query, reader, {
      isFresh: isFresh || isInBackground,
      deadlineMs: isInBackground ? backgroundDeadlineMs : withinMs,
    })
    if (!outcome.done) return outcome
    const { answer, at, tookMs, rowsRead, waitingEvents, isBehind } = outcome
    const kept = { key, answer, at: at.toISOString(), tookMs, rowsRead, waitingEvents, isBehind }
    if (isInBackground || withinMs !== undefined || rowsRead >= leastRows)
      await keepAnswer(store, id, about, kept)
    return { done: true, answer, state: stateOf(kept, false) }
  }

  private isOld({ at, tookMs }: KeptAnswer): boolean {
    const age = this.dependencies.world.now().getTime() - Date.parse(at)
    return age > Math.min(tookMs * keptMsPerMs, longestMs)
  }

  /** Has newer answers computed in the background. */
  async renew(experiment: NamedExperiment): Promise<void> {
    await this.want(experiment, keptAnswerKinds)
  }

  /** Whether someone has asked for a newer answer, or it is being computed. */
  private isRenewed({ wantedAt, triedAt, kept }: StoredAnswer): boolean {
    if (wantedAt) return true
    const { world } = this.dependencies
    return (
      triedAt !== undefined &&
      world.now().getTime() - triedAt.getTime() < backgroundDeadlineMs &&
      (!kept || triedAt > new Date(kept.at))
    )
  }

  private async want(
    { id }: NamedExperiment,
    kinds: readonly KeptAnswerKind[],
    known?: StoredAnswer,
  ): Promise<void> {
    if (known && this.isRenewed(known)) return
    const { store, world } = this.dependencies
    await store.transaction(async (transaction) => {
      for (const about of kinds) await wantAnswer(transaction, id, about, world.now())
      await transaction.announce(wantedAnswersTopic)
    })
  }
}

/** Whether a kept answer is that of the query, complete, and worth keeping. */
const holds = (kept: KeptAnswer, key: string): boolean =>
  kept.key === key && !kept.isBehind && kept.rowsRead >= leastRows

const inBackground =
  'This takes longer than 30 seconds, so it is being computed in the background. Open the page again in a few minutes.'

const stateOf = (
  { at, tookMs, waitingEvents, isBehind }: Omit<KeptAnswer, 'key' | 'answer' | 'rowsRead'>,
  isRenewed: boolean,
): ExperimentAnswerState => ({ at: new Date(at), tookMs, waitingEvents, isBehind, isRenewed })
