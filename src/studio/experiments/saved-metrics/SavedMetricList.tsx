'use client'

import { Pencil, Trash2 } from 'lucide-react'
import { Badge } from '#ui/Badge'
import { Icon } from '#ui/Icon'
import { IconButton } from '#ui/IconButton'
import { useToast } from '#ui/overlay/Toast'
import { useDirectChange } from '#studio/parts/Change'
import { withNetworkErrors } from '#studio/parts/with-network-errors'
import { removeSavedMetric, saveMetric } from '../actions'
import type { SavedMetricChoice } from '../editor/choices'
import { metricWords } from '../metrics/metric-words'
import { SavedMetricDialog } from '../metrics/SavedMetricDialog'
import { tagsOf } from '../metrics/saved-metrics'

interface SavedMetricListProps {
  slug: string
  metrics: readonly SavedMetricChoice[]
  whyNot: string | undefined
}

const goalWords = { increase: 'Higher is better', decrease: 'Lower is better' }

export function SavedMetricList({ slug, metrics, whyNot }: SavedMetricListProps) {
  const { remove, question } = useRemoval(slug)
  return (
    <>
      {question}
      <ul aria-label="Saved metrics" className="divide-y divide-line">
        {metrics.map((metric) => (
          <li key={metric.id} className="flex items-start gap-3 px-4 py-2.5">
            <SavedMetricSummary metric={metric} />
            <div className="flex shrink-0">
              <SavedMetricDialog
                title="Edit saved metric"
                slug={slug}
                id={metric.id}
                metric={metric}
                tags={tagsOf(metrics)}
                trigger={
                  <IconButton
                    label={`Edit ${metric.name}`}
                    icon={<Icon of={Pencil} />}
                    disabledReason={whyNot}
                  />
                }
              />
              <IconButton
                label={`Remove ${metric.name}`}
                icon={<Icon of={Trash2} />}
                onClick={() => void remove(metric)}
                disabledReason={whyNot}
              />
            </div>
          </li>
        ))}
      </ul>
    </>
  )
}

function SavedMetricSummary({
  metric: { name, tags, description, measured, goal },
}: {
  metric: SavedMetricChoice
}) {
  return (
    <div className="min-w-0 grow">
      <p className="flex flex-wrap items-center gap-2 font-medium">
        <span className="min-w-0 wrap-anywhere">{name}</span>
        {tags.map((tag) => (
          <Badge key={tag}>{tag}</Badge>
        ))}
      </p>
      {description && <p className="wrap-anywhere">{description}</p>}
      <p className="text-xs wrap-anywhere text-muted">
        {metricWords(measured)} · {goalWords[goal]}
      </p>
    </div>
  )
}

/** Experiments keep a removed metric as it was, so undo saves it anew. */
function useRemoval(slug: string) {
  const { make, question } = useDirectChange()
  const showToast = useToast()

  async function restore({ id: _, ...metric }: SavedMetricChoice) {
    const failed = await make(() => withNetworkErrors(() => saveMetric(slug, undefined, metric)), {
      saved: `${metric.name} restored`,
    })
    if (failed) showToast({ title: failed.error, tone: 'danger' })
  }
  async function remove(metric: SavedMetricChoice) {
    const failed = await make(() => withNetworkErrors(() => removeSavedMetric(slug, metric.id)), {
      saved: `${metric.name} is removed`,
      undo: () => void restore(metric),
    })
    if (failed) showToast({ title: failed.error, tone: 'danger' })
  }
  return { remove, question }
}
