'use client'

import { Bell } from 'lucide-react'
import { Button } from '#ui/Button'
import { Icon } from '#ui/Icon'
import { Menu } from '#ui/overlay/Menu'
import { paths } from '#studio/paths'
import type { SurveyAlert } from './alert-drafts'

/** Leads to the form of an alert, filled in. */
export function AlertMenu({
  slug,
  survey,
  alerts,
}: {
  slug: string
  survey: string
  alerts: readonly SurveyAlert[]
}) {
  return (
    <Menu
      align="end"
      trigger={<Button icon={<Icon of={Bell} />}>Alert</Button>}
      entries={alerts.map(({ label, when, question }) => ({
        kind: 'link',
        label,
        href: paths.newAlert(slug, { survey, when, ...(question !== undefined && { question }) }),
      }))}
    />
  )
}
