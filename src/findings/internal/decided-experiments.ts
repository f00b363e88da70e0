import { type Experiment, statusOf } from '#experiments/experiment'
import { estimateWords } from '#experiments/results/estimate-words'
import type { DecidingComparison, ExperimentVerdict } from '#experiments/results/verdict'
import type { Finding, FindingText, FindingUrgency } from '../finding'
import { pageAddress } from './addresses'
import type { FindingRule } from './rule'

/** As many as the list of experiments asks for at once. */
const mostExperiments = 10

/** Running experiments whose verdict is to ship a variant or to stop. */
export const decidedExperiments: FindingRule = {
  id: 'decided-experiment',
  needs: ['experiments:read'],
  async find({ projectId, viewer, experiments }) {
    const running = (await experiments.list(projectId, viewer))
      .filter((one) => statusOf(one) === 'running')
      .toSorted((one, other) => startOf(other) - startOf(one))
      .slice(0, mostExperiments)
    const found = await Promise.all(
      running.map(async (experiment) => {
        const outcome = await experiments.results.result(projectId, experiment.id, viewer)
        return outcome.done ? findingOf(experiment, outcome.result) : undefined
      }),
    )
    return found.filter((one) => one !== undefined)
  },
}

const startOf = ({ startedAt }: Experiment): number => startedAt?.getTime() ?? 0

/** The sentence of a verdict; undefined while nothing is to be done. */
export function findingOf(
  { id, name }: Pick<Experiment, 'id' | 'name'>,
  { verdict, sentence }: { verdict: ExperimentVerdict; sentence: string },
): Finding | undefined {
  const words = wordsOf(verdict)
  if (!words) return undefined
  return {
    rule: decidedExperiments.id,
    urgency: words.urgency,
    headline: [...words.before, ' in ', { name }, words.after],
    reason: sentence,
    action: { label: words.action, path: pageAddress.experiment(id) },
  }
}

interface VerdictWords {
  urgency: FindingUrgency
  before: FindingText
  after: string
  action: string
}

function wordsOf(verdict: ExperimentVerdict): VerdictWords | undefined {
  if (verdict.advice === 'ship')
    return {
      urgency: 'decide',
      before: [`${verdict.metric} ${effectOf(verdict)} with `, { name: verdict.variant }],
      after: ': ship it',
      action: 'Ship it',
    }
  if (verdict.advice === 'ship-best')
    return {
      urgency: 'decide',
      before: [{ name: verdict.variant }, ' is the best variant'],
      after: ': ship it',
      action: 'Ship it',
    }
  if (verdict.advice === 'stop')
    return {
      urgency: 'harm',
      before: [`${verdict.metric} ${effectOf(verdict)} with `, { name: verdict.variant }],
      after: ': stop it',
      action: 'Stop it',
    }
  return undefined
}

/** "+36%", or the difference in the metric’s own unit where there is no share of the control. */
function effectOf({ unit, comparison }: DecidingComparison): string {
  const { relative, absolute } = comparison.adjusted ?? comparison
  return estimateWords(relative ?? absolute, unit, relative ? 'relative' : 'absolute').value
}
