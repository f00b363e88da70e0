'use client'

import { useRouter } from 'next/navigation'
import { type FormEvent, useState, useTransition } from 'react'
import { Button } from '../../../../../../../ui/Button'
import { Field } from '../../../../../../../ui/Field'
import { Select } from '../../../../../../../ui/Select'
import { Textarea } from '../../../../../../../ui/Textarea'
import { TextInput } from '../../../../../../../ui/TextInput'
import { type ExplainQuestion, paths } from '../../../../../../paths'
import { whyNoJson } from '../editor/draft'

interface ExplainFormProps {
  slug: string
  /** Absent where every flag is explained. */
  flagKey?: string
  question: ExplainQuestion
  environments: readonly string[]
}

/** For whom it is explained; it stands in the address, so that it can be passed on. */
export function ExplainForm({ slug, flagKey, question, environments }: ExplainFormProps) {
  const router = useRouter()
  const [isPending, startTransition] = useTransition()
  const [asked, setAsked] = useState(question)
  const change = (part: ExplainQuestion) => setAsked((before) => ({ ...before, ...part }))
  const trouble = whyNoJson(asked.properties ?? '') ?? whyNoJson(asked.groups ?? '')
  const nobody = asked.visitor?.trim() ? undefined : 'Say who is asking first.'

  function explain(event: FormEvent<HTMLFormElement>) {
    event.preventDefault()
    if (nobody ?? trouble) return
    startTransition(() => router.push(addressFor(slug, flagKey, asked)))
  }

  return (
    <form onSubmit={explain} className="flex flex-col gap-4">
      <Field
        label="Distinct id"
        hint="As SDKs send it: before sign-in the visitor’s, afterwards the person’s."
      >
        <TextInput
          mono
          value={asked.visitor ?? ''}
          onChange={({ target }) => change({ visitor: target.value })}
          autoComplete="off"
          spellCheck={false}
        />
      </Field>
      {environments.length > 1 && flagKey === undefined && (
        <Field label="Environment">
          <Select
            options={environments.map((value) => ({ value, label: value }))}
            value={asked.environment ?? environments[0] ?? null}
            onChange={(environment) => change({ environment })}
          />
        </Field>
      )}
      <KnownFields asked={asked} onChange={change} />
      <div>
        <Button type="submit" variant="primary" busy={isPending} disabledReason={nobody ?? trouble}>
          Explain
        </Button>
      </div>
    </form>
  )
}

/** What an SDK would send along. */
function KnownFields({
  asked: { properties, groups, device },
  onChange,
}: {
  asked: ExplainQuestion
  onChange: (part: ExplainQuestion) => void
}) {
  return (
    <>
      <JsonField
        label="Properties sent along"
        hint="JSON. They count before what Tilth knows of the person."
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

function addressFor(slug: string, flagKey: string | undefined, asked: ExplainQuestion): string {
  const said = Object.fromEntries(
    Object.entries(asked).map(([name, text]: [string, string | undefined]) => [name, text?.trim()]),
  )
  return flagKey === undefined ? paths.explainFlags(slug, said) : paths.flag(slug, flagKey, 'explain', said)
}
