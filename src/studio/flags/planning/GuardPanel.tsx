'use client'

import { ShieldCheck } from 'lucide-react'
import { useState } from 'react'
import { type Guard, type GuardMetric, metricLabel, type GuardReading, readingFigures } from '#flags/guard'
import { AlertDialog } from '#ui/overlay/AlertDialog'
import { Badge, type Tone } from '#ui/Badge'
import { Button } from '#ui/Button'
import { Checkbox } from '#ui/form/Checkbox'
import { duration, number } from '#ui/format'
import { Icon } from '#ui/Icon'
import { LinkButton } from '#ui/LinkButton'
import { Panel } from '#ui/page/Panel'
import { paths } from '#studio/paths'
import { useDirectChange } from '#studio/parts/Change'
import { type Clock, RelativeTime } from '#studio/parts/RelativeTime'
import { pauseGuard, resumeGuard, stopGuard } from '../actions'
import { NewGuard, type NewGuardProps } from './NewGuard'
import { GuardBadge, GuardSteps } from './GuardProgress'
import { PauseButton } from './PauseButton'

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
      description="Ramps up, rolls back if a metric regresses."
      actions={
        isRunning && latest.experiment !== undefined ? (
          <LinkButton size="sm" href={paths.experiment(context.slug, latest.experiment)}>
            Open its experiment
          </LinkButton>
        ) : isRunning ? (
          <>
            <PauseButton
              slug={context.slug}
              id={latest.id}
              isPaused={latest.pausedAt !== undefined}
              whyNot={context.whyNot}
              pause={{ action: pauseGuard, saved: 'Rollout paused' }}
              resume={{ action: resumeGuard, saved: 'Rollout resumed' }}
            />
            <StopGuard slug={context.slug} id={latest.id} whyNot={context.whyNot} />
          </>
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
          Not running
        </p>
      )}
    </Panel>
  )
}

function GuardProgress({ guard, clock }: { guard: Guard; clock: Clock }) {
  const { why, createdBy, createdAt, endedAt, lookedAt, metrics, readings } = guard
  return (
    <div className="flex flex-col gap-4">
      <div>
        <p className="flex flex-wrap items-center gap-2">
          <GuardBadge guard={guard} />
          <span className="text-pretty">{why}</span>
        </p>
        <p className="mt-1 text-xs text-muted">
          Started by {createdBy}, <RelativeTime at={createdAt} clock={clock} />
          {endedAt && (
            <>
              ; ended <RelativeTime at={endedAt} clock={clock} />
            </>
          )}
          {!endedAt && lookedAt && (
            <>
              ; checked <RelativeTime at={lookedAt} clock={clock} />
            </>
          )}
        </p>
      </div>
      <GuardSteps
        guard={guard}
        dueWords={(index) => `after ${duration((guard.steps[index]?.afterMinutes ?? 0) * 60_000)}`}
        clock={clock}
      />
      <ul className="flex flex-col divide-y divide-line rounded-md border border-line">
        {metrics.map((metric, index) => (
          <li
            key={`${index} ${metricLabel(metric)}`}
            className="flex flex-wrap items-center justify-between gap-x-4 gap-y-1 px-3 py-2"
          >
            <span className="min-w-0">
              {metricLabel(metric)}
              <span className="block text-xs text-muted">rolls back if {number(metric.worse)}% worse</span>
            </span>
            <GuardReadingText metric={metric} reading={readings[index]} minimum={guard.minimum} />
          </li>
        ))}
      </ul>
    </div>
  )
}

const readingTones: Record<GuardReading['state'], { label: string; tone: Tone }> = {
  well: { label: 'OK', tone: 'success' },
  broken: { label: 'Regressed', tone: 'danger' },
  'too-few': { label: 'Too few people', tone: 'neutral' },
  unknown: { label: 'Check failed', tone: 'warning' },
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
  if (!reading) return <span className="text-xs text-muted">Not checked yet</span>
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
      title="Stop rollout?"
      body={
        <div className="flex flex-col gap-3">
          No further steps and no automatic rollback.
          <Checkbox label="Roll back to the initial percentage" checked={rollsBack} onChange={setRollsBack} />
          {question}
        </div>
      }
      confirmLabel="Stop rollout"
      onConfirm={() => make(() => stopGuard(slug, id, rollsBack), { saved: 'Rollout stopped' })}
      trigger={
        <Button size="sm" disabledReason={whyNot}>
          Stop…
        </Button>
      }
    />
  )
}
