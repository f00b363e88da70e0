'use client'

import { Download } from 'lucide-react'
import { useRef } from 'react'
import type { ChartExportProps } from './chart'
import { Icon } from '../Icon'
import { IconButton } from '../IconButton'
import { Menu, type MenuEntry } from '../overlay/Menu'
import { useToast } from '../overlay/Toast'

/** Saves the chart of the ChartFrame it stands in, as it looks now, or the numbers behind it. */
export function ChartExport({ name, csvHref, jsonHref }: ChartExportProps) {
  const element = useRef<HTMLSpanElement>(null)
  const showToast = useToast()

  async function save(as: 'savePng' | 'saveSvg') {
    // Few save a chart, so its script comes when they do.
    const exporting = await import('./internal/export-chart')
    const frame = element.current?.closest('.chart-frame')
    const chart = frame?.querySelector('.chart-drawing') ?? frame?.querySelector('table')
    const saved = chart instanceof HTMLElement && (await exporting[as](chart, name))
    if (!saved)
      showToast({
        title: 'No chart to save',
        body: 'Switch from table to chart, then save it again.',
        tone: 'danger',
      })
  }

  const entries: MenuEntry[] = [
    { label: 'Image (PNG)', onSelect: () => void save('savePng') },
    { label: 'Vector image (SVG)', onSelect: () => void save('saveSvg') },
    ...(csvHref ? [{ kind: 'link' as const, label: 'Table (CSV)', href: csvHref }] : []),
    ...(jsonHref ? [{ kind: 'link' as const, label: 'Data (JSON)', href: jsonHref }] : []),
  ]
  return (
    <span ref={element} className="flex">
      <Menu
        align="end"
        trigger={<IconButton label="Save" icon={<Icon of={Download} />} size="sm" />}
        entries={entries}
      />
    </span>
  )
}
