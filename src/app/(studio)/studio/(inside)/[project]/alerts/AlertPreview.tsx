'use client'

import { lazy, Suspense, useEffect, useState } from 'react'
import type { AlertCondition } from '#alerts/condition'
import type { AlertTimeSeries } from '#alerts/alert-reading'
import { pointsOf } from '#insights/calendar/clock'
import type { Guide } from '#ui/chart/chart'
import { ChartFrame } from '#ui/chart/ChartFrame'
import { EmptyMessage } from '#ui/page/EmptyMessage'
import { Skeleton } from '#ui/page/Skeleton'
import { withNetworkErrors } from '#app/(studio)/with-network-errors'
import { previewAlert } from './actions'
import type { AlertDraft } from './AlertForm'

/** Not before there is something to draw. */
const LineChart = lazy(async () => ({ default: (await import('#ui/chart/LineChart')).LineChart }))

interface AlertPreviewProps {
  slug: string
  draft: Pick<AlertDraft, 'watched' | 'condition'>
  timeZone: string
}

type AlertPreviewState = { course: AlertTimeSeries } | { why: string }

/** The preview refreshes after this pause in typing. */
const debounceMs = 400

/** The last thirty of what is watched, with the number it is held against as a line across. */
export function AlertPreview({ slug, draft: { watched, condition }, timeZone }: AlertPreviewProps) {
  const shown = useAlertPreview(slug, JSON.stringify({ watched, condition }))
  return (
    <ChartFrame title="Last 30 intervals" hasTable={shown !== undefined && 'course' in shown}>
      {shown === undefined && <Skeleton className="h-64 w-full" />}
      {shown && 'why' in shown && <EmptyMessage title="No data to chart" body={shown.why} />}
      {shown && 'course' in shown && (
        <Suspense fallback={<Skeleton className="h-56 w-full" />}>
          <AlertPreviewChart course={shown.course} condition={condition} timeZone={timeZone} />
        </Suspense>
      )}
    </ChartFrame>
  )
}

function useAlertPreview(slug: string, draft: string): AlertPreviewState | undefined {
  const [shown, setShown] = useState<AlertPreviewState>()

  useEffect(() => {
    let isOver = false
    const ask = async () => {
      const answer = await withNetworkErrors(() => previewAlert(slug, JSON.parse(draft)))
      if (isOver) return
      setShown(
        answer.done
          ? { course: answer.course }
          : { why: answer.problems.map(({ message }) => message).join(' ') },
      )
    }
    const timer = setTimeout(() => void ask(), debounceMs)
    return () => {
      isOver = true
      clearTimeout(timer)
    }
  }, [slug, draft])

  return shown
}

function AlertPreviewChart({
  course: { label, as, interval, starts, values, lastIsIncomplete },
  condition,
  timeZone,
}: {
  course: AlertTimeSeries
  condition: AlertCondition
  timeZone: string
}) {
  return (
    <LineChart
      title={label}
      unit={as === 'percent' ? 'percent' : as === 'duration' ? 'seconds' : 'number'}
      points={pointsOf(starts, interval, timeZone)}
      series={[{ key: 'watched', label, values }]}
      lastIsIncomplete={lastIsIncomplete}
      guides={guidesFor(condition, values)}
    />
  )
}

/** Of a change, where the line would have to be for it to come true now. */
function guidesFor(condition: AlertCondition, values: AlertTimeSeries['values']): Guide[] {
  if (condition.type === 'threshold') return [{ value: condition.value, label: 'Threshold' }]
  if (condition.type === 'absence') return []
  const back =
    condition.against === 'previous' || condition.interval === 'week'
      ? 1
      : condition.interval === 'day'
        ? 7
        : 168
  const against = values.at(-2 - back)
  if (against === null || against === undefined) return []
  const by = condition.as === 'amount' ? condition.by : (Math.abs(against) * condition.by) / 100
  return [
    ...(condition.does === 'fall' ? [] : [{ value: against + by, label: 'Alert above' }]),
    ...(condition.does === 'rise' ? [] : [{ value: against - by, label: 'Alert below' }]),
  ]
}
