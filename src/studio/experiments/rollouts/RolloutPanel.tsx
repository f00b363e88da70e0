import type { RolloutProgress } from '#experiments/rollouts/experiment-rollouts'
import type { Guard } from '#flags/guard'
import { percentText } from '#flags/words'
import { duration } from '#ui/format'
import { Panel } from '#ui/page/Panel'
import { getProduct } from '#studio/product'
import { type Clock, RelativeTime, clockOf } from '#studio/parts/RelativeTime'
import { GuardBadge, GuardSteps } from '#studio/flags/planning/GuardProgress'
import { PauseButton } from '#studio/flags/planning/PauseButton'
import type { OpenExperiment } from '../open-experiment'
import { ShipVariant } from '../ShipVariant'
import { pauseRollout, resumeRollout } from '../actions'

/** The progress of a rollout: its step, the reason for it, and its events with their times. */
export async function RolloutPanel({ opened }: { opened: OpenExperiment }) {
  const { project, viewer, experiment, status, whyNot } = opened
  const found = await getProduct().experiments.rollouts.find(project.id, experiment.id, viewer)
  if (!found.done || !experiment.rollout) return null
  const { progress } = found
  const { guard } = progress
  const { steps } = experiment.rollout
  const clock = clockOf(project)
  const shared = { slug: project.slug, id: experiment.id, name: experiment.name, whyNot }
  return (
    <Panel
      title="Guarded rollout"
      description={`${guard.taken.length} of ${guard.steps.length} steps`}
      actions={
        status === 'running' && (
          <>
            {guard.state === 'running' && (
              <PauseButton
                {...shared}
                isPaused={guard.pausedAt !== undefined}
                pause={{ action: pauseRollout, saved: `${shared.name} paused` }}
                resume={{ action: resumeRollout, saved: `${shared.name} resumed` }}
              />
            )}
            {guard.variant !== undefined && (
              <ShipVariant
                {...shared}
                flag={experiment.flag}
                variants={[guard.variant, experiment.control]}
                advised={guard.variant}
              />
            )}
          </>
        )
      }
    >
      <div className="flex flex-col gap-4">
        <div>
          <p className="flex flex-wrap items-center gap-2">
            <GuardBadge guard={guard} />
            <span className="text-pretty">{guard.why}</span>
          </p>
          <Timing progress={progress} clock={clock} />
        </div>
        <GuardSteps
          guard={guard}
          dueWords={(index) => `at least ${duration((steps[index]?.minutes ?? 0) * 60_000)}`}
          clock={clock}
        />
        <History guard={guard} clock={clock} />
      </div>
    </Panel>
  )
}

/** The time of the next step, and that of the last look at the guardrails. */
function Timing({
  progress: { guard, next, watchedUntil },
  clock,
}: {
  progress: RolloutProgress
  clock: Clock
}) {
  return (
    <p className="mt-1 text-xs text-muted">
      {next && (
        <>
          Next step: {percentText(next.percentage)},{' '}
          {next.at > clock.now ? <RelativeTime at={next.at} clock={clock} /> : 'as soon as it may'}.{' '}
        </>
      )}
      {watchedUntil && (
        <>
          The last step lasts until <RelativeTime at={watchedUntil} clock={clock} />.{' '}
        </>
      )}
      {guard.lookedAt && (
        <>
          Checked <RelativeTime at={guard.lookedAt} clock={clock} />.
        </>
      )}
    </p>
  )
}

function History({ guard: { log }, clock }: { guard: Guard; clock: Clock }) {
  return (
    <details>
      <summary className="cursor-pointer text-muted">What happened when</summary>
      <ul className="mt-2 flex flex-col gap-1">
        {log.toReversed().map(({ at, note }) => (
          <li key={`${at.toISOString()} ${note}`} className="flex flex-wrap gap-x-3">
            <span className="w-28 shrink-0 text-muted">
              <RelativeTime at={at} clock={clock} />
            </span>
            <span className="min-w-0 text-pretty">{note}</span>
          </li>
        ))}
      </ul>
    </details>
  )
}
