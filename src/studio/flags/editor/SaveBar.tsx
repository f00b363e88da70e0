'use client'

import { useState } from 'react'
import { Button } from '#ui/Button'
import { FormError } from '#ui/form/FormError'
import { TextInput } from '#ui/form/TextInput'
import { ConfirmFlagSwitch, type FlagSwitchRequest } from '../ConfirmFlagSwitch'

interface SaveBarProps {
  /** The flag would be turned on or off where everybody is: that is asked about. */
  turning: FlagSwitchRequest | undefined
  /** What would change, in words. */
  lines: readonly string[]
  problems: readonly string[]
  isPending: boolean
  whyNot: string | undefined
  /** Change note. */
  note: string
  onNote: (note: string) => void
  onSave: () => void
  onDiscard: () => void
}

const shownLines = 4

/** Says what saving would change, before it is saved. Nothing to save, nothing to see. */
export function SaveBar({ lines, problems, turning, ...props }: SaveBarProps) {
  const [isAsking, setAsking] = useState(false)
  const { isPending, whyNot, note, onNote, onSave, onDiscard } = props
  if (lines.length === 0) return null
  return (
    <section
      aria-label="Unsaved changes"
      className="sticky bottom-3 z-2 flex flex-col gap-3 rounded-lg border border-line-raised bg-raised p-3.5 shadow-float"
    >
      {problems.map((problem) => (
        <FormError key={problem} title={problem} />
      ))}
      <div className="flex flex-wrap items-end justify-between gap-x-6 gap-y-3">
        <div className="min-w-0 grow basis-80">
          <output className="block font-medium">
            {lines.length === 1 ? 'One change' : `${lines.length} changes`}
          </output>
          <ul className="mt-0.5 max-h-32 overflow-y-auto text-xs text-muted">
            {lines.slice(0, shownLines).map((line) => (
              <li key={line} className="line-clamp-2 wrap-anywhere">
                {line}
              </li>
            ))}
            {lines.length > shownLines && <li>and {lines.length - shownLines} more</li>}
          </ul>
        </div>
        <div className="flex flex-wrap gap-2 max-sm:w-full">
          <div className="w-full sm:w-56">
            <TextInput
              aria-label="Change note"
              placeholder="Change note"
              value={note}
              onChange={({ target }) => onNote(target.value)}
            />
          </div>
          <Button onClick={onDiscard}>Discard</Button>
          <ConfirmFlagSwitch
            turning={isAsking ? turning : undefined}
            onClose={() => setAsking(false)}
            onConfirm={onSave}
          />
          <Button
            variant="primary"
            onClick={() => (turning ? setAsking(true) : onSave())}
            busy={isPending}
            disabledReason={whyNot}
          >
            Save changes
          </Button>
        </div>
      </div>
    </section>
  )
}
