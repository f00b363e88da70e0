'use client'

import { FolderPlus, Plus, Trash2 } from 'lucide-react'
import { useState } from 'react'
import type { Filter } from '../../../filters/filter'
import { Button } from '../../../ui/Button'
import { Icon } from '../../../ui/Icon'
import { IconButton } from '../../../ui/IconButton'
import { SegmentedControl } from '../../../ui/SegmentedControl'
import { ConditionRow } from './ConditionRow'
import { type Draft, draftOf, filterOf, type GroupDraft, newCondition, newGroup } from './draft'
import { type Suggestions, usePropertySuggestions, type Whom } from './use-suggestions'
import type { Suggested } from './suggest'

export interface FilterEditorProps {
  value: Filter | undefined
  /** Hears of what is complete; a condition without its value is not in it yet. */
  onChange: (next: Filter | undefined) => void
  projectSlug: string
  /** What conditions may be about, in the order in which it is offered. */
  of: readonly Whom[]
  /** Suggests only what events of this name say. */
  event?: string | null
  /** What the list of conditions is called. */
  label?: string
}

/** What its rows share. */
export interface EditorGround {
  projectSlug: string
  of: readonly Whom[]
  event: string | null | undefined
  suggestions: Suggestions<Suggested>
}

const modes = [
  { value: 'all', label: 'All of these' },
  { value: 'any', label: 'Any of these' },
] as const

/** Conditions on properties and cohorts: a filter in, a filter out. */
export function FilterEditor({
  value,
  onChange,
  projectSlug,
  of,
  event,
  label = 'Conditions',
}: FilterEditorProps) {
  const [root, setRoot] = useState(() => draftOf(value))
  const [told, setTold] = useState(() => textOf(draftOf(value)))
  const suggestions = usePropertySuggestions(projectSlug, of, event, root.members.length > 0)

  const given = textOf(draftOf(value))
  if (given !== told) {
    setTold(given)
    setRoot(draftOf(value))
  }

  function change(next: GroupDraft) {
    setRoot(next)
    if (textOf(next) === told) return
    setTold(textOf(next))
    onChange(filterOf(next))
  }

  return (
    <Group
      draft={root}
      onChange={change}
      label={label}
      depth={0}
      ground={{ projectSlug, of, event, suggestions }}
    />
  )
}

const textOf = (draft: GroupDraft): string => JSON.stringify(filterOf(draft)) ?? ''

/** Deeper than this, nobody would find their way. */
const deepest = 2

function Group({
  draft,
  onChange,
  onRemove,
  label,
  depth,
  ground,
}: {
  draft: GroupDraft
  onChange: (next: GroupDraft) => void
  onRemove?: () => void
  label: string
  depth: number
  ground: EditorGround
}) {
  const { members, mode } = draft
  const put = (next: Draft[]) => onChange({ ...draft, members: next })

  return (
    <fieldset className={depth > 0 ? 'rounded-md border border-line bg-sunken p-2.5' : ''}>
      <legend className="sr-only">{label}</legend>
      <div className="flex flex-col gap-2">
        {(members.length > 1 || onRemove) && (
          <div className="flex items-center justify-between gap-2">
            <SegmentedControl
              label={`${label}: how many must hold`}
              options={modes}
              value={mode}
              onChange={(chosen) => onChange({ ...draft, mode: chosen })}
            />
            {onRemove && (
              <IconButton label="Remove the group" icon={<Icon of={Trash2} />} onClick={onRemove} />
            )}
          </div>
        )}
        {members.map((member, place) => (
          <Member
            key={member.id}
            draft={member}
            onChange={(next) => put(members.with(place, next))}
            onRemove={() => put(members.toSpliced(place, 1))}
            label={`${label} ${place + 1}`}
            depth={depth}
            ground={ground}
          />
        ))}
        <div className="flex flex-wrap gap-1.5">
          <Button
            size="sm"
            variant={members.length === 0 ? 'secondary' : 'quiet'}
            icon={<Icon of={Plus} />}
            onClick={() => put([...members, newCondition()])}
          >
            Add a condition
          </Button>
          {members.length > 0 && depth < deepest && (
            <Button
              size="sm"
              variant="quiet"
              icon={<Icon of={FolderPlus} />}
              onClick={() => put([...members, newGroup()])}
            >
              Add a group
            </Button>
          )}
        </div>
      </div>
    </fieldset>
  )
}

function Member({
  draft,
  onChange,
  depth,
  ...rest
}: {
  draft: Draft
  onChange: (next: Draft) => void
  onRemove: () => void
  label: string
  depth: number
  ground: EditorGround
}) {
  if (draft.kind === 'group') return <Group draft={draft} onChange={onChange} depth={depth + 1} {...rest} />
  return <ConditionRow draft={draft} onChange={onChange} {...rest} />
}
