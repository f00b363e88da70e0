import { type Guard, guardStates } from '#flags/guard'
import { percentText } from '#flags/words'
import { Badge, type Tone } from '#ui/Badge'
import { type Clock, RelativeTime } from '#studio/parts/RelativeTime'

const tones: Record<Guard['state'], Tone> = {
  running: 'info',
  completed: 'success',
  'rolled-back': 'danger',
  stopped: 'neutral',
}

/** The state of a guarded rollout; a paused one is still watched, but takes no step. */
export function GuardBadge({ guard: { state, pausedAt } }: { guard: Pick<Guard, 'state' | 'pausedAt'> }) {
  const isPaused = state === 'running' && pausedAt !== undefined
  return (
    <Badge tone={isPaused ? 'warning' : tones[state]} dot>
      {isPaused ? 'Paused' : guardStates[state]}
    </Badge>
  )
}

interface GuardStepsProps {
  guard: Pick<Guard, 'state' | 'steps' | 'taken'>
  /** The words below a step that has not been taken yet. */
  dueWords: (index: number) => string
  clock: Clock
}

/** The steps of a guarded rollout, and which of them are taken. */
export function GuardSteps({ guard: { state, steps, taken }, dueWords, clock }: GuardStepsProps) {
  return (
    <ol aria-label="Steps" className="flex flex-wrap gap-2">
      {steps.map(({ percentage }, index) => {
        const step = taken[index]
        const isCurrent = state === 'running' && index === taken.length - 1
        return (
          <li
            key={percentage}
            aria-current={isCurrent ? 'step' : undefined}
            className={`rounded-md border px-2.5 py-1 ${
              step ? 'border-accent-line bg-accent-soft' : 'border-line text-muted'
            }`}
          >
            <span className="block font-medium tabular-nums">{percentText(percentage)}</span>
            <span className="block text-2xs">
              {step ? <RelativeTime at={step.at} clock={clock} /> : dueWords(index)}
            </span>
          </li>
        )
      })}
    </ol>
  )
}
