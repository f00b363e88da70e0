'use client'

import { ArrowDown, ArrowUp, BookmarkPlus, Pencil, Plus, Trash2 } from 'lucide-react'
import type { Experiment } from '#experiments/experiment'
import { Badge, type Tone } from '#ui/Badge'
import { Button } from '#ui/Button'
import { Icon } from '#ui/Icon'
import { IconButton } from '#ui/IconButton'
import type { ExperimentChoices } from '../editor/choices'
import { freeMetricId, newMetric } from './metric-presets'
import { metricWords } from './metric-words'
import { MetricDialog } from './MetricDialog'
import { SavedMetricDialog } from './SavedMetricDialog'
import { isSaved, tagsOf } from './saved-metrics'

type ExperimentMetric = Experiment['metrics'][number]

interface MetricListProps {
  metrics: readonly ExperimentMetric[]
  choices: ExperimentChoices
  onChange: (metrics: ExperimentMetric[]) => void
}

const mostMetrics = 30

/** The metrics of an experiment, in their order. */
export function MetricList({ metrics, choices, onChange }: MetricListProps) {
  const hasPrimary = metrics.some(({ role }) => role === 'primary')
  return (
    <div className="flex flex-col gap-3">
      {metrics.length === 0 ? (
        <p className="text-muted">
          No metrics yet. A primary metric decides; add guardrails for what must not get worse.
        </p>
      ) : (
        <ul className="divide-y divide-line rounded-lg border border-line">
          {metrics.map((metric, i) => (
            <MetricRow
              key={metric.id}
              metric={metric}
              choices={choices}
              onChange={(next) => onChange(metrics.with(i, next))}
              onRemove={() => onChange(metrics.toSpliced(i, 1))}
              onMoveUp={i > 0 ? () => onChange(moved(metrics, i, i - 1)) : undefined}
              onMoveDown={i < metrics.length - 1 ? () => onChange(moved(metrics, i, i + 1)) : undefined}
            />
          ))}
        </ul>
      )}
      <div>
        <MetricDialog
          metric={newMetric(freeMetricId(metrics), hasPrimary ? 'secondary' : 'primary')}
          isNew
          choices={choices}
          trigger={
            <Button
              icon={<Icon of={Plus} />}
              disabledReason={
                metrics.length < mostMetrics ? undefined : `An experiment has at most ${mostMetrics} metrics.`
              }
            >
              Add a metric
            </Button>
          }
          onSave={(metric) => onChange([...metrics, metric])}
        />
      </div>
    </div>
  )
}

function moved(metrics: readonly ExperimentMetric[], from: number, to: number): ExperimentMetric[] {
  const left = metrics.toSpliced(from, 1)
  return left.toSpliced(to, 0, ...metrics.slice(from, from + 1))
}

const roleBadges: Record<ExperimentMetric['role'], { label: string; tone: Tone }> = {
  primary: { label: 'Primary', tone: 'info' },
  secondary: { label: 'Secondary', tone: 'neutral' },
  guardrail: { label: 'Guardrail', tone: 'warning' },
}

const goalWords = { increase: 'Higher is better', decrease: 'Lower is better' }

interface MetricRowProps {
  metric: ExperimentMetric
  choices: ExperimentChoices
  onChange: (next: ExperimentMetric) => void
  onRemove: () => void
  onMoveUp: (() => void) | undefined
  onMoveDown: (() => void) | undefined
}

function MetricRow({ metric, choices, onChange, onRemove, onMoveUp, onMoveDown }: MetricRowProps) {
  const { name } = metric
  const { savedMetrics, whyNotSaveMetrics } = choices
  const isShared = isSaved(metric, savedMetrics)
  return (
    <li className="flex flex-wrap items-center gap-x-3 gap-y-1.5 px-3 py-2.5 sm:flex-nowrap">
      <MetricSummary metric={metric} isShared={isShared} />
      <div className="flex shrink-0">
        <IconButton
          label={`Move ${name} up`}
          icon={<Icon of={ArrowUp} />}
          onClick={onMoveUp}
          disabledReason={onMoveUp ? undefined : 'It is the first.'}
        />
        <IconButton
          label={`Move ${name} down`}
          icon={<Icon of={ArrowDown} />}
          onClick={onMoveDown}
          disabledReason={onMoveDown ? undefined : 'It is the last.'}
        />
        <MetricDialog
          metric={metric}
          isNew={false}
          choices={choices}
          trigger={<IconButton label={`Edit ${name}`} icon={<Icon of={Pencil} />} />}
          onSave={onChange}
        />
        <SavedMetricDialog
          title="Save as metric"
          slug={choices.slug}
          metric={{ ...metric, description: '', tags: [] }}
          tags={tagsOf(savedMetrics)}
          trigger={
            <IconButton
              label={`Save ${name} as metric`}
              icon={<Icon of={BookmarkPlus} />}
              disabledReason={whyNotSaveMetrics ?? (isShared ? 'It is a saved metric.' : undefined)}
            />
          }
        />
        <IconButton label={`Remove ${name}`} icon={<Icon of={Trash2} />} onClick={onRemove} />
      </div>
    </li>
  )
}

interface MetricSummaryProps {
  metric: ExperimentMetric
  isShared: boolean
}

/** A metric in words. */
function MetricSummary({ metric: { name, role, goal, margin, measured }, isShared }: MetricSummaryProps) {
  const { label, tone } = roleBadges[role]
  const notes = [metricWords(measured), goalWords[goal], role === 'guardrail' && `margin ${margin}%`]
  return (
    <div className="min-w-0 grow">
      <p className="flex flex-wrap items-center gap-2 font-medium">
        <span className="min-w-0 wrap-anywhere">{name}</span>
        <Badge tone={tone}>{label}</Badge>
        {isShared && <Badge>Saved metric</Badge>}
      </p>
      <p className="text-xs wrap-anywhere text-muted">{notes.filter(Boolean).join(' · ')}</p>
    </div>
  )
}
