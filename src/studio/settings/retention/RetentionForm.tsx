'use client'

import type { ProjectIngestSettings } from '#ingest/settings'
import { Checkbox } from '#ui/form/Checkbox'
import { Field } from '#ui/form/Field'
import { NumberInput } from '#ui/form/NumberInput'
import { ChangeForm, Submit } from '#studio/parts/ChangeForm'
import { changeRetention } from './change-retention'

interface RetentionFormProps {
  slug: string
  keep: ProjectIngestSettings['keep']
  whyNot?: string
}

export function RetentionForm({ slug, keep, whyNot }: RetentionFormProps) {
  const isFixed = whyNot !== undefined

  return (
    <ChangeForm change={(form) => changeRetention(slug, form)} saved="Data retention saved">
      <Field
        name="intake.keep.eventDays"
        label="Delete events after (days)"
        hint="Including today. Leave empty to keep events forever."
        optional
      >
        <NumberInput name="intake.keep.eventDays" defaultValue={keep.eventDays} min={1} disabled={isFixed} />
      </Field>
      <Field
        name="intake.keep.auditDays"
        label="Delete audit log entries after (days)"
        hint="The log stays verifiable. Leave empty to keep entries forever."
        optional
      >
        <NumberInput name="intake.keep.auditDays" defaultValue={keep.auditDays} min={1} disabled={isFixed} />
      </Field>
      <Checkbox
        name="confirmed"
        value="on"
        label="Permanently delete older data"
        hint="Expired data can only be restored from a backup."
        disabled={isFixed}
      />
      <div>
        <Submit disabledReason={whyNot}>Save</Submit>
      </div>
    </ChangeForm>
  )
}
