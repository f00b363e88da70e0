'use client'

import type { ReactNode } from 'react'
import { Field } from '#ui/form/Field'
import { Textarea } from '#ui/form/Textarea'
import { TextInput } from '#ui/form/TextInput'
import { type ExperimentDraft, type ExperimentProblems, problemOf } from './draft'

export interface ExperimentFieldsProps {
  draft: ExperimentDraft
  problems: ExperimentProblems
  onChange: (part: Partial<ExperimentDraft>) => void
}

/** The name and the hypothesis, and the kind below them. */
export function AboutFields({
  draft,
  problems,
  onChange,
  kind,
}: ExperimentFieldsProps & { kind?: ReactNode }) {
  return (
    <div className="flex flex-col gap-4">
      <Field label="Name" {...problemOf(problems, 'name')}>
        <TextInput
          placeholder="Shorter checkout form"
          value={draft.name}
          onChange={({ target }) => onChange({ name: target.value })}
        />
      </Field>
      <Field
        label="Hypothesis"
        optional
        hint="What you expect to happen, and why."
        {...problemOf(problems, 'hypothesis')}
      >
        <Textarea
          rows={2}
          placeholder="A form with fewer fields brings more orders, because fewer people give up."
          value={draft.hypothesis}
          onChange={(hypothesis) => onChange({ hypothesis })}
        />
      </Field>
      {kind}
    </div>
  )
}
