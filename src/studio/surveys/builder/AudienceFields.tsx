'use client'

import { addressMatches, deviceTypes, type SurveyTargeting } from '#surveys/survey'
import { Combobox, MultiCombobox } from '#ui/form/Combobox'
import { Field } from '#ui/form/Field'
import { NumberInput } from '#ui/form/NumberInput'
import { Panel } from '#ui/page/Panel'
import { Select } from '#ui/form/Select'
import { TextInput } from '#ui/form/TextInput'
import { FilterEditor } from '#studio/filters/FilterEditor'
import { StudioPickers } from '#studio/insights/pickers'
import { useBuilder, useProblem } from './BuilderContext'
import type { SurveyDraft } from './draft'
import { PlacementFields } from './PlacementFields'
import { ScheduleFields } from './ScheduleFields'
import { TimingFields } from './TimingFields'

export interface DraftFieldsProps {
  draft: SurveyDraft
  onChange: (part: Partial<SurveyDraft>) => void
}

export interface TargetingFieldsProps {
  targeting: SurveyTargeting
  put: (part: { [Name in keyof SurveyTargeting]: SurveyTargeting[Name] | undefined }) => void
}

/** A condition that is emptied is taken away. */
const withParts = (targeting: SurveyTargeting, part: object): SurveyTargeting =>
  Object.fromEntries(Object.entries({ ...targeting, ...part }).filter(([, value]) => value !== undefined))

/** Edits where a survey appears, who sees it, and when. */
export function AudienceFields({ draft, onChange }: DraftFieldsProps) {
  const { choices } = useBuilder()
  const { targeting } = draft
  const shared = {
    targeting,
    put: (part: object) => onChange({ targeting: withParts(targeting, part) }),
  }
  return (
    <StudioPickers slug={choices.slug}>
      <PlacementFields draft={draft} onChange={onChange} />
      <Panel title="Who" description="People who match every condition. Leave empty to show it to everyone.">
        <PersonFields {...shared} />
      </Panel>
      <Panel title="Pages and devices">
        <PageFields {...shared} />
      </Panel>
      <Panel title="When">
        <TimingFields {...shared} />
      </Panel>
      <Panel title="Frequency and end">
        <ScheduleFields draft={draft} onChange={onChange} />
      </Panel>
    </StudioPickers>
  )
}

function PersonFields({ targeting, put }: TargetingFieldsProps) {
  const { choices } = useBuilder()
  const { flag, person, percentage } = targeting
  const chosen = choices.flags.find(({ key }) => key === flag?.key)
  return (
    <div className="flex flex-col gap-4">
      <fieldset className="flex flex-col gap-1.5">
        <legend className="mb-1.5 font-medium">People</legend>
        <FilterEditor
          value={person}
          onChange={(next) => put({ person: next })}
          projectSlug={choices.slug}
          of={['person', 'group', 'cohort']}
          label="Conditions on people"
        />
      </fieldset>
      <div className="grid gap-4 sm:grid-cols-2">
        <Field label="Percentage" optional {...useProblem('targeting.percentage')}>
          <NumberInput
            value={percentage ?? null}
            min={0}
            max={100}
            placeholder="100"
            unit="%"
            onChange={(next) => put({ percentage: next ?? undefined })}
          />
        </Field>
        <span className="max-sm:hidden" />
        <Field label="With the flag on" optional {...useProblem('targeting.flag')}>
          <Combobox
            placeholder="Any"
            options={choices.flags.map(({ key }) => ({ value: key, label: key }))}
            value={flag?.key ?? null}
            onChange={(key) => put({ flag: key === null ? undefined : { key } })}
            nothingFound="No such flag"
          />
        </Field>
        {flag && chosen && chosen.variants.length > 0 && (
          <Field label="And this variant" optional>
            <Combobox
              placeholder="Any variant"
              options={chosen.variants.map(({ key }) => ({ value: key, label: key }))}
              value={flag.variant ?? null}
              onChange={(variant) =>
                put({ flag: variant === null ? { key: flag.key } : { key: flag.key, variant } })
              }
            />
          </Field>
        )}
      </div>
    </div>
  )
}

const matchLabels = {
  contains: 'contains',
  'not-contains': 'does not contain',
  exact: 'is',
  'not-exact': 'is not',
  regex: 'matches the pattern',
  'not-regex': 'does not match the pattern',
}
const matchOptions = addressMatches.map((value) => ({ value, label: matchLabels[value] }))

function PageFields({ targeting, put }: TargetingFieldsProps) {
  const { url, selector, deviceTypes: devices, languages } = targeting
  return (
    <div className="grid gap-4 sm:grid-cols-2">
      <Field label="Page URL" optional>
        <Select
          options={matchOptions}
          value={url?.match ?? 'contains'}
          onChange={(match) => put({ url: { match, value: url?.value ?? '' } })}
        />
      </Field>
      <Field label="URL or part of it" optional {...useProblem('targeting.url')}>
        <TextInput
          placeholder="/pricing"
          value={url?.value ?? ''}
          onChange={({ target }) =>
            put({
              url: target.value === '' ? undefined : { match: url?.match ?? 'contains', value: target.value },
            })
          }
        />
      </Field>
      <Field
        label="Element on the page"
        optional
        hint="A CSS selector."
        {...useProblem('targeting.selector')}
      >
        <TextInput
          mono
          placeholder="#checkout"
          value={selector ?? ''}
          onChange={({ target }) => put({ selector: target.value || undefined })}
        />
      </Field>
      <Field label="Devices" optional {...useProblem('targeting.deviceTypes')}>
        <MultiCombobox
          placeholder="Any device"
          options={deviceTypes.map((value) => ({ value, label: value }))}
          values={devices ?? []}
          onChange={(next) => {
            const known = deviceTypes.filter((one) => next.includes(one))
            put({ deviceTypes: known.length > 0 ? known : undefined })
          }}
        />
      </Field>
      <Field
        label="Languages of the browser"
        optional
        hint="Tags, as in de or pt-BR."
        {...useProblem('targeting.languages')}
      >
        <MultiCombobox
          placeholder="Any language"
          options={[]}
          allowOther
          nothingFound="Type a language tag"
          values={languages ?? []}
          onChange={(next) => put({ languages: next.length > 0 ? next : undefined })}
        />
      </Field>
      <ScreenWidthFields targeting={targeting} put={put} />
    </div>
  )
}

function ScreenWidthFields({ targeting: { screenWidth }, put }: TargetingFieldsProps) {
  const width = (part: { from?: number | undefined; until?: number | undefined }) => {
    const { from, until } = { ...screenWidth, ...part }
    const next = { ...(from !== undefined && { from }), ...(until !== undefined && { until }) }
    put({ screenWidth: from === undefined && until === undefined ? undefined : next })
  }
  return (
    <div className="grid grid-cols-2 gap-4">
      <Field label="Screen from" optional {...useProblem('targeting.screenWidth')}>
        <NumberInput
          value={screenWidth?.from ?? null}
          min={0}
          unit="px"
          onChange={(from) => width({ from: from ?? undefined })}
        />
      </Field>
      <Field label="Screen until" optional>
        <NumberInput
          value={screenWidth?.until ?? null}
          min={0}
          unit="px"
          onChange={(until) => width({ until: until ?? undefined })}
        />
      </Field>
    </div>
  )
}
