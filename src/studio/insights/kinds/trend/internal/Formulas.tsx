'use client'

import { Plus, X } from 'lucide-react'
import { seriesLetter } from '#insights/measures/series-letters'
import { Button } from '#ui/Button'
import { Icon } from '#ui/Icon'
import { IconButton } from '#ui/IconButton'
import { Select } from '#ui/form/Select'
import { TextInput } from '#ui/form/TextInput'
import type { TrendFormula } from '#insights/kinds/trend/schema'
import { FieldPair, FormPart } from '#studio/insights/form/form-parts'

const asLabels: Record<TrendFormula['as'], string> = {
  number: 'Number',
  percent: 'Percentage',
  money: 'Currency',
  duration: 'Duration',
}
const ways = Object.entries(asLabels).map(([value, label]) => ({ value, label }))
const isWay = (value: string): value is TrendFormula['as'] => Object.hasOwn(asLabels, value)

const mostFormulas = 5

/** The formulas of a trend, which compute numbers from its series. */
export function Formulas({
  values,
  series,
  onChange,
}: {
  values: readonly TrendFormula[]
  series: number
  onChange: (next: TrendFormula[]) => void
}) {
  const example = series > 1 ? 'A / B' : 'A * 2'
  return (
    <FormPart
      title="Formulas"
      hint={`Combine series by their letters: ${seriesLetter(0)}${series > 1 ? ` to ${seriesLetter(series - 1)}` : ''}, + − * / ( ), min(), max().`}
    >
      {values.map((value, place) => (
        <FormulaRow
          key={place}
          label={`Formula ${place + 1}`}
          value={value}
          onChange={(next) => onChange(next ? values.with(place, next) : values.toSpliced(place, 1))}
        />
      ))}
      <div className="flex">
        <Button
          size="sm"
          variant="quiet"
          icon={<Icon of={Plus} />}
          onClick={() => onChange([...values, { text: example, as: series > 1 ? 'percent' : 'number' }])}
          disabledReason={values.length < mostFormulas ? undefined : 'A chart has at most 5 formulas.'}
        >
          Add formula
        </Button>
      </div>
    </FormPart>
  )
}

function FormulaRow({
  label,
  value,
  onChange,
}: {
  label: string
  value: TrendFormula
  onChange: (next: TrendFormula | undefined) => void
}) {
  return (
    <div className="flex items-start gap-1.5">
      <div className="flex min-w-0 grow flex-col gap-2">
        <FieldPair>
          <TextInput
            aria-label={label}
            mono
            value={value.text}
            maxLength={200}
            onChange={({ target }) => onChange({ ...value, text: target.value })}
          />
          <Select
            aria-label={`${label}: format`}
            options={ways}
            value={value.as}
            onChange={(as) => isWay(as) && onChange({ ...value, as })}
          />
        </FieldPair>
        <TextInput
          aria-label={`${label}: name`}
          placeholder="Custom label"
          value={value.label ?? ''}
          maxLength={200}
          onChange={({ target }) => onChange({ ...value, label: target.value || undefined })}
        />
      </div>
      <IconButton
        label={`Remove ${label.toLowerCase()}`}
        icon={<Icon of={X} />}
        onClick={() => onChange(undefined)}
      />
    </div>
  )
}
