'use client'

import { lazy, Suspense, useEffect, useState } from 'react'
import type { AlertCondition } from '#alerts/condition'
import type { AlertTimeSeries } from '#alerts/alert-reading'
import { pointsOf } from '#insights/calendar/clock'
import type { Guide, Series } from '#ui/chart/chart'
import { ChartFrame } from '#ui/chart/ChartFrame'
import { EmptyMessage } from '#ui/page/EmptyMessage'
import { Skeleton } from '#ui/page/Skeleton'
import { withNetworkErrors } from '#studio/parts/with-network-errors'
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

/** The last thirty intervals of the metric, and the line that it must not cross. */
export function AlertPreview({ slug, draft: { watched, condition }, timeZone }: AlertPreviewProps) {
  const shown = useAlertPreview(slug, JSON.stringify({ watched, condition }))
  return (
    <ChartFrame
      title={`Last 30 ${condition.type === 'absence' ? 'hour' : condition.interval}s`}
      hasTable={shown !== undefined && 'course' in shown}
    >
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
  course,
  condition,
  timeZone,
}: {
  course: AlertTimeSeries
  condition: AlertCondition
  timeZone: string
}) {
  const { label, as, interval, starts, values, lastIsIncomplete } = course
  return (
    <LineChart
      title={label}
      unit={as === 'percent' ? 'percent' : as === 'duration' ? 'seconds' : 'number'}
      points={pointsOf(starts, interval, timeZone)}
      series={[{ key: 'watched', label, values, colour: 1 }, ...boundsOf(condition, course)]}
      lastIsIncomplete={lastIsIncomplete}
      guides={guidesFor(condition)}
    />
  )
}

/** A threshold is one line across; a change has a line at each interval, by the interval that it is compared with. */
const guidesFor = (condition: AlertCondition): Guide[] =>
  condition.type === 'threshold' ? [{ value: condition.value, label: 'Threshold' }] : []

/** The lines above or below which a change alerts: at each interval by the number it is held against. */
export function boundsOf(
  condition: AlertCondition,
  { against = [] }: Pick<AlertTimeSeries, 'against'>,
): Series[] {
  if (condition.type !== 'relative') return []
  const { does, as, by } = condition
  const line = (key: string, label: string, sign: 1 | -1): Series => ({
    key,
    label,
    colour: 'rest',
    values: against.map((value) =>
      value === null ? null : value + sign * (as === 'amount' ? by : (Math.abs(value) * by) / 100),
    ),
  })
  return [
    ...(does === 'fall' ? [] : [line('above', 'Alert above', 1)]),
    ...(does === 'rise' ? [] : [line('below', 'Alert below', -1)]),
  ]
}
