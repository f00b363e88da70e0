'use client'

import { Eye, EyeOff, X } from 'lucide-react'
import { seriesLetter } from '#insights/measures/series-letters'
import { Icon } from '#ui/Icon'
import { IconButton } from '#ui/IconButton'
import { TextInput } from '#ui/form/TextInput'
import type { TrendSeries } from '#insights/kinds/trend/schema'
import { EventMatcherFields } from '#studio/insights/form/EventMatcherFields'
import { MeasureFields } from '#studio/insights/form/MeasureFields'

/** One series of the form: its event, its measure and its label. */
export function SeriesRow({
  place,
  value,
  onChange,
  onRemove,
  canHide,
}: {
  place: number
  value: TrendSeries
  onChange: (next: TrendSeries) => void
  onRemove?: () => void
  /** Whether a formula would still show something. */
  canHide: boolean
}) {
  const label = `Series ${seriesLetter(place)}`
  return (
    <fieldset className="min-w-0 rounded-md border border-line bg-canvas p-2">
      <legend className="sr-only">{label}</legend>
      <div className="mb-2 flex items-center gap-1">
        <span
          aria-hidden
          className="grid size-6 shrink-0 place-items-center rounded-sm bg-accent-soft text-xs font-semibold text-accent-ink"
        >
          {seriesLetter(place)}
        </span>
        <div className="min-w-0 grow">
          <TextInput
            aria-label={`${label}: name`}
            placeholder="Custom label"
            value={value.label ?? ''}
            maxLength={200}
            onChange={({ target }) => onChange({ ...value, label: target.value || undefined })}
          />
        </div>
        {canHide && (
          <IconButton
            label={
              value.isHidden ? `Show ${label.toLowerCase()}` : `Use ${label.toLowerCase()} in formulas only`
            }
            icon={<Icon of={value.isHidden ? EyeOff : Eye} />}
            aria-pressed={value.isHidden}
            onClick={() => onChange({ ...value, isHidden: !value.isHidden })}
          />
        )}
        {onRemove && (
          <IconButton label={`Remove ${label.toLowerCase()}`} icon={<Icon of={X} />} onClick={onRemove} />
        )}
      </div>
      <div className="flex flex-col gap-2">
        <MeasureFields
          label={label}
          value={value.measure}
          onChange={(measure) => onChange({ ...value, measure })}
          event={value.event}
        />
        <EventMatcherFields label={`${label}: event`} value={value} onChange={onChange} allowAny />
      </div>
    </fieldset>
  )
}
