'use client'

import { CalendarClock, Trash2 } from 'lucide-react'
import type { Schedule, ScheduleStep } from '#flags/schedules'
import { percentText } from '#flags/words'
import { AlertDialog } from '#ui/overlay/AlertDialog'
import { Badge } from '#ui/Badge'
import { dateTime } from '#ui/format'
import { Icon } from '#ui/Icon'
import { IconButton } from '#ui/IconButton'
import { Panel } from '#ui/page/Panel'
import { useDirectChange } from '#studio/parts/Change'
import type { Clock } from '#studio/parts/RelativeTime'
import { cancelSchedule } from '../actions'
import { NewSchedule } from './NewSchedule'

interface SchedulePanelProps {
  slug: string
  flagKey: string
  environment: string
  /** Upcoming changes come first. */
  schedules: readonly Schedule[]
  sets: number
  clock: Clock
  whyNot: string | undefined
}

export function SchedulePanel({ schedules, ...context }: SchedulePanelProps) {
  const { timeZone } = context.clock
  return (
    <Panel
      title="Scheduled changes"
      description={`Turn on, turn off or change the rollout at a set time. Time zone: ${timeZone}.`}
      actions={<NewSchedule {...context} timeZone={timeZone} />}
    >
      {schedules.length === 0 ? (
        <p className="flex items-center gap-2 text-muted">
          <Icon of={CalendarClock} />
          No scheduled changes
        </p>
      ) : (
        <ul className="flex flex-col divide-y divide-line">
          {schedules.map((schedule) => (
            <PlannedSchedule key={schedule.id} schedule={schedule} {...context} />
          ))}
        </ul>
      )}
    </Panel>
  )
}

function PlannedSchedule({
  schedule: { id, steps, nextAt, createdBy },
  slug,
  flagKey,
  sets,
  clock,
  whyNot,
}: Omit<SchedulePanelProps, 'schedules'> & { schedule: Schedule }) {
  const { make, question } = useDirectChange()
  return (
    <li className="flex items-start justify-between gap-3 py-2.5 first:pt-0 last:pb-0">
      <div className="min-w-0 grow">
        <ol className="flex flex-col gap-1">
          {steps.map((step) => (
            <Step key={step.at.toISOString()} step={step} sets={sets} clock={clock} />
          ))}
        </ol>
        <p className="mt-1 text-xs text-muted">by {createdBy}</p>
      </div>
      {question}
      <AlertDialog
        title={nextAt ? 'Cancel schedule?' : 'Remove schedule?'}
        body={
          nextAt
            ? 'Steps already taken stay; later steps are cancelled.'
            : 'Its steps stay in the flag’s history.'
        }
        confirmLabel={nextAt ? 'Cancel schedule' : 'Remove schedule'}
        onConfirm={() => make(() => cancelSchedule(slug, flagKey, id), { saved: 'Schedule removed' })}
        trigger={<IconButton label="Remove schedule" icon={<Icon of={Trash2} />} disabledReason={whyNot} />}
      />
    </li>
  )
}

function Step({ step, sets, clock }: { step: ScheduleStep; sets: number; clock: Clock }) {
  const { at, doneAt, trouble } = step
  return (
    <li className="flex flex-wrap items-center gap-x-3 gap-y-0.5">
      <time dateTime={at.toISOString()} className="text-muted tabular-nums">
        {dateTime(at, clock.timeZone)}
      </time>
      <span className={doneAt ? 'text-muted' : ''}>{stepDescription(step, sets)}</span>
      {doneAt && <Badge tone={trouble ? 'warning' : 'success'}>{trouble ? 'Failed' : 'Done'}</Badge>}
      {trouble && <span className="text-xs text-muted">{trouble}</span>}
    </li>
  )
}

function stepDescription({ isOn, percentage, condition }: ScheduleStep, sets: number): string {
  const turned = isOn === undefined ? [] : [isOn ? 'turn on' : 'turn off']
  const of = condition === undefined ? (sets > 1 ? ' in every set' : '') : ` in set ${condition + 1}`
  const grown = percentage === undefined ? [] : [`rollout ${percentText(percentage)}${of}`]
  return [...turned, ...grown].join(', ')
}
