'use client'

import { Download } from 'lucide-react'
import { useState } from 'react'
import type { ExportableTable } from '#exports/exports'
import type { TableFormat } from '#exports/export-statement'
import { Button } from '#ui/Button'
import { month as monthInWords, number } from '#ui/format'
import { Field } from '#ui/form/Field'
import { Select } from '#ui/form/Select'
import { Icon } from '#ui/Icon'
import { buttonClass } from '#ui/keyboard/button-style'
import { paths } from '#studio/paths'

const formats: { value: TableFormat; label: string }[] = [
  { value: 'jsonl', label: 'JSON lines' },
  { value: 'csv', label: 'CSV' },
  { value: 'parquet', label: 'Parquet' },
]

const tableLabels: Record<ExportableTable['table'], string> = {
  events: 'Events',
  sessions: 'Sessions',
  persons: 'People',
  groups: 'Groups',
}

/** Chooses a table, a format and months, with how many rows that is. */
export function ExportForm({ slug, tables }: { slug: string; tables: readonly ExportableTable[] }) {
  const [name, setName] = useState<ExportableTable['table']>('events')
  const [format, setFormat] = useState<TableFormat>('jsonl')
  const [from, setFrom] = useState('')
  const [until, setUntil] = useState('')
  const table = tables.find((one) => one.table === name)
  const months = table?.months ?? []
  const rows = table?.months
    ? months.reduce((sum, one) => (isWithin(one.month, from, until) ? sum + one.rows : sum), 0)
    : (table?.rows ?? 0)
  const period = table?.months ? { from, until } : { from: '', until: '' }

  return (
    <div className="flex flex-col gap-5">
      <div className="grid gap-4 sm:grid-cols-2">
        <Field label="Table">
          <Select
            options={tables.map((one) => ({ value: one.table, label: tableLabels[one.table] }))}
            value={name}
            onChange={setName}
          />
        </Field>
        <Field label="Format">
          <Select options={formats} value={format} onChange={setFormat} />
        </Field>
        {table?.months && (
          <>
            <Field label="First month">
              <Select options={monthOptions(months, 'The first one')} value={from} onChange={setFrom} />
            </Field>
            <Field label="Last month">
              <Select options={monthOptions(months, 'The last one')} value={until} onChange={setUntil} />
            </Field>
          </>
        )}
      </div>
      <p aria-live="polite" className="text-muted">
        {rows === 1 ? '1 row' : `${number(rows)} rows`}
      </p>
      <div>
        {rows === 0 ? (
          <Button disabledReason="There are no rows to export.">Download</Button>
        ) : (
          // a plain link: Next would fetch its own before it is pressed
          <a
            href={paths.exportedTable(slug, name, { format, ...period })}
            className={buttonClass({ variant: 'primary' })}
          >
            <Icon of={Download} /> Download
          </a>
        )}
      </div>
    </div>
  )
}

const isWithin = (month: string, from: string, until: string): boolean =>
  (from === '' || month >= from) && (until === '' || month <= until)

const monthOptions = (months: readonly { month: string }[], all: string) => [
  { value: '', label: all },
  ...months.map(({ month }) => ({ value: month, label: monthInWords(`${month}-01`) })),
]
