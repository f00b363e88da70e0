import type { z } from 'zod'
import { type Flag, mainEnvironment } from '#flags/flag'
import { evenFlag, fixedVariants } from '../bandits/internal/bandit-flag'
import { type Experiment, statusOf } from '../experiment'
import type { readinessCheck } from './plan-schema'

export type ReadinessCheck = z.infer<typeof readinessCheck>

/** The severities by weight. */
export const checkSeverities = ['error', 'warning', 'advice', 'passed'] as const

export const readinessCheckNames = [
  'flag',
  'variants',
  'control',
  'production',
  'targeting',
  'same-flag',
  'primary-metric',
  'guardrail',
  'metric-events',
  'exposure',
  'unit',
  'sign-in',
  'running-time',
  'overlap',
] as const
type ReadinessCheckName = ReadinessCheck['name']

interface ReadinessSubject {
  experiment: Experiment
  flag: Flag
  /** The project’s other experiments. */
  others: readonly Experiment[]
  /** When exposures would begin to count. */
  startsAt: Date
}

/** Runs the checks that need the store alone, in the order in which a person would fix their findings. */
export function storedChecks(subject: ReadinessSubject): ReadinessCheck[] {
  const { experiment, flag } = subject
  // the weights of the flag do not matter to a bandit: it begins with equal ones
  const begun = experiment.kind === 'bandit' ? { ...subject, flag: evenFlag(flag) } : subject
  return checks.map((check) => check(begun))
}

export const firstError = (all: readonly ReadinessCheck[]): ReadinessCheck | undefined =>
  all.find(({ severity }) => severity === 'error')

type Check = (subject: ReadinessSubject) => ReadinessCheck

const checks: readonly Check[] = [
  checkSameFlag,
  checkPrimaryMetric,
  checkProduction,
  checkVariants,
  checkControl,
  checkTargeting,
  checkUnit,
  checkSignIn,
  checkGuardrail,
]

const passed = (name: ReadinessCheckName, sentence: string): ReadinessCheck => ({
  name,
  severity: 'passed',
  sentence,
})

const dayOf = (at: Date): string => at.toISOString().slice(0, 10)

/** Two experiments on one flag would each count the other’s people. */
function checkSameFlag({ experiment, others, startsAt }: ReadinessSubject): ReadinessCheck {
  const name = 'same-flag'
  const onFlag = others.filter((one) => one.id !== experiment.id && one.flag === experiment.flag)
  const running = onFlag.find((one) => statusOf(one) === 'running')
  if (running?.startedAt)
    return {
      name,
      severity: 'error',
      sentence: `The experiment “${running.name}” has run on this flag since ${dayOf(running.startedAt)}. End it first.`,
    }
  const earlier = onFlag.find(({ endedAt }) => endedAt && endedAt > startsAt)
  if (earlier?.startedAt && earlier.endedAt)
    return {
      name,
      severity: 'error',
      field: 'at',
      sentence: `The experiment “${earlier.name}” ran on this flag from ${dayOf(earlier.startedAt)} to ${dayOf(earlier.endedAt)}. Begin after its end.`,
    }
  return passed(name, 'No other experiment runs on this flag.')
}

function checkPrimaryMetric({ experiment }: ReadinessSubject): ReadinessCheck {
  const primary = experiment.metrics.filter(({ role }) => role === 'primary')
  if (experiment.kind === 'rollout' && primary.length === 0)
    return passed('primary-metric', 'A rollout is decided by its guardrails.')
  if (primary.length === 0)
    return {
      name: 'primary-metric',
      severity: 'error',
      field: 'metrics',
      sentence: 'Add a primary metric first: it is what decides.',
    }
  return passed('primary-metric', `Decided by ${primary.map((one) => `“${one.name}”`).join(', ')}.`)
}

function checkProduction({ experiment, flag }: ReadinessSubject): ReadinessCheck {
  if (flag.archivedAt)
    return {
      name: 'production',
      severity: 'error',
      field: 'flag',
      sentence: `The flag "${flag.key}" is archived. Restore it first.`,
    }
  if (experiment.kind === 'rollout') return passed('production', 'The first step turns the flag on.')
  if (!flag.environments[mainEnvironment]?.isOn)
    return {
      name: 'production',
      severity: 'error',
      field: 'flag',
      sentence: `The flag "${flag.key}" is off in ${mainEnvironment}. Turn it on first.`,
    }
  return passed('production', `The flag is on in ${mainEnvironment}.`)
}

function checkVariants({ flag }: ReadinessSubject): ReadinessCheck {
  const weighed = flag.variants.filter(({ percentage }) => percentage > 0)
  if (weighed.length < 2)
    return {
      name: 'variants',
      severity: 'error',
      field: 'flag',
      sentence: 'At least two variants need a share above 0%.',
    }
  const shares = weighed.map(({ key, percentage }) => `${key} ${percentage}%`).join(', ')
  return passed('variants', `People are divided: ${shares}.`)
}

