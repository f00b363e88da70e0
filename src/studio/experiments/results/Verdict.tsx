import type { ReactNode } from 'react'
import type { ExperimentVerdict } from '#experiments/results/verdict'
import { percent } from '#ui/format'
import { LinkButton } from '#ui/LinkButton'
import { Notice } from '#ui/page/Notice'
import { paths } from '#studio/paths'
import type { OpenExperiment } from '../open-experiment'
import { ShipVariant } from '../ShipVariant'
import { EndExperiment } from '../EndExperiment'
import { verdictTones } from './verdict-tones'

interface VerdictProps {
  opened: OpenExperiment
  verdict: ExperimentVerdict
  sentence: string
  /** When it decides, in a sentence. */
  rule: string
  variants: readonly string[]
}

const endingAdvice: ReadonlySet<ExperimentVerdict['advice']> = new Set([
  'stop',
  'no-difference',
  'cannot-tell',
])

/** The result in a sentence, and the next step. */
export function Verdict({ opened, verdict, sentence, rule, variants }: VerdictProps) {
  return (
    <Notice
      tone={verdictTones[verdict.advice]}
      title={sentence}
      action={<NextStep opened={opened} verdict={verdict} variants={variants} />}
    >
      {[opened.experiment.kind === 'fixed' ? rule : undefined, whyWords(verdict, opened)]
        .filter((one) => one !== undefined)
        .join(' ')}
    </Notice>
  )
}

function whyWords(verdict: ExperimentVerdict, { status, experiment }: OpenExperiment): string | undefined {
  if (verdict.advice === 'check-split')
    return 'Sample ratio mismatch: some exposures are missing or counted twice in one variant, so no result below can be trusted. Exposures shows where.'
  if (verdict.advice === 'wait' && verdict.reason === 'planned')
    return 'Stopping earlier at a lucky look finds effects that are not there; only clear harm is told before.'
  if (verdict.advice === 'keep-going')
    return `It is advised to ship a variant once it is the best with a probability of ${percent(experiment.analysis.level, 1)}. Until then more and more people get the better variants.`
  if ((verdict.advice === 'ship' || verdict.advice === 'ship-best') && status === 'running')
    return 'Shipping gives the variant to everyone and ends the experiment.'
  return undefined
}

function NextStep({ opened, verdict, variants }: Omit<VerdictProps, 'sentence' | 'rule'>): ReactNode {
  const { project, experiment, status, whyNot } = opened
  const shared = { slug: project.slug, id: experiment.id, name: experiment.name, whyNot }
  if (verdict.advice === 'check-split')
    return (
      <LinkButton size="sm" href={paths.experimentExposures(project.slug, experiment.id)}>
        Open exposures
      </LinkButton>
    )
  if (verdict.advice === 'no-metric')
    return (
      <LinkButton size="sm" href={paths.experimentSettings(project.slug, experiment.id)}>
        Add a primary metric
      </LinkButton>
    )
  if (status !== 'running') return undefined
  if (verdict.advice === 'ship' || verdict.advice === 'ship-best')
    return <ShipVariant {...shared} flag={experiment.flag} variants={variants} advised={verdict.variant} />
  return endingAdvice.has(verdict.advice) ? <EndExperiment {...shared} /> : undefined
}
