'use client'

import { Download } from 'lucide-react'
import { Button } from '#ui/Button'
import { Icon } from '#ui/Icon'
import { Menu } from '#ui/overlay/Menu'
import { paths } from '#studio/paths'
import { inAddress, type ResultsQuestion } from './question'

const formats = [
  { format: 'xlsx', label: 'Spreadsheet (XLSX)' },
  { format: 'csv', label: 'Table (CSV)' },
  { format: 'json', label: 'Responses (JSON)' },
] as const

/** Downloads the responses that the page is narrowed to. */
export function ExportMenu({
  slug,
  survey,
  question,
}: {
  slug: string
  survey: string
  question: ResultsQuestion
}) {
  return (
    <Menu
      align="end"
      trigger={<Button icon={<Icon of={Download} />}>Export</Button>}
      entries={formats.map(({ format, label }) => ({
        label,
        // not a link: Next prefetches links, and an export would begin without a press
        onSelect: () => download(paths.surveyExport(slug, survey, format, inAddress(question))),
      }))}
    />
  )
}

/** Saves a file; one that cannot be made is a failed download, and the page stays. */
function download(address: string): void {
  const link = document.createElement('a')
  link.href = address
  link.download = ''
  link.click()
}