function checkControl({ experiment: { control }, flag }: ReadinessSubject): ReadinessCheck {
  const found = flag.variants.find(({ key }) => key === control)
  const problem = { name: 'control', severity: 'error', field: 'control' } as const
  if (!found) return { ...problem, sentence: `The flag "${flag.key}" has no variant "${control}".` }
  if (found.percentage === 0)
    return {
      ...problem,
      sentence: `The control "${control}" has a share of 0%: there would be nothing to compare with.`,
    }
  return passed('control', `The control is “${control}”.`)
}

function checkTargeting({ experiment, flag }: ReadinessSubject): ReadinessCheck {
  const { rollout } = experiment
  if (rollout)
    return passed(
      'targeting',
      `The ramp lets in ${rollout.steps.map(({ share }) => `${share}%`).join(', ')}.`,
    )
  const percent = trafficPercentOf(flag)
  const sets = flag.environments[mainEnvironment]?.conditions ?? []
  if (percent === 0)
    return {
      name: 'targeting',
      severity: 'warning',
      field: 'flag',
      sentence: 'The flag lets no one in. Raise the percentage of a condition set, or no one is exposed.',
    }
  const isFixed = sets.some(({ variant }) => variant !== undefined)
  if (isFixed && experiment.kind === 'bandit')
    return { name: 'targeting', severity: 'error', field: 'flag', sentence: fixedVariants }
  if (isFixed)
    return {
      name: 'targeting',
      severity: 'warning',
      field: 'flag',
      sentence:
        'A condition set gives everyone in it the same variant. They differ from the others by more than chance, and the split cannot be checked.',
    }
  return passed('targeting', `The flag lets in ${percent}% of those it is for.`)
}

/** The highest percentage of the condition sets, without those held out or outside the flag’s slice of a layer. */
export function trafficPercentOf(flag: Flag): number {
  const setting = flag.environments[mainEnvironment]
  const { from, until } = setting?.layer ?? { from: 0, until: 100 }
  const percent = Math.max(0, ...(setting?.conditions ?? []).map(({ percentage }) => percentage))
  const kept = 100 - (setting?.holdout?.percentage ?? 0)
  return Math.round((percent * kept * (until - from)) / 100) / 100
}

function checkUnit({ experiment: { unit }, flag: { bucketBy } }: ReadinessSubject): ReadinessCheck {
  const warning = { name: 'unit', severity: 'warning', field: 'unit' } as const
  if (bucketBy.by === 'group' && (unit.by !== 'group' || unit.group !== bucketBy.group))
    return {
      ...warning,
      sentence: `The flag decides by ${bucketBy.group}, and all people of one get the same variant. Count by ${bucketBy.group} too, or intervals are too narrow.`,
    }
  if (unit.by === 'group' && bucketBy.by !== 'group')
    return {
      ...warning,
      sentence: `The flag decides by ${bucketBy.by}, so that one ${unit.group} gets several variants. Let the flag decide by ${unit.group}.`,
    }
  if (unit.by === 'session')
    return {
      ...warning,
      sentence:
        'The flag gives a person the same variant in all sessions, which are not independent. Count by person, or intervals are too narrow.',
    }
  return passed('unit', `Counted by ${unit.by === 'group' ? unit.group : unit.by}, as the flag decides.`)
}

function checkSignIn({ experiment: { unit }, flag }: ReadinessSubject): ReadinessCheck {
  if (unit.by === 'person' && flag.bucketBy.by === 'person' && !flag.keepsThroughSignIn)
    return {
      name: 'sign-in',
      severity: 'advice',
      field: 'flag',
      sentence:
        'If people meet the flag before they sign in, let the flag keep its decision through sign-in. Otherwise some see two variants and do not count.',
    }
  return passed('sign-in', 'Signing in does not change the variant.')
}

function checkGuardrail({ experiment }: ReadinessSubject): ReadinessCheck {
  const isMissing = !experiment.metrics.some(({ role }) => role === 'guardrail')
  if (isMissing && experiment.kind === 'rollout')
    return {
      name: 'guardrail',
      severity: 'error',
      field: 'metrics',
      sentence: 'Add a guardrail first: the rollout goes back when it gets worse than its margin.',
    }
  if (isMissing)
    return {
      name: 'guardrail',
      severity: 'advice',
      field: 'metrics',
      sentence: 'Add a guardrail, such as errors or page speed, so that a win does not hide a loss.',
    }
  return passed('guardrail', 'There is a guardrail.')
}
