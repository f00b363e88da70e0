import { Badge, type Tone } from '#ui/Badge'
import { estimateText } from '#experiments/results/estimate-words'
import { isHarmedWithoutEstimate } from '#experiments/results/harm'
import type { MetricReport } from '#experiments/results/report'
import { number, percent } from '#ui/format'
import { Panel } from '#ui/page/Panel'
import { judgedEffect } from '../results/effects'

/** Each guardrail of a rollout: the effect, its interval, and what is left to the margin at which it goes back. */
export function GuardrailMargins({
  metrics,
  minimumUnits,
}: {
  metrics: readonly MetricReport[]
  minimumUnits: number
}) {
  const guardrails = metrics.filter(({ role }) => role === 'guardrail')
  const settings = { minimum: minimumUnits, metrics: guardrails.length }
  if (guardrails.length === 0) return null
  return (
    <Panel
      title="Watched"
      description="A guardrail that is surely worse than its margin rolls everything back."
      flush
    >
      <ul className="divide-y divide-line">
        {guardrails.map((metric) => (
          <Guardrail key={metric.id} metric={metric} isHarmed={isHarmedWithoutEstimate(metric, settings)} />
        ))}
      </ul>
    </Panel>
  )
}

interface GuardrailProps {
  metric: MetricReport
  isHarmed: boolean
}

function Guardrail(props: GuardrailProps) {
  const { metric } = props
  const { name, margin } = metric
  const { text, label, tone } = marginState(props)
  return (
    <li className="flex flex-wrap items-center justify-between gap-x-4 gap-y-1 px-4 py-2">
      <span className="min-w-0">
        {name}
        <span className="block text-xs text-muted">May get {number(margin)}% worse</span>
      </span>
      <span className="flex flex-wrap items-center gap-2">
        <span className="text-xs text-muted tabular-nums">{text}</span>
        <Badge tone={tone}>{label}</Badge>
      </span>
    </li>
  )
}

interface MarginState {
  text: string
  label: string
  tone: Tone
}

function marginState({ metric, isHarmed }: GuardrailProps): MarginState {
  const { goal, margin, comparisons } = metric
  const [comparison] = comparisons
  if (!comparison || comparison.state === 'no-estimate') return stateWithoutEstimate(metric, isHarmed)
  const effect = judgedEffect(comparison)
  const isRelative = (comparison.adjusted ?? comparison).relative !== undefined
  const scale = isRelative ? 'relative' : 'absolute'
  const harm = goal === 'increase' ? -effect.value : effect.value
  const left = margin / 100 - harm
  const distance = isRelative
    ? `, ${percent(Math.abs(left))} ${left >= 0 ? 'from' : 'beyond'} the margin`
    : ''
  return {
    text: estimateText(effect, metric, { scale }) + distance,
    ...readings[
      comparison.reading === 'safe' || comparison.reading === 'violated' ? comparison.reading : 'unclear'
    ],
  }
}

function stateWithoutEstimate(metric: MetricReport, isHarmed: boolean): MarginState {
  const [control, treatment] = metric.values
  const text = `${number(treatment?.units ?? 0)} against ${number(control?.units ?? 0)} units`
  return isHarmed ? { text, ...readings.violated } : { text, label: 'Too few to say', tone: 'neutral' }
}

const readings = {
  safe: { label: 'Within its margin', tone: 'success' },
  violated: { label: 'Worse than its margin', tone: 'danger' },
  unclear: { label: 'Not certain yet', tone: 'neutral' },
} as const
