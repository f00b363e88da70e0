'use client'

import type { LetterSettings } from '#letters/letter-settings'
import { Field } from '#ui/form/Field'
import { NumberInput } from '#ui/form/NumberInput'
import { Textarea } from '#ui/form/Textarea'
import { TextInput } from '#ui/form/TextInput'
import { ChangeForm, Submit } from '#studio/parts/ChangeForm'
import { saveLetterSettings } from './actions'

interface LetterSettingsFormProps {
  slug: string
  settings: LetterSettings
  whyNot: string | undefined
}

export const LetterSettingsForm = ({ slug, settings, whyNot }: LetterSettingsFormProps) => (
  <ChangeForm change={(form) => saveLetterSettings(slug, form)} saved="Settings saved">
    <div className="flex max-w-xl flex-col gap-4">
      <Field label="Sender name" name="senderName" optional hint="The site’s name if empty.">
        <TextInput defaultValue={settings.senderName} autoComplete="off" />
      </Field>
      <Field label="Reply-to address" name="replyTo" optional>
        <TextInput type="email" defaultValue={settings.replyTo} autoComplete="off" />
      </Field>
      <Field
        label="Postal address"
        name="postalAddress"
        hint="Shown below each newsletter. Many countries require it."
      >
        <Textarea rows={2} defaultValue={settings.postalAddress} />
      </Field>
      <Field
        label="Bounce mailbox"
        name="bounceAddress"
        optional
        hint="Its mail server passes messages to “tilth bounce”. It must accept subaddresses such as bounces+1@."
      >
        <TextInput type="email" defaultValue={settings.bounceAddress} autoComplete="off" />
      </Field>
      <Field label="Pace" name="perMinute" hint="As many as your mail server allows.">
        <NumberInput defaultValue={settings.perMinute} min={1} max={3000} unit="a minute" />
      </Field>
      <div>
        <Submit disabledReason={whyNot}>Save settings</Submit>
      </div>
    </div>
  </ChangeForm>
)
