'use client'

import { useState } from 'react'
import type { Filter } from '#filters/filter'
import { ChangeForm, Submit } from '#studio/parts/ChangeForm'
import { lazyPanel } from '#studio/parts/lazy-panel'
import { changeInternalUsers } from './change-analytics'

const FilterEditor = lazyPanel(
  async () => (await import('#studio/filters/FilterEditor')).FilterEditor,
  'h-8 w-40',
)

interface InternalUsersFormProps {
  slug: string
  testAccounts: Filter | undefined
  whyNot: string | undefined
}

const subjects = ['person', 'event', 'cohort'] as const

export function InternalUsersForm({ slug, testAccounts, whyNot }: InternalUsersFormProps) {
  const [filter, setFilter] = useState(testAccounts)

  return (
    <ChangeForm change={() => changeInternalUsers(slug, filter)} saved="Internal users saved">
      <p className="text-muted">
        {filter
          ? 'Events that fit these conditions are from internal and test users.'
          : 'No internal users yet. Add a condition, such as e-mail contains @example.com.'}
      </p>
      <FilterEditor
        value={filter}
        onChange={setFilter}
        projectSlug={slug}
        of={subjects}
        label="Internal and test users"
      />
      <div>
        <Submit disabledReason={whyNot}>Save internal users</Submit>
      </div>
    </ChangeForm>
  )
}
