'use client'

import { Plus } from 'lucide-react'
import { useReordering } from '#studio/insights/form/Reorderable'
import { Button } from '#ui/Button'
import { Icon } from '#ui/Icon'
import { copyOf, type FlagDraft, newSet, type SetDraft } from './draft'
import type { EditorChoices } from './editor-choices'
import { ConditionSetCard } from './ConditionSetCard'

/** Edits condition sets in order; the first that matches decides. Arrow keys on the handle of a set move it. */
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
  const { rowProps, handleFor, announcement } = useReordering(sets, onChange)

  return (
    <div className="flex flex-col gap-3">
      {sets.map((set, index) => (
        <div key={set.id} className="flex flex-col gap-3 data-dragged:opacity-50" {...rowProps(index)}>
          {index > 0 && <p className="text-center text-xs font-medium text-muted">else</p>}
          <ConditionSetCard
            draft={set}
            index={index}
            handle={sets.length > 1 && handleFor(index, `condition set ${index + 1}`)}
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
      {announcement}
      {sets.length === 0 && (
        <p className="rounded-lg border border-dashed border-line-strong px-4 py-6 text-center text-muted">
          {kind === 'config'
            ? 'Served to everyone. Add a condition set to limit it.'
            : 'No condition sets: the flag is off for everyone.'}
        </p>
      )}
      <div>
        <Button size="sm" icon={<Icon of={Plus} />} onClick={() => onChange([...sets, newSet()])}>
          Add condition set
        </Button>
      </div>
    </div>
  )
}

function moved(sets: readonly SetDraft[], index: number, by: -1 | 1): SetDraft[] {
  const set = sets[index]
  return set ? sets.toSpliced(index, 1).toSpliced(index + by, 0, set) : [...sets]
}
