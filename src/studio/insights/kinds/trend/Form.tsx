'use client'

import { Plus } from 'lucide-react'
import { Button } from '#ui/Button'
import { Field } from '#ui/form/Field'
import { Icon } from '#ui/Icon'
import { NumberInput } from '#ui/form/NumberInput'
import { Select } from '#ui/form/Select'
import { Switch } from '#ui/form/Switch'
import type { TrendQuery, TrendSeries } from '#insights/kinds/trend/schema'
import { Breakdowns } from '../../form/Breakdowns'
import { type QueryFormProps, FieldPair, FormPart } from '../../form/form-parts'
import { everyInterval, PeriodFields } from '../../form/PeriodFields'
import { AudienceFields } from '../../form/AudienceFields'
import { Formulas } from './internal/Formulas'
import { SeriesRow } from './internal/SeriesRow'

const chartLabels: Record<TrendQuery['chart'], string> = {
  line: 'Line chart',
  bar: 'Bar chart',
  area: 'Area chart',
  stacked: 'Stacked area chart',
  number: 'Number',
  pie: 'Donut chart',
  table: 'Table',
  map: 'World map',
  calendar: 'Calendar heatmap',
}
const charts = Object.entries(chartLabels).map(([value, label]) => ({ value, label }))
const isChart = (value: string): value is TrendQuery['chart'] => Object.hasOwn(chartLabels, value)

const another: TrendSeries = { event: null, measure: { math: 'total' }, isHidden: false }
const mostSeries = 10

/** The form of a trend query. */
export function TrendForm({ query, onChange }: QueryFormProps<TrendQuery>) {
  const put = (next: Partial<TrendQuery>) => onChange({ ...query, ...next })
  const { series } = query

  return (
    <>
      <FormPart title="Series">
        {series.map((one, place) => (
          <SeriesRow
            key={place}
            place={place}
            value={one}
            onChange={(next) => put({ series: series.with(place, next) })}
            onRemove={series.length > 1 ? () => put({ series: series.toSpliced(place, 1) }) : undefined}
            canHide={query.formulas.length > 0}
          />
        ))}
        <div className="flex">
          <Button
            size="sm"
            icon={<Icon of={Plus} />}
            onClick={() => put({ series: [...series, another] })}
            disabledReason={series.length < mostSeries ? undefined : 'A chart shows at most 10 series.'}
          >
            Add series
          </Button>
        </div>
      </FormPart>
      <Formulas values={query.formulas} series={series.length} onChange={(formulas) => put({ formulas })} />
      <Breakdowns
        values={query.breakdowns}
        onChange={(breakdowns) => put({ breakdowns })}
        most={3}
        event={series[0]?.event}
        limit={query.limit}
        onLimit={(limit) => put({ limit })}
      />
      <PeriodFields query={query} onChange={put} intervals={everyInterval} />
      <Drawn query={query} put={put} />
      <AudienceFields query={query} onChange={put} />
    </>
  )
}

function Drawn({
  query: { chart, cumulative, smoothing },
  put,
}: {
  query: TrendQuery
  put: (next: Partial<TrendQuery>) => void
}) {
  return (
    <FormPart title="Chart">
      <Field label="Chart type">
        <Select options={charts} value={chart} onChange={(next) => isChart(next) && put({ chart: next })} />
      </Field>
      <FieldPair>
        <Field label="Rolling average" optional>
          <NumberInput
            value={smoothing ?? null}
            min={2}
            max={90}
            placeholder="None"
            onChange={(next) => put({ smoothing: next ?? undefined })}
          />
        </Field>
        <Switch label="Cumulative" checked={cumulative} onChange={(next) => put({ cumulative: next })} />
      </FieldPair>
    </FormPart>
  )
}
