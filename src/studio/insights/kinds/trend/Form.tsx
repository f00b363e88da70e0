'use client'

import { Plus } from 'lucide-react'
import { Button } from '#ui/Button'
import { Field } from '#ui/form/Field'
import { Icon } from '#ui/Icon'
import { NumberInput } from '#ui/form/NumberInput'
import { Select } from '#ui/form/Select'
import { Switch } from '#ui/form/Switch'
import type { TrendQuestion, TrendSeries } from '#insights/kinds/trend/question'
import { Breakdowns } from '../../form/Breakdowns'
import { type QuestionFormProps, FieldPair, FormPart } from '../../form/form-parts'
import { everyInterval, PeriodFields } from '../../form/PeriodFields'
import { AudienceFields } from '../../form/AudienceFields'
import { Formulas } from './Formulas'
import { SeriesRow } from './SeriesRow'

const chartLabels: Record<TrendQuestion['chart'], string> = {
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
const isChart = (value: string): value is TrendQuestion['chart'] => Object.hasOwn(chartLabels, value)

const another: TrendSeries = { event: null, measure: { math: 'total' }, isHidden: false }
const mostSeries = 10

/** The form of a trend question. */
export function TrendForm({ question, onChange }: QuestionFormProps<TrendQuestion>) {
  const put = (next: Partial<TrendQuestion>) => onChange({ ...question, ...next })
  const { series } = question

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
            canHide={question.formulas.length > 0}
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
      <Formulas
        values={question.formulas}
        series={series.length}
        onChange={(formulas) => put({ formulas })}
      />
      <Breakdowns
        values={question.breakdowns}
        onChange={(breakdowns) => put({ breakdowns })}
        most={3}
        event={series[0]?.event}
        limit={question.limit}
        onLimit={(limit) => put({ limit })}
      />
      <PeriodFields question={question} onChange={put} intervals={everyInterval} />
      <Drawn question={question} put={put} />
      <AudienceFields question={question} onChange={put} />
    </>
  )
}

function Drawn({
  question: { chart, cumulative, smoothing },
  put,
}: {
  question: TrendQuestion
  put: (next: Partial<TrendQuestion>) => void
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
