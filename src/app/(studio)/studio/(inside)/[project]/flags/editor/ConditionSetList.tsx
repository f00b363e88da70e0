'use client'

import { Plus } from 'lucide-react'
import { Button } from '#ui/Button'
import { Icon } from '#ui/Icon'
import { copyOf, type FlagDraft, newSet, type SetDraft } from './draft'
import type { EditorChoices } from './editor-choices'
import { ConditionSetCard } from './ConditionSetCard'

/** Edits condition sets in order; the first that matches decides. */
export function ConditionSetList({
  sets,
  onChange,
  flag: { variants, bucketBy, kind },
  choices,
}: {
  sets: readonly SetDraft[]
  onChange: (next: SetDraft[]) => void
  flag: Pick<FlagDraft, 'variants' | 'bucketBy' | 'kind'>
  choices: EditorChoices
}) {
  return (
    <div className="flex flex-col gap-3">
      {sets.map((set, index) => (
        <div key={set.id} className="flex flex-col gap-3">
          {index > 0 && <p className="text-center text-xs font-medium text-muted">or else</p>}
          <ConditionSetCard
            draft={set}
            index={index}
            of={sets.length}
            variants={variants}
            bucketBy={bucketBy}
            choices={choices}
            onChange={(next) => onChange(sets.with(index, next))}
            onMove={(by) => onChange(moved(sets, index, by))}
            onDuplicate={() => onChange(sets.toSpliced(index + 1, 0, copyOf(set)))}
            onRemove={() => onChange(sets.toSpliced(index, 1))}
          />
        </div>
      ))}
      {sets.length === 0 && (
        <p className="rounded-lg border border-dashed border-line-strong px-4 py-6 text-center text-muted">
          {kind === 'config'
            ? 'Everybody gets the value. Add a condition set to limit it.'
            : 'No condition sets. The flag is off for everybody.'}
        </p>
      )}
      <div>
        <Button size="sm" icon={<Icon of={Plus} />} onClick={() => onChange([...sets, newSet()])}>
          Add a condition set
        </Button>
      </div>
    </div>
  )
}

function moved(sets: readonly SetDraft[], index: number, by: -1 | 1): SetDraft[] {
  const set = sets[index]
  return set ? sets.toSpliced(index, 1).toSpliced(index + by, 0, set) : [...sets]
}
