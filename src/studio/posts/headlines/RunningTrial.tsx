'use client'

import { plural } from '#ui/format'
import { useState } from 'react'
import type { TrialVerdict } from '#posts/trial-verdict'
import { AlertDialog } from '#ui/overlay/AlertDialog'
import { Button } from '#ui/Button'
import { Menu } from '#ui/overlay/Menu'
import { useDirectChange } from '#studio/parts/Change'
import { pickWinner, stopTrial } from '../actions'

interface RunningTrialProps {
  slug: string
  id: string
  /** The variants' keys. */
  variants: readonly string[]
  /** Undefined while the engine is unavailable. */
  verdict: TrialVerdict | undefined
  whyNot: string | undefined
}

/** The numbers of a running trial, and the buttons that end it early. */
export function RunningTrial({ slug, id, variants, verdict, whyNot }: RunningTrialProps) {
  const { make, question } = useDirectChange()
  const [winner, setWinner] = useState<string>()
  return (
    <footer className="flex flex-wrap items-center justify-between gap-x-4 gap-y-3 border-t border-line px-4 py-3">
      {question}
      <p className="min-w-0 grow basis-56 text-pretty text-muted">{verdict && verdictText(verdict)}</p>
      <div className="flex flex-wrap gap-2">
        <AlertDialog
          destructive={false}
          title="Stop without a winner?"
          body="All visitors see the original again. The results are kept."
          confirmLabel="Stop"
          onConfirm={() => make(() => stopTrial(slug, id), { saved: 'Headline test stopped' })}
          trigger={<Button disabledReason={whyNot}>Stop…</Button>}
        />
        <Menu
          align="end"
          trigger={<Button disabledReason={whyNot}>Pick a winner</Button>}
          entries={variants.map((key) => ({
            label: `Variant ${key.toUpperCase()}${key === 'a' ? ', the original' : ''}…`,
            onSelect: () => setWinner(key),
          }))}
        />
      </div>
      <AlertDialog
        destructive={false}
        open={winner !== undefined}
        onOpenChange={(open) => !open && setWinner(undefined)}
        title={`Choose variant ${winner?.toUpperCase()}?`}
        body="It is applied to the post as a new version, and the test ends."
        confirmLabel="Choose winner"
        onConfirm={() => make(() => pickWinner(slug, id, winner), { saved: 'Winner applied' })}
      />
    </footer>
  )
}

/** The result by the numbers so far, and the next step. */
export function verdictText(verdict: TrialVerdict): string {
  if (verdict.name === 'too-few')
    return `No result before each variant was shown to ${verdict.minimum} people.`
  if (verdict.name === 'won')
    return `Variant ${verdict.winner.toUpperCase()} is better. It is applied automatically.`
  if (verdict.name === 'undecided') return undecidedText(verdict)
  return 'The difference is too small to matter. The post keeps the original.'
}

function undecidedText({ leader, daysLeft }: Extract<TrialVerdict, { name: 'undecided' }>): string {
  if (leader === undefined) return 'The variants perform equally so far.'
  const ahead = `Variant ${leader.toUpperCase()} is ahead, but not significantly.`
  if (daysLeft === undefined) return ahead
  const days = Math.max(1, Math.ceil(daysLeft))
  return `${ahead} At this pace, a result takes about ${plural(days, 'day')}.`
}
