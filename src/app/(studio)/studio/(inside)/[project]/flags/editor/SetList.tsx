'use client'

import { Plus } from 'lucide-react'
import { Button } from '../../../../../../../ui/Button'
import { Icon } from '../../../../../../../ui/Icon'
import { copyOf, type FlagDraft, newSet, type SetDraft } from './draft'
import type { EditorGround } from './ground'
import { SetCard } from './SetCard'

/** Condition sets in their order: the first that lets somebody in decides. */
export function SetList({
  sets,
  onChange,
  flag: { variants, bucketBy, kind },
  ground,
}: {
  sets: readonly SetDraft[]
  onChange: (next: SetDraft[]) => void
  flag: Pick<FlagDraft, 'variants' | 'bucketBy' | 'kind'>
  ground: EditorGround
}) {
  return (
    <div className="flex flex-col gap-3">
      {sets.map((set, place) => (
        <div key={set.id} className="flex flex-col gap-3">
          {place > 0 && <p className="text-center text-xs font-medium text-muted">or else</p>}
          <SetCard
            draft={set}
            place={place}
            of={sets.length}
            variants={variants}
            bucketBy={bucketBy}
            ground={ground}
            onChange={(next) => onChange(sets.with(place, next))}
            onMove={(by) => onChange(moved(sets, place, by))}
            onDuplicate={() => onChange(sets.toSpliced(place + 1, 0, copyOf(set)))}
            onRemove={() => onChange(sets.toSpliced(place, 1))}
          />
        </div>
      ))}
      {sets.length === 0 && (
        <p className="rounded-lg border border-dashed border-line-strong px-4 py-6 text-center text-muted">
          {kind === 'config'
            ? 'Everybody gets the value. A condition set would keep it for some.'
            : 'Without a condition set nobody gets it.'}
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

function moved(sets: readonly SetDraft[], place: number, by: -1 | 1): SetDraft[] {
  const set = sets[place]
  return set ? sets.toSpliced(place, 1).toSpliced(place + by, 0, set) : [...sets]
}
