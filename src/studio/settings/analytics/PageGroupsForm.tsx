'use client'

import { Plus } from 'lucide-react'
import { useState } from 'react'
import { groupedPath, suggestedGroups } from '#insights/text/page-groups'
import { Button } from '#ui/Button'
import { Field } from '#ui/form/Field'
import { Textarea } from '#ui/form/Textarea'
import { number } from '#ui/format'
import { Icon } from '#ui/Icon'
import { EmptyMessage } from '#ui/page/EmptyMessage'
import type { TableColumn } from '#ui/table/column'
import { Table } from '#ui/table/Table'
import { ChangeForm, Submit } from '#studio/parts/ChangeForm'
import { changePageGroups } from './change-analytics'

/** A page of the last days, as its address was. */
export interface RecentPage {
  path: string
  views: number
}

interface PageGroupsFormProps {
  slug: string
  groups: readonly string[]
  pages: readonly RecentPage[]
  whyNot: string | undefined
}

const mostSuggestions = 6
const mostExamples = 3

/** Groups of pages, a pattern a line, beside the pages of this project that they are applied to. */
export function PageGroupsForm({ slug, groups: saved, pages, whyNot }: PageGroupsFormProps) {
  const [text, setText] = useState(saved.join('\n'))
  const groups = linesOf(text).filter((line) => line.startsWith('/'))
  const paths = pages.map(({ path }) => path)
  const suggestions = suggestedGroups(paths, groups).slice(0, mostSuggestions)
  const add = (pattern: string) => setText((before) => [...linesOf(before), pattern].join('\n'))

  return (
    <ChangeForm change={() => changePageGroups(slug, linesOf(text))} saved="Page groups saved">
      <Field
        label="Groups"
        hint="One pattern a line, the first that fits counts. “:id” stands for one part of a path, “*” for anything."
        optional
      >
        <Textarea
          value={text}
          onChange={setText}
          readOnly={whyNot !== undefined}
          rows={4}
          spellCheck={false}
          mono
        />
      </Field>
      {suggestions.length > 0 && whyNot === undefined && (
        <div className="flex flex-col gap-2">
          <p className="font-medium">Suggested from your pages</p>
          <ul className="flex flex-wrap gap-1.5">
            {suggestions.map(({ pattern, pages: count }) => (
              <li key={pattern}>
                <Button size="sm" icon={<Icon of={Plus} />} onClick={() => add(pattern)}>
                  <span className="font-mono">{pattern}</span>{' '}
                  <span className="text-muted">{number(count)} pages</span>
                </Button>
              </li>
            ))}
          </ul>
        </div>
      )}
      {groups.length > 0 && (
        <Table
          caption="Pages in groups"
          columns={columns}
          rows={groups.map((pattern) => groupOf(pattern, groups, pages))}
          rowKey={({ pattern }) => pattern}
          empty={<EmptyMessage title="No groups yet" body="Add a pattern." />}
          dense
        />
      )}
      <div>
        <Submit disabledReason={whyNot}>Save page groups</Submit>
      </div>
    </ChangeForm>
  )
}

interface PreviewRow {
  pattern: string
  pages: number
  views: number
  examples: string
}

function groupOf(pattern: string, groups: readonly string[], pages: readonly RecentPage[]): PreviewRow {
  const own = pages.filter(({ path }) => groupedPath(path, groups) === pattern)
  return {
    pattern,
    pages: own.length,
    views: own.reduce((sum, { views }) => sum + views, 0),
    examples: own
      .slice(0, mostExamples)
      .map(({ path }) => path)
      .join(', '),
  }
}

const columns: readonly TableColumn<PreviewRow>[] = [
  { key: 'pattern', header: 'Group', cell: ({ pattern }) => <span className="font-mono">{pattern}</span> },
  {
    key: 'examples',
    header: 'Pages of the last 30 days',
    cell: ({ examples }) => examples || <span className="text-muted">None</span>,
    truncate: true,
    wideOnly: true,
  },
  { key: 'pages', header: 'Pages', cell: ({ pages }) => number(pages), numeric: true },
  { key: 'views', header: 'Views', cell: ({ views }) => number(views), numeric: true },
]

const linesOf = (text: string): string[] =>
  text
    .split('\n')
    .map((line) => line.trim())
    .filter((line) => line !== '')
