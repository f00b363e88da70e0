'use client'

import { X } from 'lucide-react'
import { useState } from 'react'
import type { GivenRecipient } from '#alerts/recipient'
import { Button } from '#ui/Button'
import { Icon } from '#ui/Icon'
import { IconButton } from '#ui/IconButton'
import { Select } from '#ui/form/Select'
import { TextInput } from '#ui/form/TextInput'
import { type AlertMember, recipientLabel } from './recipients'

interface RecipientFieldsProps {
  value: readonly GivenRecipient[]
  onChange: (next: GivenRecipient[]) => void
  members: readonly AlertMember[]
  /** The reasons why e-mails cannot reach a recipient, by its name. */
  hindrances?: Readonly<Record<string, string>>
  withWebhooks?: boolean
}

/** The recipients of messages. */
export function RecipientFields({
  value,
  onChange,
  members,
  hindrances,
  withWebhooks = false,
}: RecipientFieldsProps) {
  const add = (recipient: GivenRecipient) => onChange([...value, recipient])
  const left = members.filter(({ id }) => !value.some((one) => one.by === 'member' && one.member === id))
  return (
    <>
      {value.length > 0 && (
        <ul className="flex flex-col divide-y divide-line rounded-md border border-line">
          {value.map((recipient, index) => {
            const words = recipientLabel(recipient, members)
            return (
              <li
                key={`${recipient.by} ${words} ${index}`}
                className="flex items-center gap-2 py-1 pr-1 pl-3"
              >
                <span className="min-w-0 grow">
                  <span className="block truncate">{words}</span>
                  {hindrances?.[words] && (
                    <span className="block text-xs text-warning-ink">{hindrances[words]}</span>
                  )}
                </span>
                <IconButton
                  label={`Remove ${words}`}
                  icon={<Icon of={X} />}
                  onClick={() => onChange(value.filter((_, other) => other !== index))}
                />
              </li>
            )
          })}
        </ul>
      )}
      {left.length > 0 && (
        <Select
          aria-label="Add member"
          placeholder="Add member…"
          value={null}
          options={left.map(({ id, name, email }) => ({ value: id, label: name, hint: email }))}
          onChange={(member) => add({ by: 'member', member })}
        />
      )}
      <OtherRecipient withWebhooks={withWebhooks} onAdd={add} />
    </>
  )
}

/** One field for both: a text that begins like an address of the web is one. */
function OtherRecipient({
  withWebhooks,
  onAdd,
}: {
  withWebhooks: boolean
  onAdd: (recipient: GivenRecipient) => void
}) {
  const [text, setText] = useState('')
  const label = withWebhooks ? 'E-mail address or webhook URL' : 'E-mail address'
  const typed = text.trim()

  function add() {
    if (typed === '') return
    onAdd(/^https?:/i.test(typed) ? { by: 'webhook', url: typed } : { by: 'mail', address: typed })
    setText('')
  }

  return (
    <div className="flex gap-2">
      <TextInput
        aria-label={label}
        placeholder={label}
        value={text}
        onChange={(event) => setText(event.target.value)}
        onKeyDown={(event) => {
          if (event.key !== 'Enter') return
          event.preventDefault()
          add()
        }}
      />
      <Button onClick={add} disabledReason={typed === '' ? 'Enter an address.' : undefined}>
        Add
      </Button>
    </div>
  )
}
