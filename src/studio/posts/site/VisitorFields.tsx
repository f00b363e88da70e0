'use client'

import { RadioGroup } from '#ui/form/RadioGroup'
import { Switch } from '#ui/form/Switch'
import type { SiteFieldsProps } from './SiteForm'

const visitors = [
  {
    value: 'daily',
    label: 'Cookieless',
    hint: 'Nothing is stored in the browser. A visitor counts as new each day and may see another variant.',
  },
  {
    value: 'cookie',
    label: 'First-party cookie',
    hint: 'Returning visitors are recognised and see the same variant. Needs consent in some countries.',
  },
] as const

/** The fields for identifying visitors and for allowing crawlers. */
export function VisitorFields({ draft, onChange }: SiteFieldsProps) {
  return (
    <div className="flex flex-col gap-5">
      <RadioGroup
        boxed
        label="Visitor identification"
        options={visitors}
        value={draft.visitors}
        onChange={(kind) => onChange({ visitors: kind })}
      />
      <Switch
        place="end"
        label="Load posthog-js"
        hint="With flags already evaluated. Only needed by your own code: readers are counted without it."
        checked={draft.loadsPosthog}
        onChange={(loadsPosthog) => onChange({ loadsPosthog })}
      />
      <Switch
        place="end"
        label="Disallow AI crawlers"
        hint="In robots.txt, which not all crawlers respect."
        checked={draft.refusesAiCrawlers}
        onChange={(refusesAiCrawlers) => onChange({ refusesAiCrawlers })}
      />
    </div>
  )
}
