'use client'

import { Check, TriangleAlert } from 'lucide-react'
import { Icon } from '../Icon'
import { Tooltip } from '../overlay/Tooltip'

export type Step = {
  value: string
  label: string
  mark?: 'done' | 'problem' | undefined
  /** Why it cannot be opened yet. */
  whyClosed?: string | undefined
}

/** The steps of a task, in their order: where its reader is, and where they can go. */
export function Steps({
  label,
  steps,
  current,
  onChoose,
}: {
  label: string
  steps: readonly Step[]
  current: string
  onChoose: (value: string) => void
}) {
  return (
    <nav aria-label={label}>
      <ol className="flex flex-wrap items-center gap-x-1.5 gap-y-2">
        {steps.map((step, index) => (
          <li key={step.value} className="flex items-center gap-1.5">
            {index > 0 && <span aria-hidden className="h-px w-3 bg-line-strong sm:w-8" />}
            <StepButton
              step={step}
              number={index + 1}
              isCurrent={step.value === current}
              onChoose={onChoose}
            />
          </li>
        ))}
      </ol>
    </nav>
  )
}

interface StepButtonProps {
  step: Step
  number: number
  isCurrent: boolean
  onChoose: (value: string) => void
}

function StepButton({
  step: { value, label, mark, whyClosed },
  number,
  isCurrent,
  onChoose,
}: StepButtonProps) {
  const button = (
    <button
      type="button"
      aria-current={isCurrent ? 'step' : undefined}
      aria-disabled={whyClosed === undefined ? undefined : true}
      className="group flex h-8 items-center gap-2 rounded-md px-1.5 font-medium text-muted select-none hover:text-ink aria-disabled:text-faint aria-[current=step]:text-ink"
      onClick={() => whyClosed === undefined && onChoose(value)}
    >
      <span
        aria-hidden
        className="grid size-6 place-items-center rounded-full border border-line-strong text-xs tabular-nums group-aria-[current=step]:border-accent group-aria-[current=step]:bg-accent group-aria-[current=step]:text-on-accent"
      >
        {mark ? marks[mark] : number}
      </span>
      <span className="max-sm:sr-only max-sm:group-aria-[current=step]:not-sr-only">{label}</span>
      {mark === 'problem' && <span className="sr-only">has a problem</span>}
    </button>
  )
  return whyClosed === undefined ? button : <Tooltip label={whyClosed}>{button}</Tooltip>
}

const marks = {
  done: <Icon of={Check} size="sm" />,
  problem: <Icon of={TriangleAlert} size="sm" className="text-danger-ink" />,
}
