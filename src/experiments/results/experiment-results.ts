import type { Insights } from '#insights/ask'
import type { ExperimentAnswer } from '#insights/kinds/experiment/answer'
import { breakdownValues } from '#insights/measures/trend-lines'
import { noWaitingEvents } from '#insights/waiting-events'
import type { PersonDirectory } from '#insights/people/person-directory'
import type { ListedPerson } from '#insights/people/person-records'
import { operator, requireRight, type Viewer } from '#projects/access'
import { failedOutcome, type Outcome, parseInput } from '#projects/problems'
import type { World } from '#world/world'
import { type Experiment, statusOf } from '../experiment'
import { withFlagState } from '../internal/flag-of-experiment'
import { missingExperiment } from '../internal/missing-experiment'
import { keepSizeReached } from '../internal/store'
import { armsOf } from '../bandits/internal/arms'
import { decisionMetric } from '../bandits/bandit'
import { banditVerdict } from '../bandits/internal/bandit-verdict'
import type { BanditArm } from '../bandits/progress'
import { analyse, metricsByPhase, smallestArmOf } from './internal/analyse'
import { courseOf, type MetricCourse } from './course'
import {
  decomposedMetric,
  decompositionInput,
  type DecompositionReport,
  decompositionReport,
  partMetrics,
  partsQuery,
} from './decomposition'
import { type ExposureReport, exposureReport } from './exposures'
import type { AnsweringOptions, ExperimentAnswerState, KeptAnswers } from './internal/kept-answers'
import { exposuresInput, peopleInput } from './results-input'
import { segmentInput, segmentProblem, type SegmentReport, segmentReport } from './segments'
import {
  exposureFieldsOf,
  experimentQueryOf,
  measuredExperiment,
  type MeasuredExperiment,
  type MeasuringDependencies,
} from './internal/measured-experiment'
import type { ExperimentReport, MetricReport } from './report'
import { lookAt, ruleInWords, ruleOf } from './decision'
import type { Look } from './internal/looks'
import { type ExperimentVerdict, unlessBehind, verdictOf } from './verdict'
import { verdictInWords } from './internal/verdict-words'

interface ExperimentResultsDependencies extends MeasuringDependencies {
  world: World
  experiments: { find: (projectId: number, id: string, viewer: Viewer) => Promise<Experiment | undefined> }
  insights: Pick<Insights, 'ask'>
  answers: KeptAnswers
  people: Pick<PersonDirectory, 'personsBehind'>
}

/** The report of an experiment with its verdict, in words too. */
export interface ExperimentResult extends ExperimentAnswerState {
  verdict: ExperimentVerdict
  sentence: string
  /** When it decides, in a sentence. */
  rule: string
  look: Look
  /** The end of what counts. */
  until: Date
  /** The keys of the flag’s variants in its order, in which they are coloured; none before the start. */
  flagVariants: readonly string[]
  /** Undefined before the start. */
  report: ExperimentReport | undefined
  /** The metrics of each phase by itself; none where there is only one phase. */
  byPhase: MetricReport[][]
  /** The numbers of each variant of a bandit; undefined for other kinds. */
  arms?: BanditArm[] | undefined
}

const dayMs = 86_400_000

/** Reads with rights of its own: a key that may see experiments need not have the right to see all events. */
const reader = operator('experiment results')

/** Computes what is known of an experiment from the events so far. */
export class ExperimentResults {
  constructor(private readonly dependencies: ExperimentResultsDependencies) {}

