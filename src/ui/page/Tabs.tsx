'use client'

import { type ReactNode, useId, useState } from 'react'
import { moveAlong } from '../keyboard/neighbour'
import { tabClass, tabListClass, type TabStyle } from './tab-style'

export type Tab = {
  value: string
  label: string
  icon?: ReactNode
  count?: number | string
  content: ReactNode
}

/**
 * Views of one thing, one at a time, kept in the page. A focused tab is chosen. When the view belongs in the address,
 * use LinkTabs.
 */
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
  const id = useId()
  const [chosen, setChosen] = useState(defaultValue ?? tabs[0]?.value)
  const current = tabs.find((tab) => tab.value === (value ?? chosen))
  const choose = (next: string) => {
    if (next === current?.value) return
    setChosen(next)
    onChange?.(next)
  }
  return (
    <div>
      <div
        role="tablist"
        aria-label={label}
        tabIndex={-1}
        className={tabListClass(variant)}
        onKeyDown={moveAlong}
      >
        {tabs.map((tab) => (
          <button
            key={tab.value}
            type="button"
            role="tab"
            id={`${id}tab-${tab.value}`}
            aria-selected={tab === current}
            aria-controls={tab === current ? `${id}panel` : undefined}
            data-active={tab === current ? '' : undefined}
            tabIndex={tab === current ? 0 : -1}
            className={tabClass(variant)}
            onClick={() => choose(tab.value)}
            onFocus={() => choose(tab.value)}
          >
            {tab.icon}
            {tab.label}
            {tab.count !== undefined && <span className="text-xs font-normal text-faint">{tab.count}</span>}
          </button>
        ))}
      </div>
      {current && (
        <div
          key={current.value}
          role="tabpanel"
          id={`${id}panel`}
          aria-labelledby={`${id}tab-${current.value}`}
          // its content may have no element that takes the focus
          // oxlint-disable-next-line jsx-a11y/no-noninteractive-tabindex
          tabIndex={0}
          className="rounded-md pt-4"
        >
          {current.content}
        </div>
      )}
    </div>
  )
}
