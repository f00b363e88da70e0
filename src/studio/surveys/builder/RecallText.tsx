'use client'

import { AtSign } from 'lucide-react'
import { useState } from 'react'
import { questionKinds } from '#surveys/kinds/question-kinds'
import type { SurveyContent } from '#surveys/survey'
import { Icon } from '#ui/Icon'
import { IconButton } from '#ui/IconButton'
import { Menu, type MenuEntry } from '#ui/overlay/Menu'
import { TextInput } from '#ui/form/TextInput'
import { questionName } from './flow-words'

/** A text that may recall an earlier answer or a hidden field. Belongs in a Field. */
export function RecallText({
  value,
  onChange,
  content,
  index,
}: {
  value: string
  onChange: (next: string) => void
  content: SurveyContent
  /** Of the question the text belongs to; only earlier answers can be recalled. */
  index: number
}) {
  const [caret, setCaret] = useState<number>()
  const entries = recallEntries(content, index, (mark) => {
    const at = caret ?? value.length
    onChange(value.slice(0, at) + mark + value.slice(at))
  })
  return (
    <TextInput
      value={value}
      onChange={({ target }) => onChange(target.value)}
      onSelect={({ currentTarget }) => setCaret(currentTarget.selectionStart ?? undefined)}
      action={
        entries.length > 0 && (
          <Menu
            align="end"
            trigger={<IconButton size="sm" label="Insert earlier answer" icon={<Icon of={AtSign} />} />}
            entries={entries}
          />
        )
      }
    />
  )
}

function recallEntries(content: SurveyContent, index: number, insert: (mark: string) => void): MenuEntry[] {
  const earlier = content.questions.slice(0, index).filter(({ kind }) => !questionKinds[kind].asksNothing)
  const answers = earlier.map(({ id }) => ({
    label: questionName(content, id),
    onSelect: () => insert(`{{answer:${id}}}`),
  }))
  const fields = content.hiddenFields.map((name) => ({
    label: name,
    onSelect: () => insert(`{{field:${name}}}`),
  }))
  return [
    ...(answers.length > 0 ? [{ kind: 'group' as const, label: 'Answer to', entries: answers }] : []),
    ...(fields.length > 0 ? [{ kind: 'group' as const, label: 'Hidden field', entries: fields }] : []),
  ]
}
