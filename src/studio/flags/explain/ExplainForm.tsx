'use client'

import { useNavigation } from '#ui/navigation/Navigation'
import { type FormEvent, useState, useTransition } from 'react'
import { Button } from '#ui/Button'
import { Field } from '#ui/form/Field'
import { Select } from '#ui/form/Select'
import { Textarea } from '#ui/form/Textarea'
import { TextInput } from '#ui/form/TextInput'
import { type ExplainParameters, paths } from '#studio/paths'
import { Combobox } from '#ui/form/Combobox'
import { usePersonSuggestions } from '#studio/filters/use-suggestions'
import { whyNoJson } from '../editor/draft'

interface ExplainFormProps {
  slug: string
  /** Absent where every flag is explained. */
  flagKey?: string
  parameters: ExplainParameters
  environments: readonly string[]
}

/** Chooses the visitor of the explanation. The address holds it, so that it can be shared. */
export function ExplainForm({ slug, flagKey, parameters, environments }: ExplainFormProps) {
  const router = useNavigation()
  const [isPending, startTransition] = useTransition()
  const [draft, setDraft] = useState(parameters)
  const change = (part: ExplainParameters) => setDraft((before) => ({ ...before, ...part }))
  const trouble = whyNoJson(draft.properties ?? '') ?? whyNoJson(draft.groups ?? '')
  const missingVisitor = draft.visitor?.trim() ? undefined : 'Choose a person or enter a distinct id first.'

  function explain(event: FormEvent<HTMLFormElement>) {
    event.preventDefault()
    if (missingVisitor ?? trouble) return
    startTransition(() => router.push(addressFor(slug, flagKey, draft)))
  }

  return (
    <form onSubmit={explain} className="flex flex-col gap-4">
      <Field
        label="Person or distinct id"
        hint="Search the people of the last 30 days, or enter any id that the SDK sends."
      >
        <PersonPicker slug={slug} value={draft.visitor ?? ''} onChange={(visitor) => change({ visitor })} />
      </Field>
      {environments.length > 1 && flagKey === undefined && (
        <Field label="Environment">
          <Select
            options={environments.map((value) => ({ value, label: value }))}
            value={draft.environment ?? environments[0] ?? null}
            onChange={(environment) => change({ environment })}
          />
        </Field>
      )}
      <KnownFields asked={draft} onChange={change} />
      <div>
        <Button type="submit" variant="primary" busy={isPending} disabledReason={missingVisitor ?? trouble}>
          Explain
        </Button>
      </div>
    </form>
  )
}

/** The fields that an SDK would send along. */
function KnownFields({
  asked: { properties, groups, device },
  onChange,
}: {
  asked: ExplainParameters
  onChange: (part: ExplainParameters) => void
}) {
  return (
    <>
      <JsonField
        label="Properties"
        hint="JSON. Override the stored properties of the person."
        placeholder={'{"plan": "pro"}'}
        value={properties}
        onChange={(text) => onChange({ properties: text })}
      />
      <JsonField
        label="Groups"
        hint="JSON: keys by type."
        placeholder={'{"company": "acme"}'}
        value={groups}
        onChange={(text) => onChange({ groups: text })}
      />
      <Field label="Device id" optional>
        <TextInput
          mono
          value={device ?? ''}
          onChange={({ target }) => onChange({ device: target.value })}
          autoComplete="off"
          spellCheck={false}
        />
      </Field>
    </>
  )
}

function JsonField({
  label,
  hint,
  placeholder,
  value = '',
  onChange,
}: {
  label: string
  hint: string
  placeholder: string
  value: string | undefined
  onChange: (text: string) => void
}) {
  return (
    <Field label={label} optional hint={hint} error={whyNoJson(value)}>
      <Textarea
        mono
        rows={2}
        placeholder={placeholder}
        value={value}
        onChange={onChange}
        spellCheck={false}
      />
    </Field>
  )
}

function addressFor(slug: string, flagKey: string | undefined, parameters: ExplainParameters): string {
  const searchParameters = Object.fromEntries(
    Object.entries(parameters).map(([name, text]: [string, string | undefined]) => [name, text?.trim()]),
  )
  return flagKey === undefined
    ? paths.explainFlags(slug, searchParameters)
    : paths.flag(slug, flagKey, 'explain', searchParameters)
}

interface PersonPickerProps {
  slug: string
  /** A distinct id, which need not be one of a known person. */
  value: string
  onChange: (distinctId: string) => void
}

/** Finds a person while a member types, and takes any distinct id. */
function PersonPicker({ slug, value, onChange }: PersonPickerProps) {
  const [typed, setTyped] = useState('')
  const [isNeeded, setNeeded] = useState(false)
  const { found, isLoading, trouble } = usePersonSuggestions(slug, typed, isNeeded)

  return (
    <div onFocus={() => setNeeded(true)}>
      <Combobox
        keepsTyped
        placeholder="Name, e-mail or distinct id"
        options={found.map(({ distinctId, name }) => ({
          value: distinctId,
          label: name,
          hint: name === distinctId ? undefined : distinctId,
        }))}
        value={value === '' ? null : value}
        onChange={(next) => onChange(next ?? '')}
        onSearch={setTyped}
        searching={isLoading}
        nothingFound={trouble ?? 'No known person. The id is used as typed.'}
      />
    </div>
  )
}
