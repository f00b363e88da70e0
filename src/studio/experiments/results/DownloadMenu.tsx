'use client'

import { Download } from 'lucide-react'
import { Button } from '#ui/Button'
import { Icon } from '#ui/Icon'
import { IconButton } from '#ui/IconButton'
import { Menu } from '#ui/overlay/Menu'
import { download } from '#studio/parts/download'
import { paths } from '#studio/paths'

interface DownloadMenuProps {
  slug: string
  id: string
  file: 'results' | 'course'
}

const triggers = {
  results: (
    <Button size="sm" icon={<Icon of={Download} />}>
      Download
    </Button>
  ),
  course: <IconButton label="Download the course" icon={<Icon of={Download} />} size="sm" />,
}

const formats = [
  { format: 'csv', label: 'Table (CSV)' },
  { format: 'json', label: 'Data (JSON)' },
] as const

/** Saves the numbers that the page shows. */
export const DownloadMenu = ({ slug, id, file }: DownloadMenuProps) => (
  <Menu
    align={file === 'course' ? 'end' : 'start'}
    trigger={triggers[file]}
    entries={formats.map(({ format, label }) => ({
      label,
      // not a link: a link is prefetched, and the file would be computed without a press
      onSelect: () => download(paths.experimentFile(slug, id, file, format)),
    }))}
  />
)
