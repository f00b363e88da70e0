import type { z } from 'zod'
import { LRUCache } from 'lru-cache'
import type { Insights } from '#insights/ask'
import { experimentQuery } from '#insights/kinds/experiment/schema'
import { unitSample } from '#insights/kinds/experiment/unit-sample'
import { operator, requireRight, type Viewer } from '#projects/access'
import { failedOutcome, type Outcome } from '#projects/problems'
import type { World } from '#world/world'
import type { Experiment } from '../experiment'
import { missingExperiment } from '../internal/missing-experiment'
import { aaCheckInWords } from './internal/aa-check-words'
import type { AaCheckRunner } from './internal/aa-check-thread'
import { historyQuery, historyStart, matcherOf } from './history'
import type { aaCheckState } from './plan-schema'

interface AaChecksDependencies {
  world: World
  experiments: {
    find: (projectId: number, id: string, viewer: Viewer) => Promise<Experiment | undefined>
  }
  insights: Pick<Insights, 'scope'>
  run: AaCheckRunner
}

export type AaCheckState = z.infer<typeof aaCheckState>

const reader = operator('A/A check')

const [mostUnits, times, historyDays] = [100_000, 1000, 28]
/** The seed is fixed, so that the same history is divided in the same ways. */
const seed = 20_130_204

/**
 * Divides the project’s own history at random a thousand times, and counts what the analysis finds in it. States are of
 * this process; a change of the metrics or of the analysis needs another check.
 */
export class AaChecks {
  private readonly states = new LRUCache<string, AaCheckState>({ max: 200 })
  /** The last check. One runs at a time, since each takes a core. */
  private last: Promise<void> = Promise.resolve()

  constructor(private readonly dependencies: AaChecksDependencies) {}

  async state(projectId: number, id: string, viewer: Viewer): Promise<Outcome<{ check: AaCheckState }>> {
    requireRight('experiments:read', projectId, viewer)
    const experiment = await this.dependencies.experiments.find(projectId, id, viewer)
    if (!experiment) return missingExperiment
    return { done: true, check: this.states.get(keyOf(experiment)) ?? { state: 'none' } }
  }

  /** Begins a check, unless one runs. It keeps a core busy for up to a minute, so reading does not suffice. */
  async begin(projectId: number, id: string, viewer: Viewer): Promise<Outcome<{ check: AaCheckState }>> {
    requireRight('experiments:write', projectId, viewer)
    const experiment = await this.dependencies.experiments.find(projectId, id, reader)
    if (!experiment) return missingExperiment
    if (experiment.metrics.length === 0) return failedOutcome('Add a metric first.', 'metrics')
    const key = keyOf(experiment)
    const known = this.states.get(key)
    if (known?.state === 'running') return { done: true, check: known }
    const check: AaCheckState = { state: 'running', progress: 0 }
    this.states.set(key, check)
    this.last = this.last.then(() => this.perform(key, experiment))
    return { done: true, check }
  }

  /** Resolves once all checks that have begun are over. */
  async settled(): Promise<void> {
    await this.last
  }

  private async perform(key: string, experiment: Experiment): Promise<void> {
    try {
      this.states.set(key, await this.check(key, experiment))
    } catch (problem) {
      const reason = problem instanceof Error ? problem.message : String(problem)
      this.states.set(key, { state: 'failed', sentence: `The check failed: ${reason}` })
    }
  }

  private async check(key: string, experiment: Experiment): Promise<AaCheckState> {
    const { world, run } = this.dependencies
    const beganAt = performance.now()
    const columns = await this.sample(experiment)
    const { metrics, analysis } = experiment
    const result = await run({ metrics, analysis, columns, times, seed }, (progress) =>
      this.states.set(key, { state: 'running', progress }),
    )
    return {
      state: 'done',
      at: world.now(),
      tookMs: Math.round(performance.now() - beganAt),
      result,
      sentences: aaCheckInWords(result, analysis.smallestEffect),
    }
  }

  /** The values of units that the flag would have exposed; of all active units where no one read the flag. */
  private async sample(experiment: Experiment) {
    const scope = await this.dependencies.insights.scope(experiment.projectId, reader)
    const from = historyStart(this.dependencies.world.now(), historyDays)
    const of = async (by: 'exposures' | 'activity') => {
      const query = historyQuery(experiment, { matcher: matcherOf({ by }, experiment), from })
      return await unitSample(experimentQuery.parse(query), scope, mostUnits)
    }
    const exposed = await of('exposures')
    const isEmpty = exposed.every(([first]) => first === undefined || first.length === 0)
    return isEmpty ? await of('activity') : exposed
  }
}

/** Returns the settings that the result depends on. */
const keyOf = ({ projectId, id, metrics, analysis, exposure, unit, entry }: Experiment): string =>
  JSON.stringify([projectId, id, metrics, analysis, exposure, unit, entry])
