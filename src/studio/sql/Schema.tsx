'use client'

import { ChevronRight } from 'lucide-react'
import { useState } from 'react'
import type { SqlTableDescription } from '#insights/ask'
import { Button } from '#ui/Button'
import { Icon } from '#ui/Icon'
import { Panel } from '#ui/page/Panel'
import { TextInput } from '#ui/form/TextInput'
import { examples } from './examples'

/** The readable tables and columns; clicking a name inserts it into the statement. */
export function TableList({
  tables,
  onInsert,
}: {
  tables: readonly SqlTableDescription[]
  onInsert: (text: string) => void
}) {
  const [sought, setSought] = useState('')
  return (
    <Panel>
      <div className="flex flex-col gap-3">
        <TextInput
          aria-label="Find a column"
          placeholder="Find a column"
          value={sought}
          onChange={({ target }) => setSought(target.value)}
        />
        <ul className="flex flex-col gap-1">
          {tables.map((table) => (
            <li key={table.name}>
              <TableColumns table={table} sought={sought.trim().toLowerCase()} onInsert={onInsert} />
            </li>
          ))}
        </ul>
      </div>
    </Panel>
  )
}

function TableColumns({
  table: { name, about, columns },
  sought,
  onInsert,
}: {
  table: SqlTableDescription
  sought: string
  onInsert: (text: string) => void
}) {
  const fitting = columns.filter((column) => fits(column, sought))
  if (sought && fitting.length === 0) return null
  return (
    <details open={sought !== '' || undefined} className="group">
      <summary className="flex cursor-pointer list-none items-center gap-1.5 rounded-sm py-1 font-mono text-xs font-semibold">
        <Icon of={ChevronRight} size="sm" className="text-faint group-open:rotate-90" />
        {name}
        <span className="font-sans font-normal text-faint">{columns.length} columns</span>
      </summary>
      <p className="pb-2 pl-5.5 text-xs text-pretty text-muted">{marked(about)}</p>
      <ul className="flex max-h-96 flex-col gap-2 overflow-y-auto pb-2 pl-4">
        {fitting.map((column) => (
          <li key={column.name}>
            <div className="flex items-baseline justify-between gap-2">
              <Button
                variant="quiet"
                size="sm"
                aria-label={`Insert ${column.name}`}
                onClick={() => onInsert(column.name)}
              >
                <span className="font-mono text-xs">{column.name}</span>
              </Button>
              <span className="truncate text-2xs text-faint" title={column.type}>
                {shortType(column.type)}
              </span>
            </div>
            <p className="px-2 text-xs text-pretty text-muted">{marked(column.about)}</p>
          </li>
        ))}
      </ul>
    </details>
  )
}

const fits = ({ name, about }: { name: string; about: string }, sought: string): boolean =>
  name.includes(sought) || about.toLowerCase().includes(sought)

/** Renders text in backticks as code. */
const marked = (text: string) =>
  text.split('`').map((part, i) =>
    i % 2 === 1 ? (
      <code key={i} className="font-mono text-2xs">
        {part}
      </code>
    ) : (
      part
    ),
  )

const shortType = (type: string): string =>
  type.replaceAll(/LowCardinality\((\w+)\)/g, '$1').replaceAll(/\((?:3, )?'UTC'\)/g, '')

export function ExampleList({ onChoose }: { onChoose: (text: string) => void }) {
  return (
    <Panel>
      <ul className="flex flex-col gap-4">
        {examples.map(({ title, text }) => (
          <li key={title} className="flex flex-col gap-1.5">
            <div className="flex items-center justify-between gap-2">
              <h3 className="text-sm font-semibold">{title}</h3>
              <Button size="sm" aria-label={`Use: ${title}`} onClick={() => onChoose(text)}>
                Use
              </Button>
            </div>
            <pre className="overflow-hidden rounded-md bg-sunken px-2.5 py-2 font-mono text-2xs break-words whitespace-pre-wrap text-muted">
              {text}
            </pre>
          </li>
        ))}
      </ul>
    </Panel>
  )
}
