'use client'

import { RadioGroup } from '#ui/form/RadioGroup'
import { Switch } from '#ui/form/Switch'
import type { SiteFieldsProps } from './SiteForm'

const visitors = [
  {
    value: 'daily',
    label: 'By the day',
    hint: 'Nothing is stored in the browser. A visitor who returns tomorrow counts as new and may see another variant.',
  },
  {
    value: 'cookie',
    label: 'By a cookie of this site',
    hint: 'A returning visitor is recognised and sees the same variant. In some countries this needs consent.',
  },
] as const

/** How visitors are identified, and whether crawlers may read the site. */
export function VisitorFields({ draft, onChange }: SiteFieldsProps) {
  return (
    <div className="flex flex-col gap-5">
      <RadioGroup
        boxed
        label="Told apart"
        options={visitors}
        value={draft.visitors}
        onChange={(kind) => onChange({ visitors: kind })}
      />
      <Switch
        place="end"
        label="Load posthog-js"
        hint="From here, with every decision already made. Only for code of yours that asks it: readers are counted without."
        checked={draft.loadsPosthog}
        onChange={(loadsPosthog) => onChange({ loadsPosthog })}
      />
      <Switch
        place="end"
        label="Ask AI crawlers to stay away"
        hint="In robots.txt, which not all of them read."
        checked={draft.refusesAiCrawlers}
        onChange={(refusesAiCrawlers) => onChange({ refusesAiCrawlers })}
      />
    </div>
  )
}
