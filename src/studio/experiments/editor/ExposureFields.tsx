'use client'

import { usePickers } from '#studio/insights/form/pickers'
import type { ExposureRule } from '#insights/kinds/experiment/schema'
import { Field } from '#ui/form/Field'
import { RadioGroup } from '#ui/form/RadioGroup'
import { Select } from '#ui/form/Select'
import { MatcherFields, PropertyField } from '../metrics/MatcherFields'
import type { ExperimentFieldsProps } from './AboutFields'
import { type ExperimentDraft, problemOf } from './draft'
import { exposureOfPreset, presetChoices } from './exposure-presets'

const rules = [
  {
    value: 'flag',
    label: 'Code reads the flag',
    hint: 'The event that SDKs and Tilth’s own pages send, $feature_flag_called',
  },
  {
    value: 'view',
    label: 'The variant is displayed',
    hint: 'Only people whose browser showed a block of the variant',
  },
  { value: 'event', label: 'Another event', hint: 'An event whose property names the variant' },
] as const

const units = [
  { value: 'person', label: 'People' },
  { value: 'session', label: 'Sessions' },
  { value: 'device', label: 'Devices' },
  { value: 'group', label: 'Groups', hint: 'Such as companies' },
] as const

/** The fields for exposure: the exposing event, the unit that is counted once, and the conditions of entry. */
export function ExposureFields({ draft, problems, onChange }: ExperimentFieldsProps) {
  const { exposure, unit, entry } = draft
  const { Filter, GroupType } = usePickers()
  return (
    <div className="flex flex-col gap-4">
      <RadioGroup
        boxed
        label="Exposure"
        options={rules}
        value={exposure.by}
        onChange={(by) => onChange({ exposure: by === 'event' ? ownEvent : { by } })}
        {...problemOf(problems, 'exposure')}
      />
      {exposure.by === 'event' && (
        <OwnEventFields
          exposure={exposure}
          flag={draft.flag}
          onChange={(next) => onChange({ exposure: next })}
        />
      )}
      <div className="grid items-start gap-4 sm:grid-cols-2">
        <Field label="Unit" hint="It is counted once, from its first exposure on.">
          <Select
            options={units}
            value={unit.by}
            onChange={(by) => onChange({ unit: by === 'group' ? { by, group: '' } : { by } })}
          />
        </Field>
        {unit.by === 'group' && (
          <Field label="Type of group" {...problemOf(problems, 'unit')}>
            <GroupType
              label="Type of group"
              value={unit.group}
              onChange={(group) => onChange({ unit: { by: 'group', group } })}
            />
          </Field>
        )}
      </div>
      <fieldset className="flex flex-col gap-1.5">
        <legend className="mb-1.5 font-medium">Who may enter</legend>
        <p className="text-xs text-muted">
          Exposures must meet every condition. Without any, everyone who is exposed counts.
        </p>
        <Filter label="Conditions of entry" value={entry} onChange={(next) => onChange({ entry: next })} />
      </fieldset>
    </div>
  )
}

const severalVariants = [
  { value: 'exclude', label: 'Are left out, and counted' },
  { value: 'first', label: 'Count for the variant they saw first' },
] as const

/** The treatment of units that saw several variants; it may change while the experiment runs. */
export function SeveralVariantsField({ draft, onChange }: Pick<ExperimentFieldsProps, 'draft' | 'onChange'>) {
  return (
    <div className="sm:w-1/2">
      <Field label="Units that saw several variants">
        <Select
          options={severalVariants}
          value={draft.severalVariants}
          onChange={(next: ExperimentDraft['severalVariants']) => onChange({ severalVariants: next })}
        />
      </Field>
    </div>
  )
}

type OwnEvent = Extract<ExposureRule, { by: 'event' }>

const ownEvent: OwnEvent = { by: 'event', event: '', property: '' }

interface OwnEventFieldsProps {
  exposure: OwnEvent
  flag: string
  onChange: (next: ExposureRule) => void
}

function OwnEventFields({ exposure, flag, onChange }: OwnEventFieldsProps) {
  const { event, property, filter } = exposure
  return (
    <fieldset className="flex flex-col gap-3 rounded-lg border border-line bg-sunken p-3">
      <legend className="sr-only">Exposure event</legend>
      <div className="sm:w-1/2">
        <Select
          aria-label="Fill in for"
          lead="Fill in for"
          placeholder="a tool…"
          options={presetChoices}
          value={null}
          onChange={(name) => {
            const next = exposureOfPreset(name, flag)
            if (next) onChange(next)
          }}
        />
      </div>
      <MatcherFields
        label="Exposure event"
        value={{ event, ...(filter && { filter }) }}
        onChange={(next) =>
          onChange({
            by: 'event',
            event: next.event ?? '',
            property,
            ...(next.filter && { filter: next.filter }),
          })
        }
        needsEvent
      />
      <div className="sm:w-1/2">
        <PropertyField
          label="Property that names the variant"
          value={property}
          event={event}
          onChange={(next) => onChange({ ...exposure, property: next })}
        />
      </div>
    </fieldset>
  )
}
