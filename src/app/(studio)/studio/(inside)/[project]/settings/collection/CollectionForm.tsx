'use client'

import type { ProjectIngestSettings } from '#ingest/settings'
import { Checkbox } from '#ui/form/Checkbox'
import { Field } from '#ui/form/Field'
import { NumberInput } from '#ui/form/NumberInput'
import { Select } from '#ui/form/Select'
import { Textarea } from '#ui/form/Textarea'
import { ChangeForm, Submit } from '#app/(studio)/Change'
import { changeCollection } from './change-collection'

interface CollectionFormProps {
  slug: string
  aliases: readonly string[]
  settings: ProjectIngestSettings
  whyNot?: string
}

interface Lines {
  name: string
  label: string
  hint: string
  lines: readonly string[]
}

const optOutChoices = [
  { value: 'cookieless', label: 'Count them without an id of their own' },
  { value: 'drop', label: 'Do not count them' },
  { value: 'ignore', label: 'Count them like everyone else' },
]

const robots = [
  { value: 'ai', label: 'AI crawlers and assistants' },
  { value: 'bot', label: 'Other robots' },
  { value: 'feed', label: 'Feed readers' },
] as const

export function CollectionForm({ slug, aliases, settings, whyNot }: CollectionFormProps) {
  const isFixed = whyNot !== undefined

  return (
    <ChangeForm change={(form) => changeCollection(slug, form)} saved="Collection saved">
      {listsOf(aliases, settings).map(({ name, label, hint, lines }) => (
        <Field key={name} name={name} label={label} hint={hint} optional>
          <Textarea
            name={name}
            defaultValue={lines.join('\n')}
            readOnly={isFixed}
            spellCheck={false}
            mono
            rows={2}
          />
        </Field>
      ))}
      <Field name="intake.optOut" label="Visitors whose browser asks not to be followed (DNT, GPC)">
        <Select
          name="intake.optOut"
          options={optOutChoices}
          defaultValue={settings.optOut}
          disabled={isFixed}
        />
      </Field>
      <fieldset className="flex flex-col gap-2.5">
        <legend className="mb-2.5 font-medium">Do not keep</legend>
        {robots.map(({ value, label }) => (
          <Checkbox
            key={value}
            name="intake.dropTraffic"
            value={value}
            label={label}
            defaultChecked={settings.dropTraffic.includes(value)}
            disabled={isFixed}
          />
        ))}
        <Checkbox
          name="intake.spamReferrers"
          value="drop"
          label="Referrer spam"
          defaultChecked={settings.spamReferrers === 'drop'}
          disabled={isFixed}
        />
      </fieldset>
      <Checkbox
        name="intake.hashRouting"
        value="on"
        label="Pages differ in the part after #"
        hint="For sites that route by it; otherwise it is left out of addresses."
        defaultChecked={settings.hashRouting}
        disabled={isFixed}
      />
      <MonthlyBound most={settings.monthlyEvents} isFixed={isFixed} />
      <div>
        <Submit disabledReason={whyNot}>Save</Submit>
      </div>
    </ChangeForm>
  )
}

const MonthlyBound = ({ most, isFixed }: { most: number | undefined; isFixed: boolean }) => (
  <Field
    name="intake.monthlyEvents"
    label="Monthly event limit"
    hint="Per month in UTC. Further events are dropped and counted as dropped. PostHog’s SDKs then pause for a minute, including flags and surveys. Leave empty for no limit."
    optional
  >
    <NumberInput name="intake.monthlyEvents" defaultValue={most} min={1} disabled={isFixed} />
  </Field>
)

const listsOf = (aliases: readonly string[], { hosts, shields }: ProjectIngestSettings): readonly Lines[] => [
  {
    name: 'hosts',
    label: 'Hosts of the site',
    hint: 'One per line, such as example.com or *.example.com. Leave empty to accept every host.',
    lines: hosts,
  },
  {
    name: 'aliases',
    label: 'Other names',
    hint: 'Names that trackers already send: an old token, a website id, a domain. One per line.',
    lines: aliases,
  },
  {
    name: 'intake.shields.addresses',
    label: 'Shielded addresses',
    hint: 'Addresses that are not counted, such as your office: 203.0.113.7 or 203.0.113.0/24. One per line.',
    lines: shields.addresses,
  },
  {
    name: 'intake.shields.countries',
    label: 'Shielded countries',
    hint: 'Two letters each, such as DE. One per line.',
    lines: shields.countries,
  },
  {
    name: 'intake.shields.pages',
    label: 'Shielded pages',
    hint: 'Paths; * matches anything: /admin*. One per line.',
    lines: shields.pages,
  },
]
