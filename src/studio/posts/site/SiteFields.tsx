'use client'

import { Combobox } from '#ui/form/Combobox'
import { Field } from '#ui/form/Field'
import { Switch } from '#ui/form/Switch'
import { Textarea } from '#ui/form/Textarea'
import { TextInput } from '#ui/form/TextInput'
import { addressHint, type SiteAddress } from './address-hint'
import { languages } from './languages'
import type { SiteFieldsProps } from './SiteForm'

/** The fields for the site's name and address. */
export function SiteFields({
  draft,
  onChange,
  errors,
  projectName,
  site,
}: SiteFieldsProps & { projectName: string; site: SiteAddress }) {
  return (
    <div className="flex flex-col gap-4">
      <Switch
        place="end"
        label="Publish the site"
        hint="Turn off to use Tilth for analytics only."
        checked={draft.isOn}
        onChange={(isOn) => onChange({ isOn })}
      />
      <Field label="Name" optional error={errors['name']}>
        <TextInput
          placeholder={projectName}
          value={draft.name}
          onChange={({ target }) => onChange({ name: target.value })}
        />
      </Field>
      <Field label="Description" optional error={errors['description']} hint="For search engines and feeds.">
        <Textarea rows={2} value={draft.description} onChange={(description) => onChange({ description })} />
      </Field>
      <Field label="URL" optional error={errors['address']} hint={addressHint(site, draft.address)}>
        <TextInput
          mono
          type="url"
          placeholder={(site.isOpenable && site.origin) || 'https://example.com'}
          value={draft.address}
          onChange={({ target }) => onChange({ address: target.value })}
        />
      </Field>
      <Field label="Language" error={errors['language']}>
        <Combobox
          options={languages}
          value={draft.language}
          required
          allowOther
          onChange={(language) => onChange({ language: language ?? 'en' })}
        />
      </Field>
    </div>
  )
}