  /** Reads what is known; where computing it takes long, what was known last. */
  async result(
    projectId: number,
    id: string,
    viewer: Viewer,
    options: AnsweringOptions = {},
  ): Promise<Outcome<{ result: ExperimentResult }>> {
    requireRight('experiments:read', projectId, viewer)
    const experiment = await this.dependencies.experiments.find(projectId, id, viewer)
    if (!experiment) return missingExperiment
    const now = this.dependencies.world.now()
    if (!experiment.startedAt) return { done: true, result: notStarted(experiment, now) }
    const found = await measuredExperiment(this.dependencies, experiment, now, { isDecision: true })
    if (!found.done) return found
    const { measured } = found
    const { variants, startedAt, flagVariants } = measured
    const query = experimentQueryOf(measured)
    const outcome = await this.dependencies.answers.ask(experiment, 'results', query, options)
    if (!outcome.done) return outcome
    const { answer, state } = outcome
    // a kept answer knows nothing that came after it
    const until = state.at < measured.until ? state.at : measured.until
    const smallestArm = smallestArmOf(answer, variants)
    const isReached = experiment.sizeReachedAt !== undefined
    const look = lookAt(experiment.analysis, { startedAt, until, smallestArm, isReached })
    if (look === 'planned' && !isReached && !state.isBehind)
      await keepSizeReached(this.dependencies.store, experiment, until)
    const report = analyse(measured, answer, look)
    const byPhase = metricsByPhase(measured, answer, look)
    const arms = banditArms(measured, answer)
    const context = {
      analysis: experiment.analysis,
      look,
      days: (until.getTime() - startedAt.getTime()) / dayMs,
      isRunning: statusOf(experiment) === 'running',
      isRollout: experiment.kind === 'rollout',
    }
    const decided =
      experiment.kind === 'bandit'
        ? banditVerdict(report, { ...context, arms: arms ?? [], bandit: experiment.bandit })
        : verdictOf(report, context)
    const verdict = unlessBehind(decided, state)
    const words = verdictInWords(verdict, experiment.analysis.level)
    const sentence = await withFlagState(this.dependencies.store, experiment, words)
    const rule = ruleInWords(ruleOf(experiment.analysis))
    return {
      done: true,
      result: { ...state, verdict, sentence, rule, look, until, flagVariants, report, byPhase, arms },
    }
  }

  /** Has newer answers computed in the background, where computing them takes long. */
  async renew(projectId: number, id: string, viewer: Viewer): Promise<Outcome> {
    requireRight('experiments:read', projectId, viewer)
    const experiment = await this.dependencies.experiments.find(projectId, id, viewer)
    if (!experiment) return missingExperiment
    await this.dependencies.answers.renew(experiment)
    return { done: true }
  }

  /** The estimates as they were known at the end of each day; they hold at all of them. */
  async course(
    projectId: number,
    id: string,
    viewer: Viewer,
    options: AnsweringOptions = {},
  ): Promise<Outcome<{ course: MetricCourse[]; state: ExperimentAnswerState }>> {
    const found = await this.measured(projectId, id, viewer)
    if (!found.done) return found
    const { measured } = found
    if (measured.phases.length > mostCoursePhases) return tooManyWeights
    const query = { ...experimentQueryOf(measured), course: true }
    const outcome = await this.dependencies.answers.ask(measured.experiment, 'course', query, options)
    if (!outcome.done) return outcome
    return { done: true, course: courseOf(measured, outcome.answer), state: outcome.state }
  }

  /** Reports all units that the flag was reported for, counted or not, and the cause of a mismatch of the split. */
  async exposures(
    projectId: number,
    id: string,
    input: unknown,
    viewer: Viewer,
    options: AnsweringOptions = {},
  ): Promise<Outcome<{ report: ExposureReport }>> {
    const found = await this.exposuresQuery(projectId, id, input, viewer)
    if (!found.done) return found
    const { measured, question, isUsual } = found
    const { variants, phases, experiment } = measured
    const { answers } = this.dependencies
    const outcome = isUsual
      ? await answers.ask(experiment, 'exposures', question, options)
      : await answers.askOnce(projectId, question)
    if (!outcome.done) return outcome
    const isSplitTested = experiment.kind !== 'bandit'
    return { done: true, report: exposureReport(variants, phases, outcome.answer, { isSplitTested }) }
  }

  /** The persons behind a number of exposures; needs the right to see events. */
  async people(
    projectId: number,
    id: string,
    input: unknown,
    viewer: Viewer,
  ): Promise<Outcome<{ persons: ListedPerson[]; total: number }>> {
    requireRight('experiments:read', projectId, viewer)
    requireRight('events:read', projectId, viewer)
    const parsed = parseInput(peopleInput, input)
    if (!parsed.done) return parsed
    const { metric, page, ...point } = parsed.value
    const found = await this.exposuresQuery(projectId, id, { metric }, viewer)
    if (!found.done) return found
    return await this.dependencies.people.personsBehind(projectId, found.question, point, viewer, page)
  }

