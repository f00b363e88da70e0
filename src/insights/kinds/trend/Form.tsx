'use client'

import { Plus } from 'lucide-react'
import { Breakdowns } from '../../asking/Breakdowns'
import { type FormProps, Pair, Part } from '../../asking/form'
import { everyInterval, When } from '../../asking/When'
import { Who } from '../../asking/Who'
import { Button } from '../../../ui/Button'
import { Field } from '../../../ui/Field'
import { Icon } from '../../../ui/Icon'
import { NumberInput } from '../../../ui/NumberInput'
import { Select } from '../../../ui/Select'
import { Switch } from '../../../ui/Switch'
import { Formulas } from './Formulas'
import type { TrendQuestion, TrendSeries } from './question'
import { SeriesRow } from './SeriesRow'

const chartLabels: Record<TrendQuestion['chart'], string> = {
  line: 'Lines',
  bar: 'Bars',
  area: 'Area',
  stacked: 'Areas on top of each other',
  number: 'Number',
  pie: 'Ring',
  table: 'Table',
  map: 'World map',
  calendar: 'Heat calendar',
}
const charts = Object.entries(chartLabels).map(([value, label]) => ({ value, label }))
const isChart = (value: string): value is TrendQuestion['chart'] => Object.hasOwn(chartLabels, value)

const another: TrendSeries = { event: null, measure: { math: 'total' }, isHidden: false }
const mostSeries = 10

/** Asks how numbers go over time. */
export function TrendForm({ question, onChange }: FormProps<TrendQuestion>) {
  const put = (next: Partial<TrendQuestion>) => onChange({ ...question, ...next })
  const { series } = question

  return (
    <>
      <Part title="Series">
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
            disabledReason={series.length < mostSeries ? undefined : 'A chart shows 10 series at most.'}
          >
            Add a series
          </Button>
        </div>
      </Part>
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
      <When question={question} onChange={put} intervals={everyInterval} />
      <Drawn question={question} put={put} />
      <Who question={question} onChange={put} />
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
    <Part title="Drawn as">
      <Select
        aria-label="Chart"
        options={charts}
        value={chart}
        onChange={(next) => isChart(next) && put({ chart: next })}
      />
      <Pair>
        <Field label="Smoothed over" optional>
          <NumberInput
            value={smoothing ?? null}
            min={2}
            max={90}
            placeholder="None"
            onChange={(next) => put({ smoothing: next ?? undefined })}
          />
        </Field>
        <Switch
          label="Added up over time"
          checked={cumulative}
          onChange={(next) => put({ cumulative: next })}
        />
      </Pair>
    </Part>
  )
}
