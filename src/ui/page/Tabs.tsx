'use client'

import { Tabs as Base } from '@base-ui/react/tabs'
import type { ReactNode } from 'react'
import { tabClass, tabListClass, type TabStyle } from './tab-style'

export type Tab = {
  value: string
  label: string
  icon?: ReactNode
  count?: number | string
  content: ReactNode
}

/** Views of one thing, one at a time, kept in the page. When the view belongs in the address, use LinkTabs. */
export function Tabs({
  label,
  tabs,
  value,
  defaultValue,
  onChange,
  look: variant = 'line',
}: {
  label: string
  tabs: Tab[]
  value?: string
  defaultValue?: string
  onChange?: (value: string) => void
  look?: TabStyle
}) {
  return (
    <Base.Root
      value={value}
      defaultValue={value === undefined ? (defaultValue ?? tabs[0]?.value) : undefined}
      onValueChange={(next) => onChange?.(String(next))}
    >
      <Base.List aria-label={label} activateOnFocus className={tabListClass(variant)}>
        {tabs.map((tab) => (
          <Base.Tab key={tab.value} value={tab.value} className={tabClass(variant)}>
            {tab.icon}
            {tab.label}
            {tab.count !== undefined && <span className="text-xs font-normal text-faint">{tab.count}</span>}
          </Base.Tab>
        ))}
      </Base.List>
      {tabs.map((tab) => (
        <Base.Panel key={tab.value} value={tab.value} className="rounded-md pt-4">
          {tab.content}
        </Base.Panel>
      ))}
    </Base.Root>
  )
}