  /** Results by a property that is known at the exposure or before. */
  async segments(
    projectId: number,
    id: string,
    input: unknown,
    viewer: Viewer,
  ): Promise<Outcome<{ report: SegmentReport }>> {
    const found = await this.measured(projectId, id, viewer)
    if (!found.done) return found
    const parsed = parseInput(segmentInput, input)
    if (!parsed.done) return parsed
    const refused = segmentProblem(parsed.value)
    if (refused) return refused
    const query = { ...experimentQueryOf(found.measured), segment: parsed.value }
    const outcome = await this.dependencies.answers.askOnce(projectId, query)
    if (!outcome.done) return outcome
    return segmentReport(found.measured, parsed.value, outcome.answer)
  }

  /** Splits one metric by a property of its event; each part is of all exposed units. */
  async decomposition(
    projectId: number,
    id: string,
    input: unknown,
    viewer: Viewer,
  ): Promise<Outcome<{ report: DecompositionReport }>> {
    const found = await this.measured(projectId, id, viewer)
    if (!found.done) return found
    const parsed = parseInput(decompositionInput, input)
    if (!parsed.done) return parsed
    const { key, metric } = parsed.value
    const decomposable = decomposedMetric(found.measured.experiment.metrics, metric)
    if (!decomposable.done) return decomposable
    const { decomposed } = decomposable
    const listed = await this.dependencies.insights.ask(
      projectId,
      partsQuery(decomposed, key, found.measured),
      reader,
    )
    if (!listed.done) return listed
    const parts = partMetrics(decomposed, key, breakdownValues(listed))
    const query = {
      ...experimentQueryOf(found.measured),
      metrics: [decomposed.measured, ...parts.map(({ measured }) => measured)],
    }
    const outcome = await this.dependencies.answers.askOnce(projectId, query)
    if (!outcome.done) return outcome
    const { answer } = outcome
    return { done: true, report: decompositionReport(found.measured, { decomposed, key, parts }, answer) }
  }

  private async exposuresQuery(projectId: number, id: string, input: unknown, viewer: Viewer) {
    const found = await this.measured(projectId, id, viewer)
    if (!found.done) return found
    const parsed = parseInput(exposuresInput, input)
    if (!parsed.done) return parsed
    const { metrics } = found.measured.experiment
    const primary = metrics.find(({ role }) => role === 'primary')
    const { metric: chosen } = parsed.value
    const metric = chosen === undefined ? primary : metrics.find((one) => one.id === chosen)
    if (!metric && chosen !== undefined)
      return failedOutcome(`The experiment has no metric "${chosen}".`, 'metric')
    const query = {
      kind: 'experiment-exposures' as const,
      ...exposureFieldsOf(found.measured),
      ...(metric && { metric: metric.measured }),
    }
    return { done: true as const, measured: found.measured, question: query, isUsual: metric === primary }
  }

  private async measured(
    projectId: number,
    id: string,
    viewer: Viewer,
  ): Promise<Outcome<{ measured: MeasuredExperiment }>> {
    requireRight('experiments:read', projectId, viewer)
    const experiment = await this.dependencies.experiments.find(projectId, id, viewer)
    return experiment ? await this.measuredNow(experiment) : missingExperiment
  }

  private measuredNow(experiment: Experiment): Promise<Outcome<{ measured: MeasuredExperiment }>> {
    return measuredExperiment(this.dependencies, experiment, this.dependencies.world.now())
  }
}

/** The course repeats each phase for each day. */
const mostCoursePhases = 100
const tooManyWeights = failedOutcome(
  `The weights moved more than ${mostCoursePhases} times, so the estimates are not computed for each day. See how the weights moved instead.`,
)

function banditArms(
  { experiment, variants, phases }: MeasuredExperiment,
  answer: ExperimentAnswer,
): BanditArm[] | undefined {
  const metric = decisionMetric(experiment)
  if (experiment.kind !== 'bandit' || !metric) return undefined
  return armsOf(answer, variants, { metric, place: experiment.metrics.indexOf(metric), phases })
}

function notStarted({ analysis }: Experiment, now: Date): ExperimentResult {
  const verdict: ExperimentVerdict = { advice: 'not-started' }
  return {
    at: now,
    tookMs: 0,
    ...noWaitingEvents,
    isRenewed: false,
    verdict,
    sentence: verdictInWords(verdict, analysis.level),
    rule: ruleInWords(ruleOf(analysis)),
    look: 'early',
    until: now,
    flagVariants: [],
    report: undefined,
    byPhase: [],
  }
}
