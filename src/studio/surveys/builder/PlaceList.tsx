'use client'

import { Check, X } from 'lucide-react'
import { type SurveyPlace, whereItRuns } from '#surveys/where-it-runs'
import { Icon } from '#ui/Icon'
import type { SurveyDraft } from './draft'

export const placeLabels: Record<SurveyPlace, string> = {
  posthog: 'PostHog’s SDK',
  widget: 'Our widget',
  inline: 'Inline',
  hosted: 'Hosted page',
  api: 'Headless API',
}

/** The places where a survey runs, and the reasons why it does not run elsewhere. */
export function PlaceList({ draft }: { draft: SurveyDraft }) {
  return (
    <section aria-label="Runs in" className="rounded-lg border border-line bg-surface px-4 py-3">
      <h2 className="mb-1.5 font-medium">Runs in</h2>
      <ul className="flex flex-col gap-1.5 text-xs">
        {whereItRuns(draft).map(({ place, runs, reasons }) => (
          <li key={place} className="flex gap-2">
            <Icon
              of={runs ? Check : X}
              size="sm"
              className={`mt-px ${runs ? 'text-success' : 'text-faint'}`}
            />
            <span className="min-w-0">
              <span className="font-medium">{placeLabels[place]}</span>
              <span className="sr-only">{runs ? ': yes' : ': no'}</span>
              {!runs && <span className="block text-muted">{reasons.join(' ')}</span>}
            </span>
          </li>
        ))}
      </ul>
    </section>
  )
}
