'use client'

import { ShieldCheck } from 'lucide-react'
import { useState } from 'react'
import {
  type Guard,
  type GuardMetric,
  guardStates,
  metricLabel,
  type GuardReading,
  readingFigures,
} from '#flags/guard'
import { percentText } from '#flags/words'
import { AlertDialog } from '#ui/overlay/AlertDialog'
import { Badge, type Tone } from '#ui/Badge'
import { Button } from '#ui/Button'
import { Checkbox } from '#ui/form/Checkbox'
import { duration, number } from '#ui/format'
import { Icon } from '#ui/Icon'
import { Panel } from '#ui/page/Panel'
import { useDirectChange } from '#app/(studio)/Change'
import { type Clock, RelativeTime } from '#app/(studio)/RelativeTime'
import { stopGuard } from '../actions'
import { NewGuard, type NewGuardProps } from './NewGuard'

interface GuardPanelProps extends NewGuardProps {
  /** The guards of the environment, the newest first. */
  guards: readonly Guard[]
  clock: Clock
}

/** Guarded rollouts, which proceed while their metrics are good and roll back otherwise. */
export function GuardPanel({ guards, clock, ...context }: GuardPanelProps) {
  const [latest] = guards
  const isRunning = latest?.state === 'running'
  return (
    <Panel
      title="Guarded rollout"
      description="Goes on by itself while all is well, and back when it is not."
      actions={
        isRunning ? (
          <StopGuard slug={context.slug} id={latest.id} whyNot={context.whyNot} />
        ) : (
          <NewGuard {...context} />
        )
      }
    >
      {latest ? (
        <GuardProgress guard={latest} clock={clock} />
      ) : (
        <p className="flex items-center gap-2 text-muted">
          <Icon of={ShieldCheck} />
          Nothing is looked after here.
        </p>
      )}
    </Panel>
  )
}

const tones: Record<Guard['state'], Tone> = {
  running: 'info',
  completed: 'success',
  'rolled-back': 'danger',
  stopped: 'neutral',
}

function GuardProgress({ guard, clock }: { guard: Guard; clock: Clock }) {
  const { state, why, createdBy, createdAt, endedAt, lookedAt, metrics, readings } = guard
  return (
    <div className="flex flex-col gap-4">
      <div>
        <p className="flex flex-wrap items-center gap-2">
          <Badge tone={tones[state]} dot>
            {guardStates[state]}
          </Badge>
          <span className="text-pretty">{why}</span>
        </p>
        <p className="mt-1 text-xs text-muted">
          Begun by {createdBy}, <RelativeTime at={createdAt} clock={clock} />
          {endedAt && (
            <>
              ; over <RelativeTime at={endedAt} clock={clock} />
            </>
          )}
          {!endedAt && lookedAt && (
            <>
              ; looked at <RelativeTime at={lookedAt} clock={clock} />
            </>
          )}
        </p>
      </div>
      <Steps guard={guard} clock={clock} />
      <ul className="flex flex-col divide-y divide-line rounded-md border border-line">
        {metrics.map((metric, index) => (
          <li
            key={`${index} ${metricLabel(metric)}`}
            className="flex flex-wrap items-center justify-between gap-x-4 gap-y-1 px-3 py-2"
          >
            <span className="min-w-0">
              {metricLabel(metric)}
              <span className="block text-xs text-muted">may get {number(metric.worse)}% worse</span>
            </span>
            <GuardReadingText metric={metric} reading={readings[index]} minimum={guard.minimum} />
          </li>
        ))}
      </ul>
    </div>
  )
}

function Steps({ guard: { steps, taken, createdAt }, clock }: { guard: Guard; clock: Clock }) {
  return (
    <ol className="flex flex-wrap gap-2">
      {steps.map(({ percentage, afterMinutes }, index) => {
        const step = taken[index]
        const at = step?.at ?? new Date(createdAt.getTime() + afterMinutes * 60_000)
        return (
          <li
            key={percentage}
            className={
              step
                ? 'rounded-md border border-accent-line bg-accent-soft px-2.5 py-1'
                : 'rounded-md border border-line px-2.5 py-1 text-muted'
            }
          >
            <span className="block font-medium tabular-nums">{percentText(percentage)}</span>
            <span className="block text-2xs">
              {step ? <RelativeTime at={at} clock={clock} /> : <>after {duration(afterMinutes * 60_000)}</>}
            </span>
          </li>
        )
      })}
    </ol>
  )
}

const readingTones: Record<GuardReading['state'], { label: string; tone: Tone }> = {
  well: { label: 'Well', tone: 'success' },
  broken: { label: 'Worse than it may', tone: 'danger' },
  'too-few': { label: 'Too few people yet', tone: 'neutral' },
  unknown: { label: 'Could not be looked at', tone: 'warning' },
}

function GuardReadingText({
  metric,
  reading,
  minimum,
}: {
  metric: GuardMetric
  reading: GuardReading | undefined
  minimum: number
}) {
  if (!reading) return <span className="text-xs text-muted">Not looked at yet</span>
  const { label, tone } = readingTones[reading.state]
  const { got, others } = reading.people
  return (
    <span className="flex flex-wrap items-center gap-2">
      <span className="text-xs text-muted tabular-nums">
        {reading.state === 'too-few' || reading.state === 'unknown'
          ? `${number(got)} and ${number(others)} of ${number(minimum)} people`
          : readingFigures(metric, reading)}
      </span>
      <Badge tone={tone}>{label}</Badge>
    </span>
  )
}

function StopGuard({ slug, id, whyNot }: { slug: string; id: string; whyNot: string | undefined }) {
  const { make, question } = useDirectChange()
  const [rollsBack, setRollsBack] = useState(false)
  return (
    <AlertDialog
      destructive={false}
      title="Stop looking after it?"
      body={
        <div className="flex flex-col gap-3">
          It takes no further step and does not go back by itself any more.
          <Checkbox label="And go back to where it began" checked={rollsBack} onChange={setRollsBack} />
          {question}
        </div>
      }
      confirmLabel="Stop it"
      onConfirm={() => make(() => stopGuard(slug, id, rollsBack), { saved: 'It is stopped' })}
      trigger={
        <Button size="sm" disabledReason={whyNot}>
          Stop…
        </Button>
      }
    />
  )
}
