'use client'

import { Plus, X } from 'lucide-react'
import type { ActionMatch, ActionStep, ActionTrigger } from '#surveys/survey'
import { Button } from '#ui/Button'
import { Field } from '#ui/form/Field'
import { Icon } from '#ui/Icon'
import { IconButton } from '#ui/IconButton'
import { Select } from '#ui/form/Select'
import { TextInput } from '#ui/form/TextInput'

/** Edits an action: a named interaction, recognised by any of its steps. */
export function ActionFields({
  label,
  trigger,
  onChange,
  onRemove,
}: {
  label: string
  trigger: ActionTrigger
  onChange: (next: ActionTrigger) => void
  onRemove: () => void
}) {
  const { name, steps } = trigger
  const put = (next: ActionStep[]) => onChange({ ...trigger, steps: next })
  return (
    <div className="flex flex-col gap-3 rounded-md border border-line bg-sunken p-2.5">
      <div className="flex items-end gap-1">
        <div className="min-w-0 grow">
          <Field label={`Name of ${label.toLowerCase()}`}>
            <TextInput
              placeholder="Clicked Buy"
              value={name}
              onChange={({ target }) => onChange({ ...trigger, name: target.value })}
            />
          </Field>
        </div>
        <IconButton label={`Remove ${label.toLowerCase()}`} icon={<Icon of={X} />} onClick={onRemove} />
      </div>
      {steps.map((step, index) => (
        <StepFields
          key={index}
          label={`${label}, step ${index + 1}`}
          step={step}
          onChange={(next) => put(steps.with(index, next))}
          onRemove={steps.length > 1 ? () => put(steps.toSpliced(index, 1)) : undefined}
        />
      ))}
      <div>
        <Button size="sm" variant="quiet" icon={<Icon of={Plus} />} onClick={() => put([...steps, {}])}>
          Add step
        </Button>
      </div>
    </div>
  )
}

const matches: { value: ActionMatch; label: string }[] = [
  { value: 'exact', label: 'is' },
  { value: 'contains', label: 'contains' },
  { value: 'regex', label: 'matches the pattern' },
]

const texts = [
  { name: 'text', label: 'Text', placeholder: 'Buy now' },
  { name: 'href', label: 'Link', placeholder: '/checkout' },
  { name: 'url', label: 'Page URL', placeholder: '/pricing' },
] as const

function StepFields({
  label,
  step,
  onChange,
  onRemove,
}: {
  label: string
  step: ActionStep
  onChange: (next: ActionStep) => void
  onRemove: (() => void) | undefined
}) {
  const put = (name: keyof ActionStep, value: ActionStep[keyof ActionStep] | undefined) => {
    const { [name]: _, ...rest } = step
    onChange(value === undefined ? rest : { ...rest, [name]: value })
  }
  return (
    <fieldset className="flex min-w-0 flex-col gap-2 border-l-2 border-line pl-3">
      <legend className="sr-only">{label}</legend>
      <div className="flex items-end gap-1">
        <div className="min-w-0 grow">
          <Field label="Selector" optional>
            <TextInput
              mono
              aria-label={`${label}: selector`}
              placeholder="button.buy"
              value={step.selector ?? ''}
              onChange={({ target }) => put('selector', target.value || undefined)}
            />
          </Field>
        </div>
        {onRemove && (
          <IconButton label={`Remove ${label.toLowerCase()}`} icon={<Icon of={X} />} onClick={onRemove} />
        )}
      </div>
      {texts.map(({ name, label: part, placeholder }) => {
        const given = step[name]
        return (
          <div key={name} className="grid grid-cols-[minmax(7rem,1fr)_2fr] items-end gap-2">
            <Field label={part} optional>
              <Select
                aria-label={`${label}: how ${part.toLowerCase()} matches`}
                options={matches}
                value={given?.match ?? 'contains'}
                onChange={(match) => given && put(name, { ...given, match })}
              />
            </Field>
            <TextInput
              aria-label={`${label}: ${part.toLowerCase()}`}
              placeholder={placeholder}
              value={given?.value ?? ''}
              onChange={({ target }) =>
                put(
                  name,
                  target.value === ''
                    ? undefined
                    : { match: given?.match ?? 'contains', value: target.value },
                )
              }
            />
          </div>
        )
      })}
    </fieldset>
  )
}
