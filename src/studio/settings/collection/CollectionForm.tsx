'use client'

import { capturedKindNames, capturedKinds } from '#ingest/captured-kinds'
import type { ProjectIngestSettings } from '#ingest/settings'
import { Checkbox } from '#ui/form/Checkbox'
import { Field } from '#ui/form/Field'
import { NumberInput } from '#ui/form/NumberInput'
import { Select } from '#ui/form/Select'
import { Textarea } from '#ui/form/Textarea'
import { ChangeForm, Submit } from '#studio/parts/ChangeForm'
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
  { value: 'cookieless', label: 'Count without a visitor id' },
  { value: 'drop', label: 'Do not count' },
  { value: 'ignore', label: 'Count like everyone else' },
]

const channelChoices = [
  { value: 'google', label: 'Google Analytics’ default channel group' },
  { value: 'posthog', label: 'PostHog’s channel types' },
]

const robots = [
  { value: 'ai', label: 'AI crawlers and assistants' },
  { value: 'bot', label: 'Other bots' },
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
      <Field name="intake.optOut" label="Do Not Track and Global Privacy Control">
        <Select
          name="intake.optOut"
          options={optOutChoices}
          defaultValue={settings.optOut}
          disabled={isFixed}
        />
      </Field>
      <fieldset className="flex flex-col gap-2.5">
        <legend className="mb-2.5 font-medium">Drop events from</legend>
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
      <CaptureFields chosen={settings.capture} isFixed={isFixed} />
      <Checkbox
        name="intake.hashRouting"
        value="on"
        label="Hash-based routing"
        hint="Keep the part of the URL after #."
        defaultChecked={settings.hashRouting}
        disabled={isFixed}
      />
      <ChannelsField chosen={settings.channels} isFixed={isFixed} />
      <MonthlyBound most={settings.monthlyEvents} isFixed={isFixed} />
      <div>
        <Submit disabledReason={whyNot}>Save</Submit>
      </div>
    </ChangeForm>
  )
}

const CaptureFields = ({
  chosen,
  isFixed,
}: {
  chosen: ProjectIngestSettings['capture']
  isFixed: boolean
}) => (
  <fieldset className="flex flex-col gap-2.5">
    <legend className="mb-1 font-medium">Capture automatically with PostHog’s SDK</legend>
    <p className="mb-1.5 text-muted">Pages follow with their next view. What init turns off stays off.</p>
    {capturedKindNames.map((kind) => (
      <Checkbox
        key={kind}
        name="intake.capture"
        value={kind}
        label={capturedKinds[kind].label}
        defaultChecked={chosen.includes(kind)}
        disabled={isFixed}
      />
    ))}
  </fieldset>
)

const ChannelsField = ({
  chosen,
  isFixed,
}: {
  chosen: ProjectIngestSettings['channels']
  isFixed: boolean
}) => (
  <Field
    name="intake.channels"
    label="Channels"
    hint="How the channels of new visits are named. Earlier visits keep theirs."
  >
    <Select name="intake.channels" options={channelChoices} defaultValue={chosen} disabled={isFixed} />
  </Field>
)

const MonthlyBound = ({ most, isFixed }: { most: number | undefined; isFixed: boolean }) => (
  <Field
    name="intake.monthlyEvents"
    label="Monthly event limit"
    hint="Per calendar month (UTC). Further events are dropped, and PostHog SDKs pause for a minute. Leave empty for no limit."
    optional
  >
    <NumberInput name="intake.monthlyEvents" defaultValue={most} min={1} disabled={isFixed} />
  </Field>
)

const listsOf = (aliases: readonly string[], { hosts, shields }: ProjectIngestSettings): readonly Lines[] => [
  {
    name: 'hosts',
    label: 'Allowed hostnames',
    hint: 'One per line, such as example.com or *.example.com. Leave empty to allow all.',
    lines: hosts,
  },
  {
    name: 'aliases',
    label: 'Aliases',
    hint: 'Other keys your SDKs already send: an old token, a website id, a domain. One per line.',
    lines: aliases,
  },
  {
    name: 'intake.shields.addresses',
    label: 'Blocked IPs',
    hint: 'Events from these IP addresses are dropped: 203.0.113.7 or 203.0.113.0/24. One per line.',
    lines: shields.addresses,
  },
  {
    name: 'intake.shields.countries',
    label: 'Blocked countries',
    hint: 'Two-letter codes such as DE. One per line.',
    lines: shields.countries,
  },
  {
    name: 'intake.shields.pages',
    label: 'Blocked pages',
    hint: 'Paths. * is a wildcard, as in /admin*. One per line.',
    lines: shields.pages,
  },
]
