'use client'

import { useEffect, useState } from 'react'
import type { Condition } from '../../../../../../alerts/condition'
import type { Course } from '../../../../../../alerts/reading'
import { pointsOf } from '../../../../../../insights/clock'
import type { Guide } from '../../../../../../ui/chart'
import { ChartFrame } from '../../../../../../ui/ChartFrame'
import { EmptyMessage } from '../../../../../../ui/EmptyMessage'
import { LineChart } from '../../../../../../ui/LineChart'
import { Skeleton } from '../../../../../../ui/Skeleton'
import { reached } from '../../../../reached'
import { courseFor } from './actions'
import type { AlertDraft } from './AlertForm'

interface CoursePreviewProps {
  slug: string
  draft: Pick<AlertDraft, 'watched' | 'condition'>
  timeZone: string
}

type Shown = { course: Course } | { why: string }

/** Whoever still types is not asked for after every letter. */
const settledMs = 400

/** The last thirty of what is watched, with the number it is held against as a line across. */
export function CoursePreview({ slug, draft: { watched, condition }, timeZone }: CoursePreviewProps) {
  const shown = useCourse(slug, JSON.stringify({ watched, condition }))
  return (
    <ChartFrame title="The last 30" hasTable={shown !== undefined && 'course' in shown}>
      {shown === undefined && <Skeleton className="h-64 w-full" />}
      {shown && 'why' in shown && <EmptyMessage title="There is nothing to draw" body={shown.why} />}
      {shown && 'course' in shown && (
        <CourseChart course={shown.course} condition={condition} timeZone={timeZone} />
      )}
    </ChartFrame>
  )
}

function useCourse(slug: string, draft: string): Shown | undefined {
  const [shown, setShown] = useState<Shown>()

  useEffect(() => {
    let isOver = false
    const ask = async () => {
      const answer = await reached(() => courseFor(slug, JSON.parse(draft)))
      if (isOver) return
      setShown(
        answer.done
          ? { course: answer.course }
          : { why: answer.problems.map(({ message }) => message).join(' ') },
      )
    }
    const timer = setTimeout(() => void ask(), settledMs)
    return () => {
      isOver = true
      clearTimeout(timer)
    }
  }, [slug, draft])

  return shown
}

function CourseChart({
  course: { label, as, interval, starts, values, lastIsIncomplete },
  condition,
  timeZone,
}: {
  course: Course
  condition: Condition
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
function guidesFor(condition: Condition, values: Course['values']): Guide[] {
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
    ...(condition.does === 'fall' ? [] : [{ value: against + by, label: 'Told above' }]),
    ...(condition.does === 'rise' ? [] : [{ value: against - by, label: 'Told below' }]),
  ]
}
