'use client'

import { clsx } from 'clsx'
import { FolderPlus, Plus, Trash2 } from 'lucide-react'
import { useState } from 'react'
import type { Filter } from '#filters/filter'
import { Button } from '#ui/Button'
import { Icon } from '#ui/Icon'
import { IconButton } from '#ui/IconButton'
import { SegmentedControl } from '#ui/form/SegmentedControl'
import { ConditionRow } from './ConditionRow'
import { type FilterDraft, draftOf, filterOf, type FilterGroupDraft, newCondition, newGroup } from './draft'
import { type Suggestions, usePropertySuggestions, type SubjectType } from './use-suggestions'
import type { PropertySuggestions } from './suggest'

export interface FilterEditorProps {
  value: Filter | undefined
  /** Called with the complete conditions; one without its value is left out. */
  onChange: (next: Filter | undefined) => void
  projectSlug: string
  /** The subjects that conditions may have, in the order of the list. */
  of: readonly SubjectType[]
  /** Suggests only what events of this name say. */
  event?: string | null
  /** The accessible name of the list of conditions. */
  label?: string
}

/** The settings that the editor's rows share. */
export interface FilterEditorContext {
  projectSlug: string
  of: readonly SubjectType[]
  event: string | null | undefined
  suggestions: Suggestions<PropertySuggestions>
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
  const [reportedText, setReportedText] = useState(() => textOf(draftOf(value)))
  const suggestions = usePropertySuggestions(projectSlug, of, event, root.members.length > 0)

  const givenText = textOf(draftOf(value))
  if (givenText !== reportedText) {
    setReportedText(givenText)
    setRoot(draftOf(value))
  }

  function change(next: FilterGroupDraft) {
    setRoot(next)
    if (textOf(next) === reportedText) return
    setReportedText(textOf(next))
    onChange(filterOf(next))
  }

  return (
    <Group
      draft={root}
      onChange={change}
      label={label}
      depth={0}
      context={{ projectSlug, of, event, suggestions }}
    />
  )
}

const textOf = (draft: FilterGroupDraft): string => JSON.stringify(filterOf(draft)) ?? ''

/** The deepest nesting of groups that stays readable. */
const deepest = 2

function Group({
  draft,
  onChange,
  onRemove,
  label,
  depth,
  context,
}: {
  draft: FilterGroupDraft
  onChange: (next: FilterGroupDraft) => void
  onRemove?: () => void
  label: string
  depth: number
  context: FilterEditorContext
}) {
  const { members, mode } = draft
  const put = (next: FilterDraft[]) => onChange({ ...draft, members: next })

  return (
    <fieldset className={clsx('min-w-0', depth > 0 && 'rounded-md border border-line bg-sunken p-2.5')}>
      <legend className="sr-only">{label}</legend>
      <div className="flex flex-col gap-2">
        {(members.length > 1 || onRemove) && (
          <div className="flex items-center justify-between gap-2">
            <SegmentedControl
              label={`${label}: match`}
              options={modes}
              value={mode}
              onChange={(chosen) => onChange({ ...draft, mode: chosen })}
            />
            {onRemove && <IconButton label="Remove group" icon={<Icon of={Trash2} />} onClick={onRemove} />}
          </div>
        )}
        {members.map((member, index) => (
          <Member
            key={member.id}
            draft={member}
            onChange={(next) => put(members.with(index, next))}
            onRemove={() => put(members.toSpliced(index, 1))}
            label={`${label} ${index + 1}`}
            depth={depth}
            context={context}
          />
        ))}
        <div className="flex flex-wrap gap-1.5">
          <Button
            size="sm"
            variant={members.length === 0 ? 'secondary' : 'quiet'}
            icon={<Icon of={Plus} />}
            onClick={() => put([...members, newCondition()])}
          >
            Add condition
          </Button>
          {members.length > 0 && depth < deepest && (
            <Button
              size="sm"
              variant="quiet"
              icon={<Icon of={FolderPlus} />}
              onClick={() => put([...members, newGroup()])}
            >
              Add group
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
  draft: FilterDraft
  onChange: (next: FilterDraft) => void
  onRemove: () => void
  label: string
  depth: number
  context: FilterEditorContext
}) {
  if (draft.kind === 'group') return <Group draft={draft} onChange={onChange} depth={depth + 1} {...rest} />
  return <ConditionRow draft={draft} onChange={onChange} {...rest} />
}
